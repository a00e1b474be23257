// What becomes of arms that are repeated; left out where no simulation was given.
const CATEGORIES = ["system", "user", "harness", "assistant", "reasoning", "call", "result", "other"];

page.cycleRows = (pick, dashed = false) =>
  page.data.cycles.flatMap((arm, at) =>
    arm.cycles.flatMap((cycle) => {
      const value = pick(cycle);
      return value === null || value === undefined ? [] : [{ arm: arm.arm, at, cycle: cycle.cycle, value, dashed }];
    }),
  );

// The floor by category of one arm.
page.layers = () => {
  const some = page.data.cycles.filter((arm) => arm.cycles.length);
  let chosen = some.find((arm) => arm.arm === "vademecum") || some[0];
  const box = page.el("div", { class: "plot", role: "img", "aria-label": "Tokens kept by category, by cycle" });
  const key = page.el("p", { class: "legend" });
  const draw = page.drawn(box, (width) => {
    const used = CATEGORIES.filter((name) => chosen.cycles.some((cycle) => cycle.floor[name] > 0));
    const rows = chosen.cycles.flatMap((cycle) => used.map((name) => ({ cycle: cycle.cycle, name, tokens: cycle.floor[name] || 0 })));
    const ink = (name) => page.inkOf(CATEGORIES.indexOf(name));
    key.replaceChildren(...used.map((name) => page.el("span", {}, page.el("i", { class: "patch", "--ink": ink(name) }), name)));
    box.replaceChildren(Plot.plot({
      width, height: 280, marginLeft: 52, marginRight: 14, marginBottom: 40, marginTop: 26, style: { fontSize: "13px" },
      x: { type: "band", label: "compaction →", tickFormat: "d", ticks: page.cycleTicks(chosen.cycles.length, width), padding: 0.12 },
      y: { label: "↑ tokens", tickFormat: page.short, grid: true },
      marks: [
        Plot.barY(rows, Plot.stackY({ order: used }, { x: "cycle", y: "tokens", fill: (row) => ink(row.name), title: (row) => `${row.name}: ${page.count(row.tokens)} tokens` })),
        Plot.ruleY([0]),
      ],
    }));
  });
  const select = page.select("arm", some.map((arm) => [arm.arm, arm.arm]), chosen.arm, (name) => { chosen = some.find((arm) => arm.arm === name); draw(); });
  return page.el("figure", {}, page.el("figcaption", {}, "What the floor is made of"), page.el("div", { class: "fields" }, select), box, key);
};

page.cycleTable = () => {
  const rows = page.data.cycles.flatMap((arm) => arm.cycles.map((cycle) => cycle));
  return page.folded("Every compaction as a table", page.table("Compactions", [
    ["arm", (row) => row.arm],
    ["cycle", (row) => page.count(row.cycle), true],
    ["tokens before", (row) => page.count(row.before), true],
    ["after", (row) => page.count(row.after), true],
    ["freed", (row) => page.percent(row.freed_ratio), true],
    ["text floor", (row) => page.count(row.floor.text_floor), true],
    ["rows", (row) => page.count(row.rows), true],
    ["billed per request", (row) => page.count(row.billed_per_request), true],
    ["recall, closed", (row) => page.percent(row.recall && row.recall.closed), true],
    ["one search", (row) => page.percent(row.recall && row.recall.search), true],
    ["found by it", (row) => page.percent(row.recall && row.recall.found), true],
    ["uncompacted", (row) => page.percent(row.recall && row.recall.full), true],
    ["first questions, one search", (row) => page.percent(row.recall && row.recall.again && row.recall.again.search), true],
    ["stale", (row) => (row.stale ? `${row.stale.stale} of ${row.stale.asked}` : "–"), true],
  ], rows));
};

page.cycles = () => {
  const arms = page.data.cycles;
  if (!arms.length) return;
  const legend = page.el("p", { class: "legend" }, arms.map((arm, at) => page.el("span", {}, page.symbol(at), arm.arm)));
  const recall = [...page.cycleRows((cycle) => cycle.recall && cycle.recall.closed), ...page.cycleRows((cycle) => cycle.recall && cycle.recall.search, true)];
  const again = (mode, dashed) => page.cycleRows((cycle) => cycle.recall && cycle.recall.again && cycle.recall.again[mode], dashed);
  const first = [...again("closed"), ...again("search", true)];
  const some = arms.some((arm) => arm.cycles.length);
  const mean = (arm) => (arm.cycles.length ? arm.end.consumed / arm.cycles.length : null);
  const percent = (value) => page.percent(value);
  page.section(
    "cycles", "Compacted again and again",
    page.el("p", {}, "The same session unrolled, with a compaction whenever the context crosses the trigger. A policy that only drops things has a rising ", page.term("floor"), ", so each compaction has less ", page.term("freed"), "."),
    page.table("How each arm ended", [
      ["arm", (arm) => page.el("span", { class: "led" }, page.symbol(arms.indexOf(arm)), arm.arm)],
      ["end state", (arm) => page.el("span", { class: `state ${arm.end.end_state}` }, arm.end.end_state)],
      ["trigger", (arm) => page.count(arm.end.trigger), true],
      ["compactions", (arm) => page.count(arm.end.cycles), true],
      ["floor, first", (arm) => page.count(arm.end.floor.first), true],
      ["floor, last", (arm) => page.count(arm.end.floor.last), true],
      ["freed, first", (arm) => page.percent(arm.end.freed.first), true],
      ["freed, last three", (arm) => page.percent(arm.end.freed.last_three), true],
      ["tokens between compactions", (arm) => page.count(mean(arm) && Math.round(mean(arm))), true],
      ["input tokens billed", (arm) => page.count(arm.end.billed), true],
    ], arms),
    some ? [
      legend,
      page.el("div", { class: "figures" },
        page.lines("Floor: tokens right after each compaction", page.cycleRows((cycle) => cycle.after), { label: "tokens", write: page.short }),
        page.lines("Freed by each compaction (dotted: 50 %)", page.cycleRows((cycle) => cycle.freed_ratio), { label: "freed", write: percent, rules: [0.5], domain: [Math.min(0, ...page.cycleRows((cycle) => cycle.freed_ratio).map((row) => row.value)), 1] }),
        recall.length ? page.lines("Recall of all seen so far (dashed: with one search)", recall, { label: "reader", write: percent }) : null,
        first.length ? page.lines("The first questions, asked again each time (dashed: with one search)", first, { label: "reader", write: percent }) : null,
        page.lines("Input tokens billed per following request", page.cycleRows((cycle) => cycle.billed_per_request || null), { label: "tokens", write: page.short }),
        page.layers(),
      ),
      page.cycleTable(),
    ] : page.el("p", {}, "No arm came to its trigger: the session is too short for it."),
  );
};
