// One probe: what was asked, what is right, what each arm said and from what, what the search found.
page.pairs = (pairs) => page.el("dl", { class: "pairs" }, pairs.filter(([, value]) => value !== null && value !== "").map(([name, value]) => [page.el("dt", {}, name), page.el("dd", {}, value)]));

page.answerOf = (probe, outcome, title) => {
  if (!outcome) return null;
  const marks = [[probe.gold, "gold"], [outcome.answer, "said"]];
  return page.el("section", {},
    page.el("h3", {}, title, " ", page.verdict(outcome)),
    page.pairs([
      ["answer", outcome.answer ? page.el("code", {}, outcome.answer) : page.el("em", {}, probe.kind === "constraint" ? "looked for word for word" : "none")],
      ["gold present", probe.gold ? (outcome.present ? "yes" : "no") : null],
    ]),
    outcome.evidence ? [page.el("p", { class: "note" }, "Read from:"), page.el("blockquote", {}, page.marked(outcome.evidence, marks))] : null,
  );
};

page.saidOf = (rows, title) => {
  if (!rows) return null;
  const judge = (row) => (row.points < 0 ? "its judgement could not be read" : `judged by ${row.judge === "rule" ? "comparison" : "a model"}`);
  return page.el("section", {},
    page.el("h3", {}, title),
    rows.map((row) => page.el("div", {},
      page.el("p", {}, page.verdict(row), " ", page.el("small", {}, judge(row))),
      page.pairs([["answer", page.el("q", {}, row.answer)], ["searched for", row.query ? page.el("code", {}, row.query) : null]]))));
};

page.foundOf = (details, probe, answer) => {
  if (!probe.found.length) return page.el("p", {}, probe.kind === "fact" ? "For questions that a model wrote only answers are kept." : "The search found nothing.");
  return page.el("ol", { class: "found" }, probe.found.map(([id, holds, text]) =>
    page.el("li", {}, page.el("p", { class: "note" }, page.el("code", {}, id), holds ? " holds the gold" : " does not hold the gold"),
      details.texts[text] ? page.el("blockquote", {}, page.marked(details.texts[text], [[probe.gold, "gold"], [answer, "said"]])) : null)));
};

page.everyArm = (details, at, show) => {
  const rows = page.arms.filter((arm) => page.modes.some(([mode]) => page.outcome(details, arm.arm, mode, at) || page.said(details, arm.arm, mode, at)));
  const cell = (mode) => (arm) => {
    const told = page.outcome(details, arm.arm, mode, at);
    return told ? [page.verdict(told), " ", page.el("small", {}, told.answer)] : "–";
  };
  const said = (mode) => (arm) => {
    const rows = page.said(details, arm.arm, mode, at);
    return rows ? rows.map((row) => [page.verdict(row), " ", page.el("small", {}, row.answer), " "]) : "–";
  };
  const model = (mode) => (rows.some((arm) => page.said(details, arm.arm, mode, at)) ? [[`model, ${page.modeName[mode]}`, said(mode)]] : []);
  return page.table("This probe in every arm", [
    ["arm", (arm) => page.el("button", { type: "button", class: "link", onclick: () => show(arm.arm) }, arm.arm)],
    ["tokens kept", (arm) => page.count(arm.tokens), true],
    ["closed book", cell("closed")],
    ["one search", cell("search")],
    ...model("closed"),
    ...model("search"),
  ], rows);
};

page.probeDialog = () => {
  const inside = page.el("div", { class: "inside" });
  const dialog = page.el("dialog", { id: "probe", "aria-labelledby": "probe-title" }, inside);
  document.body.append(dialog);
  // `list` are the numbers of the probes that the table shows, so that one can go through them; `went` is the last step.
  page.openProbe = (details, arm, list, spot, went = 0) => {
    const at = list[spot];
    const probe = details.probes[at];
    const [closed, search] = page.modes.map(([mode]) => page.outcome(details, arm, mode, at));
    const step = (by, text) => page.el("button", { type: "button", disabled: list[spot + by] === undefined, onclick: () => page.openProbe(details, arm, list, spot + by, by) }, text);
    const steps = { [-1]: step(-1, "← previous"), 1: step(1, "next →") };
    inside.replaceChildren(
      page.el("div", { class: "bar-top" }, steps[-1], steps[1], page.el("button", { type: "button", class: "close", onclick: () => dialog.close() }, "close")),
      page.el("h2", { id: "probe-title" }, arm),
      page.el("p", { class: "question" }, page.marked(probe.question, [["▢", "blank"]])),
      page.pairs([
        ["gold", probe.gold ? page.el("code", {}, probe.gold) : page.el("em", {}, "there is no answer")],
        ["earlier values", probe.stale.length ? page.el("code", {}, probe.stale.join(" · ")) : null],
        ["kind", [page.term(probe.kind), `, asks for: ${probe.shape}`]],
        ["stands in", `${probe.where}, message ${page.count(probe.message)} of ${probe.lineage}; ${probe.third} third; in ${page.count(probe.stated)} message${probe.stated === 1 ? "" : "s"}`],
        ["searched for", page.el("code", {}, probe.words.join(" "))],
      ]),
      page.answerOf(probe, closed, "Closed book") || "",
      page.answerOf(probe, search, "With one search") || "",
      page.saidOf(page.said(details, arm, "closed", at), "What a model answered, closed book") || "",
      page.saidOf(page.said(details, arm, "search", at), "What a model answered with one search") || "",
      search ? page.el("section", {}, page.el("h3", {}, "What the search found"), page.foundOf(details, probe, search.answer)) : "",
      page.el("section", {}, page.el("h3", {}, "The other arms"), page.everyArm(details, at, (name) => page.openProbe(details, name, list, spot))),
    );
    if (!dialog.open) dialog.showModal();
    if (went) (steps[went].disabled ? steps[-went] : steps[went]).focus();
    inside.scrollTop = 0;
    dialog.scrollTop = 0;
  };
};
