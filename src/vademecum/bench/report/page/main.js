// The page from top to bottom.
(() => {
  const { setting, lineages, probes } = page.data.card;
  const asked = Object.values(probes).reduce((sum, kinds) => sum + d3.sum(Object.values(kinds)), 0);
  const names = Object.entries(lineages).map(([name, tokens]) => `${name} (${page.count(tokens)} tokens)`);
  document.getElementById("setting").append(
    `${names.join(", ")}: ${page.count(asked)} questions about what stood in it, asked of ${page.arms.length} arms. `,
    `Window ${page.count(setting.window)} tokens, target ${page.count(setting.target)}, seed ${setting.seed}. `,
    "Figures are ", page.term("headline", "headline means"), " in percent, with ", page.term("interval", "95 % intervals"), ".",
  );
  page.recall();
  page.breakdown();
  page.differences();
  page.cost();
  page.cycles();
  page.probeDialog();
  page.probes();
  page.glossary();
})();
