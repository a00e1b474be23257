// Recall against tokens kept, with intervals and the Pareto line; a point opens its arm's probes.
page.measureName = { reader: "reader", present: "present", relative: "relative to uncompacted", model: "model" };
const LEGEND = [
  ["closed", "closed book", () => true],
  ["search", "one search", () => true],
  ["unfit", "more than the window holds", () => page.arms.some((arm) => arm.fits === false)],
  ["cheat", "cheats", () => page.arms.some((arm) => page.cheats.has(arm.arm))],
];
const TICKS = [0, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6];

page.recallPoints = (modes, measure) =>
  modes.flatMap((mode) =>
    page.arms.flatMap((arm, at) => {
      const cell = page.measured(arm, mode, measure);
      return cell ? [{ arm: arm.arm, number: String(at + 1), tokens: arm.tokens, mode, ...cell }] : [];
    }),
  );

page.recallPlot = (width, { mode, measure, arm: chosen }) => {
  const modes = mode === "both" ? ["closed", "search"] : [mode];
  const points = page.recallPoints(modes, measure);
  const most = Math.max(...page.arms.map((arm) => arm.tokens), 1000);
  const tokens = TICKS.filter((tick) => tick <= most * 1.05 && (width > 560 || tick !== 5e3) && (width > 460 || ![2e4, 2e5].includes(tick)));
  const top = Math.min(Math.max(...points.map((point) => point.high), 0.1) * 1.06, measure === "relative" ? 9 : 1.02);
  const height = width > 700 ? 460 : 400;
  const fronts = modes.flatMap((name) => page.front(name, measure));
  const base = page.uncompacted && page.measured(page.uncompacted, "closed", measure);
  const svg = Plot.plot({
    width, height, marginLeft: 54, marginRight: 16, marginTop: 26, marginBottom: 42,
    style: { fontSize: "13px", overflow: "visible" },
    x: { type: "symlog", constant: 1e4, domain: [0, most * 1.08], ticks: tokens, tickFormat: page.short, label: "tokens kept →", labelAnchor: "right", grid: true },
    y: { domain: [0, top], percent: false, tickFormat: (value) => `${Math.round(100 * value)} %`, label: `↑ recall, ${page.measureName[measure]}`, grid: true },
    marks: [
      Plot.ruleY([0]),
      base ? Plot.ruleY([base.value], { className: "ceiling", strokeDasharray: "2,4" }) : null,
      Plot.line(fronts, { x: "tokens", y: "value", z: "mode", className: "front", curve: "step-after" }),
      Plot.ruleX(points, { x: "tokens", y1: "low", y2: "high", className: "interval" }),
      Plot.dot(points, { x: "tokens", y: "value", r: 6.5, className: "points" }),
    ],
  });
  const circles = [...svg.querySelectorAll(".points circle")];
  const placed = circles.map((circle) => {
    const point = points[circle.__data__];
    circle.classList.add(point.mode);
    circle.classList.toggle("cheat", page.cheats.has(point.arm));
    circle.classList.toggle("unfit", page.armNamed[point.arm].fits === false);
    circle.classList.toggle("chosen", point.arm === chosen);
    const figure = `${page.percent(point.value, 1)} [${page.span(point)}]`;
    page.button(circle, `${point.arm}: ${page.count(point.tokens)} tokens, ${page.modeName[point.mode]}, ${figure}. Show its probes`, (pointed) => page.openPoint(point, pointed ? placed : []));
    page.tip(circle, [point.arm, `${page.count(point.tokens)} tokens kept`, `${page.modeName[point.mode]}: ${figure}`, "Press for its probes"]);
    return { ...point, x: +circle.getAttribute("cx"), y: +circle.getAttribute("cy"), r: 7 };
  });
  return { svg, placed, width, height };
};

