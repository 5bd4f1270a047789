// SPDX-License-Identifier: Apache-2.0
// Head, summary and notes.
"use strict";
{
  const {data, byId, element, figure, percent} = Toroid;
  const run = data.run;
  byId("title").textContent = run.program;
  byId("subtitle").textContent = run.subtitle;
  const status = byId("status");
  status.textContent = run.ended_text;
  status.classList.toggle("bad", run.trouble.length > 0);
  if (run.trouble.length) {
    byId("trouble").hidden = false;
    byId("trouble-text").textContent = run.trouble.join("\n");
  }
  byId("tiles").replaceChildren(...run.figures.map(({name, unit, value}) => {
    const text = value === null ? "–" : unit === "fraction" ? percent(value, 2) :
      figure(value) + (unit === "count" ? "" : ` ${unit === "us" ? "µs" : unit}`);
    return element("div", {class: "tile", "data-figure": name, "data-value": value}, element("b", {}, text),
                   element("span", {}, name));
  }));
  byId("configuration").append(...run.configuration.map(([name, value]) => element(
    "tr", {}, element("th", {}, name), element("td", {}, value))));
  const notes = data.notes;
  byId("note-list").replaceChildren(...notes.map((text) => element("li", {}, text)));
  byId("notes").hidden = notes.length === 0;
  byId("contents").replaceChildren(...[...document.querySelectorAll("section[data-name]")]
    .filter((section) => !section.hidden)
    .map((section) => element("a", {href: `#${section.id}`}, section.dataset.name)));
}
