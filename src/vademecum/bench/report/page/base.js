"use strict";
// What every part of the page uses: its data, elements, and how figures are written.
const page = { data: JSON.parse(document.getElementById("summary").textContent) };

page.text = (value) => (value === null || value === undefined ? "–" : String(value));
page.count = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en-US"));
page.percent = (value, digits = 0) =>
  value === null || value === undefined ? "–" : `${(100 * value).toFixed(digits)} %`;
page.span = (cell) => `${(100 * cell.low).toFixed(0)}–${(100 * cell.high).toFixed(0)}`;
page.short = (tokens) =>
  tokens >= 1e6 ? `${+(tokens / 1e6).toFixed(2)}M` : tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(Math.round(tokens));
page.dollars = (value) =>
  value === null || value === undefined ? "–" : `$${value >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(2)}`;

// An element; texts become text nodes, so nothing of a transcript is ever read as markup.
page.el = (name, attributes = {}, ...inside) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) made.style.setProperty(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside.flat(Infinity).filter((one) => one !== null && one !== undefined));
  return made;
};

// A section with a heading, entered in the contents.
page.section = (id, title, ...inside) => {
  const made = page.el("section", { id, "aria-labelledby": `${id}-title` }, page.el("h2", { id: `${id}-title` }, title), inside);
  document.getElementById("main").append(made);
  document.getElementById("contents").append(page.el("a", { href: `#${id}` }, title));
  return made;
};

// A table that scrolls inside its box. Columns: [heading, cell of a row, right-aligned].
page.table = (caption, columns, rows, options = {}) => {
  const head = columns.map(([title, , right]) => page.el("th", { scope: "col", class: right ? "right" : null }, title));
  const body = rows.map((row) =>
    page.el(
      "tr",
      options.row ? options.row(row) : {},
      columns.map(([, cell, right], at) =>
        page.el(at === 0 ? "th" : "td", { scope: at === 0 ? "row" : null, class: right ? "right" : null }, cell(row)),
      ),
    ),
  );
  return page.el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    page.el("table", {}, page.el("caption", {}, caption), page.el("thead", {}, page.el("tr", {}, head)), page.el("tbody", {}, body)),
  );
};

page.folded = (title, ...inside) => page.el("details", {}, page.el("summary", {}, title), inside);

// A select with a label; `change` gets its value.
page.select = (label, values, chosen, change) => {
  const options = values.map(([value, text]) => page.el("option", { value, selected: value === chosen }, text));
  return page.el("label", { class: "field" }, page.el("span", {}, label), page.el("select", { onchange: (event) => change(event.target.value) }, options));
};

// Draws into a box, again whenever its width changes.
page.drawn = (box, draw) => {
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(box.clientWidth);
    if (now > 0 && now !== width) draw((width = now));
  }).observe(box);
  return () => draw(width || Math.floor(box.clientWidth));
};
