// A small box beside a point, for pointer and keyboard.
page.tip = (element, lines) => {
  const tip = document.getElementById("tip");
  const show = () => {
    tip.replaceChildren(...lines.map((line, at) => page.el(at ? "div" : "strong", {}, line)));
    tip.hidden = false;
    const spot = element.getBoundingClientRect();
    const left = Math.min(Math.max(8, spot.left + spot.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
    const above = spot.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 4 ? above : spot.bottom + 8}px`;
  };
  const hide = () => (tip.hidden = true);
  element.addEventListener("pointerenter", show);
  element.addEventListener("focus", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("blur", hide);
};

// Makes a drawn point a button; `act` is told whether a pointer pressed it.
page.button = (element, label, act) => {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", label);
  element.addEventListener("click", () => act(true));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act(false);
    }
  });
};
