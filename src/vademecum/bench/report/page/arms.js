// The same figures as a table.
page.armButton = (name, mode) =>
  page.el("button", { type: "button", class: "link", onclick: () => page.openArm(name, mode), title: "Show its probes" }, name);

page.cellText = (cell) => (cell ? [page.percent(cell.value, 1), " ", page.el("small", {}, `[${page.span(cell)}]`)] : "–");

page.armsTable = () => {
  const both = (mode) => (arm) => page.cellText(arm[mode] && arm[mode].overall);
  const relative = (mode) => (arm) => page.percent(arm[mode] && arm[mode].relative);
  const stale = (arm) => {
    const cell = arm.closed && arm.closed.kinds.latest;
    return cell ? `${cell.stale} of ${cell.asked}` : "–";
  };
  const model = (mode) => (arm) => page.cellText(page.measured(arm, mode, "model"));
  const told = (arm) => arm.closed && arm.closed.holdout_gap;
  const gaps = page.arms.some((arm) => arm.closed && arm.closed.kinds.holdout);
  const gap = (arm) => (told(arm) === undefined ? "–" : `${(100 * told(arm)).toFixed(1).replace("-", "−")} points`);
  const columns = [
    [page.el("span", {}, "№ ", page.term("arm")), (arm) => page.el("span", { class: "led" }, page.el("span", { class: "number" }, page.arms.indexOf(arm) + 1), page.armButton(arm.arm, arm.closed ? "closed" : "search"), page.cheats.has(arm.arm) ? page.el("small", {}, "cheats") : arm.model ? page.el("small", {}, `summaries by ${arm.model}`) : null)],
    ["tokens kept", (arm) => [page.count(arm.tokens), arm.fits === false ? page.el("small", {}, " over the window") : null], true],
    [page.el("span", {}, page.term("reader"), " closed book"), both("closed"), true],
    [page.term("relative"), relative("closed"), true],
    [page.el("span", {}, page.term("reader"), " one search"), both("search"), true],
    [page.term("relative"), relative("search"), true],
    [page.el("span", {}, page.term("present"), " closed book"), (arm) => page.percent(arm.closed && arm.closed.present.value), true],
    ...(page.hasModel ? [[page.el("span", {}, page.term("model"), " closed book"), model("closed"), true], [page.el("span", {}, page.term("model"), " one search"), model("search"), true]] : []),
    [page.term("permuted golds"), (arm) => {
      const cells = page.modes.flatMap(([mode]) => (arm[mode] ? [arm[mode].permuted, arm[mode].model && arm[mode].model.permuted] : [])).filter(Boolean);
      return cells.length ? page.percent(Math.max(...cells.map((cell) => cell.value)), 1) : "–";
    }, true],
    [page.term("stale"), stale, true],
    ...(gaps ? [[page.term("holdout gap"), gap, true]] : []),
    [page.term("invented"), (arm) => page.count(arm.invented), true],
    ["seconds", (arm) => (arm.seconds === null ? "–" : arm.seconds.toFixed(1)), true],
  ];
  const same = page.data.card.identical || [];
  const none = page.armNamed.nothing;
  const bare = (mode) => (none && none[mode] ? page.cellText(none[mode].overall) : "not run");
  return page.el("div", {},
    page.el("p", { class: "note" }, "Controls: ", page.term("reader"), " without any context ", bare("closed"), ", by the search alone ", bare("search"), ". ", page.term("permuted golds"), " must be near zero in every arm."),
    page.table("Arms by tokens kept", columns, page.arms),
    same.map((names) => page.el("p", { class: "note" }, `${names.join(" and ")} keep the same and answer the same.`)),
  );
};
