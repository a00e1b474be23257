// A word that says what it means: by pointer, by tap, by keyboard.
page.term = (name, shown = name) => {
  const id = `term-${name.replace(/\W/g, "-")}`;
  if (!document.getElementById(id)) {
    document.body.append(page.el("div", { id, popover: true, class: "meaning" }, page.el("strong", {}, name), ": ", page.data.terms[name]));
  }
  return page.el("button", { type: "button", class: "term", popovertarget: id, title: page.data.terms[name] }, shown);
};

page.glossary = () => {
  const entries = Object.entries(page.data.terms).map(([name, meaning]) => [page.el("dt", {}, name), page.el("dd", {}, meaning)]);
  page.section("words", "Words", page.el("dl", {}, entries));
};
