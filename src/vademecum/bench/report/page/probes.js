// The probes of one arm, with filters; a point of a plot leads here.
const ROWS = 50;

page.probes = () => {
  const chosen = { arm: (page.armNamed.vademecum || page.arms[0] || {}).arm, mode: "closed", lineage: "", kind: "", where: "", third: "", verdict: "", text: "", first: 0 };
  const matches = page.el("p", { id: "matches", role: "status" }, "Unpacking…");
  const box = page.el("div", {});
  const fields = page.el("div", { class: "fields", role: "search" });
  let details = null;
  let list = [];

  const fits = (probe, at) => {
    for (const key of ["lineage", "kind", "where", "third"]) if (chosen[key] && probe[key] !== chosen[key]) return false;
    const told = page.outcome(details, chosen.arm, chosen.mode, at);
    if (!told) return false;
    if (chosen.verdict === "lost" ? told.present || !probe.gold : chosen.verdict === "misread" ? !told.present || told.points === 2 : chosen.verdict && page.verdictOf(told) !== chosen.verdict) return false;
    const text = chosen.text.toLowerCase();
    return !text || [probe.question, probe.gold, told.answer, probe.id].some((one) => one.toLowerCase().includes(text));
  };

  const draw = () => {
    list = details.probes.flatMap((probe, at) => (fits(probe, at) ? [at] : []));
    chosen.first = Math.min(chosen.first, Math.max(0, Math.floor((list.length - 1) / ROWS) * ROWS));
    const shown = list.slice(chosen.first, chosen.first + ROWS);
    const told = (at) => page.outcome(details, chosen.arm, chosen.mode, at);
    const open = (at) => page.openProbe(details, chosen.arm, list, list.indexOf(at));
    const turn = (by, text) => page.el("button", { type: "button", disabled: chosen.first + by < 0 || chosen.first + by >= list.length, onclick: () => { chosen.first += by; draw(); matches.scrollIntoView(); box.querySelector(".scroll").focus(); } }, text);
    const columns = [
      ["question", (at) => page.el("button", { type: "button", class: "link wide", onclick: () => open(at) }, details.probes[at].question)],
      ["verdict", (at) => page.verdict(told(at))],
      ["gold", (at) => page.el("code", {}, details.probes[at].gold || "–")],
      ["answer", (at) => page.el("code", {}, told(at).answer || "–")],
      ["kind", (at) => details.probes[at].kind],
      ["where", (at) => details.probes[at].where],
      ["third", (at) => details.probes[at].third],
      ...(page.lineages.length > 1 ? [["lineage", (at) => details.probes[at].lineage]] : []),
    ];
    matches.textContent = list.length ? `${page.count(chosen.first + 1)}–${page.count(chosen.first + shown.length)} of ${page.count(list.length)} probes` : chosen.mode === "search" && !page.armNamed[chosen.arm].search ? "This arm does not search." : "No probe fits these filters.";
    box.replaceChildren(
      shown.length ? page.table(`Probes of ${chosen.arm}, ${page.modeName[chosen.mode]}`, columns, shown) : "",
      list.length > ROWS ? page.el("p", { class: "turn" }, turn(-ROWS, "← back"), turn(ROWS, "more →")) : "",
    );
  };

  const change = (key) => (value) => {
    chosen[key] = value;
    chosen.first = 0;
    draw();
  };
  const drawFields = () => {
    const some = (key) => [["", "all"], ...[...new Set(details.probes.map((probe) => probe[key]))].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).map((name) => [name, name])];
    const verdicts = [["", "all"], ["right", "right"], ["in part", "in part"], ["wrong", "wrong"], ["stale", "stale"], ["lost", "gold not present"], ["misread", "present, not right"]];
    const text = page.el("input", { type: "search", placeholder: "question, gold, answer, id", oninput: (event) => change("text")(event.target.value) });
    text.value = chosen.text;
    fields.replaceChildren(
      page.select("arm", page.arms.map((arm) => [arm.arm, arm.arm]), chosen.arm, change("arm")),
      page.select("answered", page.modes, chosen.mode, change("mode")),
      page.lineages.length > 1 ? page.select("lineage", some("lineage"), chosen.lineage, change("lineage")) : "",
      page.select("kind", some("kind"), chosen.kind, change("kind")),
      page.select("where", some("where"), chosen.where, change("where")),
      page.select("third", some("third"), chosen.third, change("third")),
      page.select("verdict", verdicts, chosen.verdict, change("verdict")),
      page.el("label", { class: "field grow" }, page.el("span", {}, "text"), text),
    );
  };
  const begin = async () => {
    if (details) return;
    try {
      details = await page.details();
      drawFields();
      draw();
    } catch {
      matches.textContent = "This browser cannot unpack the probes; one of 2023 or later can.";
    }
  };

  const section = page.section("probes", "Every probe",
    page.el("p", {}, "What an arm was asked and what came of it. A question opens what the answer was read from, what the search found, and what the other arms said. ", `Excerpts are cut to ${page.count(page.data.cut.excerpt)} characters here.`),
    fields, matches, box);
  page.openArm = async (arm, mode) => {
    Object.assign(chosen, { arm, mode, first: 0 });
    page.choose({ arm });
    section.scrollIntoView();
    section.querySelector("h2").focus();
    await begin();
    drawFields();
    draw();
  };
  section.querySelector("h2").setAttribute("tabindex", "-1");
  new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && begin(), { rootMargin: "600px" }).observe(section);
};
