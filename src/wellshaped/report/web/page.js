(() => {
  "use strict";
  const root = document.documentElement;
  const all = (what, inside = document) => [...inside.querySelectorAll(what)];
  root.classList.add("js");

  const pick = (lang) => {
    for (const each of all("[data-lang]")) {
      each.hidden = each.dataset.lang !== lang;
      if (!each.hidden) {
        document.title = each.dataset.title;
        root.lang = each.lang;
      }
    }
    for (const each of all("[data-pick]")) {
      each.setAttribute("aria-pressed", String(each.dataset.pick === lang));
    }
  };

  // The same fault in another language stands at the same batch size.
  const move = (fault, place) => {
    for (const slider of all(`[data-sizes="${fault}"]`)) {
      const sizes = slider.closest(".sizes");
      const panels = all(".panel", sizes);
      slider.value = String(place);
      panels.forEach((panel, at) => { panel.hidden = at !== place; });
      const shown = panels[place];
      slider.setAttribute("aria-valuetext", shown.dataset.said);
      sizes.querySelector("output").textContent = `B = ${shown.dataset.size}`;
    }
  };

  const copied = async (source) => {
    const text = source.textContent;
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return document.execCommand("copy");
    }
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.pick) pick(button.dataset.pick);
    if (button.dataset.copy && await copied(document.getElementById(button.dataset.copy))) {
      const status = button.parentElement.querySelector("[data-done]");
      status.textContent = status.dataset.done;
      setTimeout(() => { status.textContent = ""; }, 4000);
    }
  });
  document.addEventListener("input", (event) => {
    const fault = event.target.dataset.sizes;
    if (fault !== undefined) move(fault, Number(event.target.value));
  });
  for (const slider of all("[data-sizes]")) move(slider.dataset.sizes, Number(slider.value));
})();
