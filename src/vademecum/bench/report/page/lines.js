// Lines over cycles, one for each arm, told apart by colour and by the symbol at their points.
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "asterisk"];
page.inkOf = (at) => `var(--line-${at % 10})`;
page.symbolOf = (at) => SYMBOLS[at % SYMBOLS.length];

// Whole numbers for an axis of cycles.
page.cycleTicks = (last, width) => [...new Set([1, ...d3.ticks(1, last, width > 500 ? 10 : 5)])].filter(Number.isInteger);

page.symbol = (at) => {
  const sign = d3[`symbol${SYMBOLS[at % SYMBOLS.length][0].toUpperCase()}${SYMBOLS[at % SYMBOLS.length].slice(1)}`];
  const svg = d3.create("svg").attr("viewBox", "-8 -8 16 16").attr("width", 16).attr("height", 16).attr("aria-hidden", "true");
  const stroked = SYMBOLS[at % SYMBOLS.length] === "asterisk";
  svg.append("path").attr("d", d3.symbol(sign, 70)()).attr("fill", stroked ? "none" : page.inkOf(at)).attr("stroke", page.inkOf(at)).attr("stroke-width", stroked ? 2 : 0);
  return svg.node();
};

// rows: {arm, at (its number), cycle, value, dashed}; options: y label, how values are written, rules, domain.
page.lines = (title, rows, options) => {
  const box = page.el("div", { class: "plot", role: "img", "aria-label": `${title}, by cycle; the table below has figures` });
  const arms = [...new Map(rows.map((row) => [row.arm, row.at]))];
  page.drawn(box, (width) => {
    const last = Math.max(...page.data.cycles.map((arm) => arm.cycles.length));
    const every = Math.max(1, Math.ceil(last / 12));
    const marks = arms.flatMap(([arm, at]) =>
      [false, true].flatMap((dashed) => {
        const mine = rows.filter((row) => row.arm === arm && Boolean(row.dashed) === dashed);
        const some = mine.filter((row, spot) => spot === 0 || spot === mine.length - 1 || mine.length < 14 || row.cycle % every === 0);
        return [
          Plot.line(mine, { x: "cycle", y: "value", stroke: page.inkOf(at), strokeWidth: 2, strokeDasharray: dashed ? "5,4" : null }),
          Plot.dot(some, { x: "cycle", y: "value", symbol: page.symbolOf(at), r: 4, fill: dashed ? "var(--back)" : page.inkOf(at), stroke: page.inkOf(at) }),
        ];
      }),
    );
    box.replaceChildren(Plot.plot({
      width, height: 280, marginLeft: 52, marginRight: 14, marginBottom: 40, marginTop: 26,
      style: { fontSize: "13px" },
      x: { label: "compaction →", domain: [1, Math.max(2, last)], ticks: page.cycleTicks(last, width), tickFormat: "d" },
      y: { label: `↑ ${options.label}`, tickFormat: options.write, grid: true, domain: options.domain || [0, 1.05 * Math.max(...rows.map((row) => row.value), ...(options.rules || []), 1e-9)] },
      marks: [
        Plot.ruleY([0]),
        Plot.ruleY(options.rules || [], { strokeDasharray: "2,4" }),
        ...marks,
        Plot.tip(rows, Plot.pointer({ x: "cycle", y: "value", title: (row) => `${row.arm}, compaction ${row.cycle}\n${options.write(row.value)}${row.dashed ? ", one search" : ""}`, fill: "var(--back)" })),
      ],
    }));
  });
  return page.el("figure", {}, page.el("figcaption", {}, title), box);
};
