// SPDX-License-Identifier: Apache-2.0
// The page of a whole `reproduce`: a section a figure.
"use strict";
{
  const {data, byId, element, table, figure, count, time} = Toroid;
  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.changed.length ? `changed: ${data.changed.join(", ")}` :
    "All figures with the machine's description as it is shipped, or as the file that was given has it.";
  byId("contents").replaceChildren(...data.figures.map(({name}) => element("a", {href: `#${name}`}, name)));

  const deviation = (part) => part === null ? "–" : `${part >= 0 ? "+" : "−"}${Math.abs(100 * part).toFixed(1)} %`;
  const yes = (value) => value === null ? "–" : value ? "yes" : "no";

  function row(line) {
    if (line.unit === "yes/no") return [line.row, "", yes(line.published), yes(line.measured), ""];
    return [line.row, line.unit, figure(line.published), figure(line.measured), deviation(line.deviation)];
  }

  function runLine(run) {
    const ended = run.ended === "completed" ? "" : run.ended;
    return [run.page ? element("a", {href: run.page}, run.name) : element("span", {title: run.why_no_page}, run.name),
            element("code", {}, run.call), run.shape, count(run.ranks), time(run.simulated_ns), count(run.packets),
            run.page ? ended : [ended, run.why_no_page].filter(Boolean).join("; ")];
  }

  byId("figures").replaceChildren(...data.figures.map((found) => {
    const rows = element("table", {class: "numbers"}), runs = element("table", {class: "numbers left"});
    table(rows, ["figure", "unit", "published", "measured", "deviation"], found.rows.map(row), "not measured");
    table(runs, ["run", "program", "shape", "ranks", "simulated time", "packets", ""], found.runs.map(runLine),
          "no run of a program");
    const parts = [element("h2", {}, `${found.name}: ${found.title}`)];
    if (found.error) parts.push(element("pre", {class: "error"}, found.error));
    const beside = element("div", {class: found.plot ? "pair" : null},
                           element("div", {class: "scroll"}, rows));
    if (found.plot) {
      const plot = element("img", {class: "shot", alt: `Plot of ${found.name}`});
      plot.addEventListener("load", () => {  // wide ones stand below
        if (plot.naturalWidth > 2 * plot.naturalHeight) beside.classList.remove("pair");
      });
      plot.src = `data:image/png;base64,${found.plot}`;
      beside.append(element("div", {}, plot));
    }
    parts.push(beside, element("details", found.runs.length <= 8 ? {open: ""} : {},
      element("summary", {}, `${found.runs.length} run${found.runs.length === 1 ? "" : "s"}`),
      element("div", {class: "scroll"}, runs)));
    return element("section", {id: found.name}, ...parts);
  }));
}
