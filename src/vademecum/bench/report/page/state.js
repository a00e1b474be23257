// What the reader of the page has chosen, and who wants to know.
page.modes = [["closed", "closed book"], ["search", "one search"]];
page.modeName = Object.fromEntries(page.modes);
page.state = { mode: "both", measure: "reader", arm: null };
page.listeners = [];
page.choose = (changes) => {
  Object.assign(page.state, changes);
  for (const listener of page.listeners) listener(Object.keys(changes));
};
page.lineages = Object.keys(page.data.card.lineages);
page.arms = page.data.card.arms;
page.armNamed = Object.fromEntries(page.arms.map((arm) => [arm.arm, arm]));
page.uncompacted = page.armNamed.uncompacted;

// Arms that cheat, to show that a figure exposes them: they are on no front.
page.cheats = new Set(page.data.cheats);

// Whether any arm was answered from by a model.
page.hasModel = page.arms.some((arm) => page.modes.some(([mode]) => arm[mode] && arm[mode].model && arm[mode].model.asked));

// A headline figure with its interval, by the chosen measure; null where an arm has none.
page.measured = (arm, mode, measure) => {
  const told = arm[mode];
  if (!told) return null;
  if (measure === "model") return told.model && told.model.asked ? told.model.overall : null;
  if (measure !== "relative") return measure === "present" ? told.present : told.overall;
  const base = page.uncompacted && page.uncompacted.closed.overall.value;
  if (!base) return null;
  return { value: told.overall.value / base, low: told.overall.low / base, high: told.overall.high / base };
};
