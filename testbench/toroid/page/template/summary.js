// SPDX-License-Identifier: Apache-2.0
// Head, summary and notes.
"use strict";
{
  const {data, byId, element, time} = Toroid;
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
  if (run.where !== null) {
    const [rank] = run.where.ranks, more = run.where.ranks.length - 1;
    const who = rank === undefined ? "" : ` at rank ${rank}${more > 0 ? ` and ${more} more` : ""}`;
    byId("trouble-where").hidden = false;
    byId("trouble-where").append(`Shown below is what happened${who} at ${time(run.where.time_ns)}: in the `,
      element("a", {href: "#torus"}, "torus"), " and in the ", element("a", {href: "#timeline"}, "timeline"), ".");
  }
  const marked = ({name, value}) => ({"data-figure": name, "data-value": value});
  const zero = run.figures.filter(({value}) => value === 0);
  byId("tiles").replaceChildren(...run.figures.filter(({value}) => value !== 0).map((figure) => element(
    "div", {class: "tile", ...marked(figure)}, element("b", {}, figure.text), element("span", {}, figure.name))));
  byId("zero").hidden = zero.length === 0;
  byId("zero").replaceChildren("Zero: ", ...zero.flatMap((figure, i) => [
    i ? "; " : "", element("span", marked(figure), figure.name)]), ".");
  byId("configuration").append(...run.configuration.map(([name, value]) => element(
    "tr", {}, element("th", {}, name), element("td", {}, value))));
  const notes = data.notes;
  byId("note-list").replaceChildren(...notes.map((text) => element("li", {}, text)));
  byId("notes").hidden = notes.length === 0;
  byId("dma").hidden = data.dma === null;
  if (data.dma !== null) byId("dma-title").textContent = byId("dma").dataset.name = data.dma.title;
  byId("contents").replaceChildren(...[...document.querySelectorAll("section[data-name]")]
    .filter((section) => !section.hidden)
    .map((section) => element("a", {href: `#${section.id}`}, section.dataset.name)));
}
