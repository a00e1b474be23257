// The probes: kept compressed, unpacked when somebody first looks.
const PRESENT = 4;
const STALE = 8;
page.unpacked = null;
page.details = () => {
  page.unpacked ??= (async () => {
    const packed = Uint8Array.from(atob(document.getElementById("details").textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  })();
  return page.unpacked;
};

// What an arm made of a probe: null where it was not asked that way.
page.outcome = (details, arm, mode, at) => {
  const told = details.arms[arm] && details.arms[arm][mode][at];
  if (!told) return null;
  const [bits, answer, evidence] = told;
  return { points: bits & 3, present: Boolean(bits & PRESENT), stale: Boolean(bits & STALE), answer: details.texts[answer], evidence: details.texts[evidence] };
};
// What a model answered to a probe, a row for each replicate: null where it was not asked.
page.said = (details, arm, mode, at) => {
  const rows = details.models[arm] && details.models[arm][mode] && details.models[arm][mode][at];
  return rows ? rows.map(([points, judge, answer, query]) => ({ points, judge, answer: details.texts[answer], query: details.texts[query], present: true, stale: false })) : null;
};
page.verdictOf = (outcome) => (outcome.points < 0 ? "unread" : outcome.points === 2 ? "right" : outcome.points === 1 ? "in part" : outcome.stale ? "stale" : "wrong");
page.verdict = (outcome) => {
  const name = page.verdictOf(outcome);
  return page.el("span", { class: `verdict ${name.replace(" ", "-")}` }, name);
};

// A text with every occurrence of some strings marked: [string, class].
page.marked = (text, marks) => {
  const wanted = marks.filter(([what]) => what);
  const found = [];
  for (let at = 0; at < text.length; ) {
    const next = wanted.map(([what, kind]) => [text.indexOf(what, at), what, kind]).filter(([spot]) => spot >= 0).sort((a, b) => a[0] - b[0] || b[1].length - a[1].length)[0];
    if (!next) {
      found.push(text.slice(at));
      break;
    }
    found.push(text.slice(at, next[0]), page.el("mark", { class: next[2] }, next[1]));
    at = next[0] + next[1].length;
  }
  return found;
};
