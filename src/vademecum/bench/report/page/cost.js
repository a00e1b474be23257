// What a compaction and each following request cost (B-8); left out where the run does not say.
const COSTS = [
  ["usd_per_compaction", "per compaction"],
  ["usd_per_request", "per following request"],
];

page.costPlot = (arms, key, width) => {
  const rows = arms.map((arm) => ({ arm: arm.arm, value: arm.cost[key] }));
  const widest = Math.min(width * 0.42, 12 + 7.4 * Math.max(...rows.map((row) => row.arm.length)));
  const most = Math.floor(widest / 7.4);
  return Plot.plot({
    width, marginLeft: widest, marginRight: 64, marginBottom: 40, height: 60 + 24 * rows.length,
    style: { fontSize: "13px" },
    x: { label: "US dollars →", tickFormat: page.dollars, ticks: width > 500 ? 6 : 3, grid: true },
    y: { domain: rows.map((row) => row.arm), label: null, tickSize: 0, tickFormat: (name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name) },
    marks: [
      Plot.barX(rows, { y: "arm", x: "value", fill: "var(--accent)", insetTop: 3, insetBottom: 3 }),
      Plot.text(rows, { y: "arm", x: "value", text: (row) => page.dollars(row.value), dx: 6, textAnchor: "start" }),
      Plot.ruleX([0]),
    ],
  });
};

// At whose prices.
page.priceText = () => {
  const price = page.data.card.price;
  return price ? `Prices of ${price.name}, for a million tokens: ${page.dollars(price.input)} input, ${page.dollars(price.cached)} read from the cache, ${page.dollars(price.written)} written into it, ${page.dollars(price.output)} output.` : "";
};

page.cost = () => {
  const arms = page.arms.filter((arm) => arm.cost);
  if (!arms.length) return;
  const dollars = COSTS.filter(([key]) => arms.some((arm) => arm.cost[key] > 0));
  const plots = dollars.map(([key, title]) => {
    const box = page.el("div", { class: "plot", role: "img", "aria-label": `Dollars ${title}; the table below has the same figures` });
    page.drawn(box, (width) => box.replaceChildren(page.costPlot(arms.filter((arm) => arm.cost[key] !== undefined), key, width)));
    return page.el("figure", {}, page.el("figcaption", {}, `Dollars ${title}`), box);
  });
  const count = (title, key) => [title, (arm) => page.count(arm.cost[key]), true];
  const money = (title, key) => [title, (arm) => page.dollars(arm.cost[key]), true];
  page.section(
    "cost", "Cost",
    page.el("p", {}, "What a compaction itself costs, and what every request after it costs: what is kept is billed again each time, so keeping more is not free. ", page.priceText()),
    page.el("div", { class: "figures" }, plots),
    page.table("Cost by arm, the mean of the lineages", [
      ["arm", (arm) => page.armButton(arm.arm, "closed")],
      money("$ per compaction", "usd_per_compaction"),
      money("$ per request", "usd_per_request"),
      [page.term("cache break", "$ cache break"), (arm) => page.dollars(arm.cost.usd_cache_break), true],
      ["seconds", (arm) => (arm.cost.seconds === null || arm.cost.seconds === undefined ? "–" : arm.cost.seconds.toFixed(1)), true],
      count("model calls", "calls"), count("input tokens", "input"), count("cached tokens", "cached"), count("output tokens", "output"),
    ], arms),
  );
};