// Opens a point's arm; where others lie under the same finger, asks which one is meant.
page.openPoint = (point, placed) => {
  const self = placed.find((other) => other.arm === point.arm && other.mode === point.mode);
  const near = placed.filter((other) => other === self || Math.hypot(other.x - self.x, other.y - self.y) < 12);
  if (near.length < 2) return page.openArm(point.arm, point.mode);
  document.getElementById("which")?.remove();
  const choices = near.map((other) => page.el("button", { type: "button", onclick: () => { which.hidePopover(); page.openArm(other.arm, other.mode); } }, `${other.arm}, ${page.modeName[other.mode]}`));
  const which = page.el("div", { id: "which", popover: true, class: "meaning choices", role: "group", "aria-label": "Several points lie here" }, page.el("strong", {}, "Several points lie here"), choices);
  document.body.append(which);
  which.showPopover();
  return choices[0].focus();
};

// The points of the front; its names come from the scorecard for the reader, else from the figures themselves.
page.front = (mode, measure) => {
  const points = page.recallPoints([mode], measure).sort((a, b) => a.tokens - b.tokens || b.value - a.value);
  if (!["present", "model"].includes(measure)) return points.filter((point) => page.data.card.front[mode].includes(point.arm));
  let best = 0;
  return points.filter((point) => !page.cheats.has(point.arm) && point.value > best && (best = point.value));
};

// Whose name is placed first: Vademecum's own, then those of the front.
const rankOf = (point) => (point.arm === "vademecum" ? 2 : point.strong ? 1 : 0);

// What the controls say against the run, if anything.
page.doubts = () => {
  const doubts = [];
  const recalled = (arm) => arm && arm.closed && arm.closed.overall.value;
  if (page.uncompacted && recalled(page.uncompacted) < 0.1) doubts.push("Even from the uncompacted context the reader answers almost nothing: these figures tell arms apart by chance only. Use a session whose sentences differ more, or more probes.");
  if (recalled(page.armNamed.nothing) > 0.05) doubts.push("Without any context some questions are answered: they can be guessed, and recall is overstated.");
  return doubts.map((doubt) => page.el("p", { class: "doubt", role: "note" }, doubt));
};

page.recall = () => {
  const box = page.el("div", { class: "plot", role: "group", "aria-label": "Plot of recall against tokens kept; the table below has the same figures" });
  const draw = page.drawn(box, (width) => {
    const { svg, placed, height } = page.recallPlot(width, page.state);
    box.replaceChildren(svg);
    const first = page.state.mode === "search" ? "search" : "closed";
    const shared = new Set(page.front(first, page.state.measure).map((point) => point.arm));
    const named = placed
      .map((point) => ({ ...point, name: point.mode === first ? point.arm : "", strong: shared.has(point.arm) }))
      .sort((a, b) => rankOf(b) - rankOf(a));
    page.place(svg, named, 54, width, height - 34);
  });
  page.listeners.push(draw);
  page.section(
    "recall", "Recall against tokens kept",
    page.el("p", {}, "Each point is an ", page.term("arm"), ": to the left it keeps less, higher up more is still known. Bars are ", page.term("interval", "95 % intervals"), ", the stepped line is the ", page.term("Pareto line"), ", the dotted one is the uncompacted context, ", page.term("closed book"), "."),
    page.doubts(),
    page.el("div", { class: "fields" },
      page.select("answered", [["both", "closed book and one search"], ...page.modes], page.state.mode, (mode) => page.choose({ mode })),
      page.select("measure", [["reader", "reader"], ["present", "present (upper bound)"], ["relative", "relative to uncompacted"], ...(page.hasModel ? [["model", "model"]] : [])], page.state.measure, (measure) => page.choose({ measure })),
      page.el("div", { class: "legend" }, LEGEND.filter(([, , wanted]) => wanted()).map(([kind, text]) => page.el("span", {}, page.el("i", { class: `dot ${kind}` }), text))),
    ),
    box,
    page.el("p", { class: "note" }, "A number at a point is that of its row in the table. What the measures mean: ", page.term("reader"), ", ", page.term("present"), ", ", page.term("relative"), "."),
    page.armsTable(),
  );
};
