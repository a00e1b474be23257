// Paired differences from Vademecum: two arms are called different only when the interval says so.
// An interval that may be below zero, in percentage points.
const reachOf = (row) => `${Math.round(100 * row.low)} to ${Math.round(100 * row.high)}`.replaceAll("-", "−");

page.differencesPlot = (rows, width) => {
  const reach = Math.max(0.05, ...rows.map((row) => Math.max(Math.abs(row.low), Math.abs(row.high))));
  const points = (value) => `${value > 0 ? "+" : ""}${Math.round(100 * value)}`.replace("-", "−");
  const widest = Math.min(width * 0.42, 12 + 7.4 * Math.max(...rows.map((row) => row.against.length)));
  const most = Math.floor(widest / 7.4);
  return Plot.plot({
    width, marginLeft: widest, marginRight: 24, marginBottom: 40, height: 60 + 24 * rows.length,
    style: { fontSize: "13px" },
    x: { domain: [-reach, reach], tickFormat: points, ticks: width > 500 ? 8 : 4, label: "percentage points →", grid: true },
    y: { domain: rows.map((row) => row.against), label: null, tickSize: 0, tickFormat: (name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name) },
    marks: [
      Plot.ruleX([0]),
      Plot.ruleY(rows, { y: "against", x1: "low", x2: "high", className: "reach" }),
      Plot.dot(rows, { y: "against", x: "value", r: 5, className: "gaps", fill: (row) => (row.different ? "var(--accent)" : "var(--back)"), stroke: "var(--accent)" }),
    ],
  });
};

page.differences = () => {
  const all = page.data.card.differences || [];
  if (!all.length) return;
  const chosen = { mode: "closed" };
  const box = page.el("div", { class: "plot", role: "group", "aria-label": "Plot of paired differences; the table below has the same figures" });
  const below = page.el("div", {});
  const rows = () => all.filter((row) => row.mode === chosen.mode).sort((a, b) => b.value - a.value || (a.against < b.against ? -1 : 1));
  const draw = page.drawn(box, (width) => {
    if (!rows().length) return box.replaceChildren(page.el("p", {}, "No differences here."));
    const svg = page.differencesPlot(rows(), width);
    box.replaceChildren(svg);
    for (const circle of svg.querySelectorAll(".gaps circle")) {
      const row = rows()[circle.__data__];
      page.tip(circle, [`vademecum − ${row.against}`, `${(100 * row.value).toFixed(1).replace("-", "−")} points [${reachOf(row)}]`, row.different ? "different" : "no difference shown"]);
    }
  });
  const table = () =>
    below.replaceChildren(page.folded("The differences as a table", page.table("Vademecum minus each arm", [
      ["against", (row) => row.against],
      ["points", (row) => (100 * row.value).toFixed(1).replace("-", "−"), true],
      ["95 % interval", reachOf, true],
      ["p, McNemar", (row) => row.p.toPrecision(2), true],
      ["p, Holm", (row) => row.p_holm.toPrecision(2), true],
      ["different", (row) => (row.different ? "yes" : "not shown")],
    ], rows())));
  table();
  page.section(
    "differences", "Vademecum against each arm",
    page.el("p", {}, "Paired by question. Right of zero ", page.el("b", {}, "vademecum"), " recalls more. A filled point: the ", page.term("interval", "interval"), " does not reach zero."),
    page.el("div", { class: "fields" }, page.select("answered", page.modes.filter(([mode]) => all.some((row) => row.mode === mode)), "closed", (mode) => { chosen.mode = mode; draw(); table(); })),
    box, below,
  );
};
