// SPDX-License-Identifier: Apache-2.0
// What all parts of a page share: its data, numbers as people read them, colours, small pieces of HTML.
"use strict";
const Toroid = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const kinds = {u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array};

  const byId = (id) => document.getElementById(id);

  function unpack(packed) {
    const text = atob(packed.data), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return new kinds[packed.kind](bytes.buffer);
  }

  const grouped = (value) => Math.round(value).toLocaleString("en-US").replace(/,/g, "\u202f");

  function count(value) {
    return value === null || value === undefined ? "–" : grouped(value);
  }

  function figure(value, digits = 4) {
    if (value === null || value === undefined) return "–";
    if (Number.isInteger(value) || Math.abs(value) >= 10 ** (digits - 1)) return grouped(value);
    return Number(value.toPrecision(digits)).toString();
  }

  const UNITS = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]];

  function unitFor(ns) {
    let chosen = UNITS[0];
    for (const unit of UNITS) if (Math.abs(ns) >= unit[1]) chosen = unit;
    return chosen;
  }

  // With the unit that fits, or that of a larger time beside which it is read.
  function time(ns, beside = ns, digits = 4) {
    if (ns === null || ns === undefined) return "–";
    const [name, size] = unitFor(beside);
    return `${figure(ns / size, digits)} ${name}`;
  }

  function bytes(value) {
    if (value === null || value === undefined) return "–";
    for (const [name, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
      if (value >= 10 * size) return `${figure(value / size, 3)} ${name}`;
    }
    return `${grouped(value)} B`;
  }

  function percent(part, digits = 1) {
    if (part === null || part === undefined) return "–";
    if (part > 0 && part < 0.5 * 10 ** (-digits - 2)) return `<${(10 ** -digits).toFixed(digits)} %`;
    return `${(100 * part).toFixed(digits)} %`;
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const CATEGORY_COLOURS = ["compute", "send", "receive", "wait", "collective", "io", "other"];

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function drawing(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // `rows`: lists of texts or nodes. A row with the property `sum` stands under a line.
  function table(target, headings, rows, nothing = "none") {
    target.replaceChildren();
    if (rows.length === 0) {
      target.append(element("tbody", {}, element("tr", {}, element("td", {class: "nothing"}, nothing))));
      return;
    }
    target.append(element("thead", {}, element("tr", {}, ...headings.map((text) => element("th", {}, text)))));
    const body = element("tbody");
    for (const row of rows) {
      const cells = row.map((cell) => element("td", {}, cell));
      body.append(element("tr", {class: row.sum ? "sum" : null}, ...cells));
    }
    target.append(body);
  }

  function bar(text, part, name = "accent") {
    const stripe = element("span", {class: "bar", style: `width:${Math.max(1, 76 * part)}px;background:var(--${name})`});
    return element("span", {}, text, element("span", {class: "track"}, part > 0 ? stripe : ""));
  }

  function legend(target, entries) {
    target.replaceChildren(...entries.map(([name, text, value, title]) => element(
      "span", {title: title}, element("i", {style: `background:var(--${name})`}), text,
      value === undefined ? "" : element("b", {}, value))));
  }

  const tip = byId("tip");
  function showTip(event, text) {
    tip.hidden = text === null;
    if (text === null) return;
    const [first, ...rest] = text.split("\n");
    tip.replaceChildren(element("b", {}, first), rest.length ? "\n" + rest.join("\n") : "");
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - box.width - 6))}px`;
    const below = event.clientY + 18;
    tip.style.top = `${below + box.height > window.innerHeight ? event.clientY - box.height - 10 : below}px`;
  }

  // A canvas as large as its place, sharp on every screen. Returns the context, in CSS pixels, and its size.
  function fitted(canvas, height) {
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, tall = height ?? canvas.clientHeight;
    if (height !== undefined) canvas.style.height = `${height}px`;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(tall * scale)) canvas.height = Math.round(tall * scale);
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, tall);
    return [context, width, tall];
  }

  // Draws at the next frame, however often it is asked for.
  function redrawer(draw) {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; draw(); });
    };
  }

  const onTheme = [];
  function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    for (const call of onTheme) call();
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  setTheme(system.matches);
  system.addEventListener("change", () => setTheme(system.matches));
  byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));

  return {
    data, byId, unpack, count, figure, time, unitFor, bytes, percent, colour, CATEGORY_COLOURS, element, drawing, table,
    bar, legend, showTip, fitted, redrawer, onTheme,
  };
})();
