// Recall by kind of probe and by position: a table whose cells are bars.
const VIEWS = [["kinds", "kind of probe"], ["where", "where the answer stands"], ["third", "early, middle or late"], ["about", "what it is about"], ["stated", "stated once or again"]];
const ORDER = ["user", "assistant", "call", "result", "early", "middle", "late", "once", "again", "cloze", "holdout", "future", "latest", "constraint", "abstention", "fact"];
const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

page.breakdown = () => {
  const chosen = { view: "kinds", mode: "closed", measure: "reader" };
  const box = page.el("div", {});
  const draw = () => {
    const arms = page.arms.filter((arm) => arm[chosen.mode]);
    const names = [...new Set(arms.flatMap((arm) => Object.keys(arm[chosen.mode][chosen.view])))].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    // Golds of several words are no question to the reader.
    const count = (told) => told.asked - (chosen.measure === "reader" ? told.unread || 0 : 0);
    const asked = (name) => Math.max(...arms.map((arm) => count(arm[chosen.mode][chosen.view][name] || { asked: 0 })));
    const bar = (name) => (arm) => {
      const told = arm[chosen.mode][chosen.view][name];
      if (!told) return "–";
      const cell = told[chosen.measure];
      return page.el("span", { class: "bar", "--share": `${100 * cell.value}%`, title: `${count(told)} asked; 95 % interval ${page.span(cell)} %` }, page.percent(cell.value), " ", page.el("small", {}, page.span(cell)));
    };
    const columns = [
      ["arm", (arm) => page.armButton(arm.arm, chosen.mode)],
      ...names.map((name) => [page.el("span", {}, page.data.terms[name] ? page.term(name) : name.replace("_", " "), page.el("small", {}, ` ${page.count(asked(name))} asked`)), bar(name)]),
    ];
    const title = `${chosen.measure === "reader" ? "Reader" : "Present"}, ${page.modeName[chosen.mode]}, by ${Object.fromEntries(VIEWS)[chosen.view]}`;
    box.replaceChildren(page.table(title, columns, arms));
  };
  const field = (label, values, key) => page.select(label, values, chosen[key], (value) => ((chosen[key] = value), draw()));
  draw();
  page.section(
    "breakdown", "Recall by kind and position",
    page.el("p", {}, "What an arm loses is seldom spread evenly: whoever drops tool results knows nothing that stood in them. By kind all probes count, otherwise ", page.term("cloze"), " probes. Small figures are ", page.term("interval", "95 % intervals"), "."),
    page.el("div", { class: "fields" }, field("by", VIEWS, "view"), field("answered", page.modes, "mode"), field("measure", [["reader", "reader"], ["present", "present (upper bound)"]], "measure")),
    box,
  );
};
