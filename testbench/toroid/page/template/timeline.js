// SPDX-License-Identifier: Apache-2.0
// What each core did when, on a canvas with a row a core; and the calls that were made.
"use strict";
Toroid.timeline = (() => {
  const {data, byId, unpack, time, unitFor, percent, count, colour, CATEGORY_COLOURS, element, table, bar, legend,
    showTip, fitted, redrawer} = Toroid;
  const lines = data.timeline, end = lines.end_ns || 1;
  // Rows that are shown: all, or those of first cores. Their numbers are those of the data.
  let rows = [];
  const begin = unpack(lines.begin), length = unpack(lines.length), row = unpack(lines.row);
  const category = unpack(lines.category), called = unpack(lines.function);
  const merged = lines.merged && unpack(lines.merged), filled = lines.filled && unpack(lines.filled);
  const canvas = byId("timeline-canvas"), axis = byId("axis-canvas");
  const LABELS = 92, NO_FUNCTION = 65535;
  // Where each row's pieces begin.
  const first = new Uint32Array(lines.rows.length + 1);
  for (const number of row) first[number + 1]++;
  for (let i = 0; i < lines.rows.length; i++) first[i + 1] += first[i];

  const wrong = data.run.where, wrongRanks = new Set(wrong === null ? [] : wrong.ranks);

  let from = 0, to = end, tall = 14;
  // A rank's second core, where it has one of its own, stands behind its first.
  const isSecond = (number) => number > 0 && lines.rows[number - 1][0] === lines.rows[number][0];
  const seconds = lines.rows.some((_, number) => isSecond(number));

  function choose() {
    const all = byId("seconds").checked;
    rows = lines.rows.map(([rank, core, lives], number) => ({
      number, lives, rank, name: `rank ${rank}${isSecond(number) ? `, core ${core}` : ""}`,
    })).filter(({number}) => all || !isSecond(number));
    tall = rows.length <= 24 ? 22 : rows.length <= 160 ? 14 : rows.length <= 600 ? 8 : 5;
    const sums = lines.categories.map((_, i) => rows.reduce((sum, {number}) => sum + lines.times_ns[number][i], 0));
    const together = sums.reduce((sum, value) => sum + value, 0) || 1;
    legend(byId("categories"), lines.categories.map((name, i) => {
      const parts = rows.map(({number}) => lines.times_ns[number][i] /
        (lines.times_ns[number].reduce((sum, value) => sum + value, 0) || 1));
      const [least, most] = parts.reduce(([low, high], part) => [Math.min(low, part), Math.max(high, part)], [1, 0]);
      return [CATEGORY_COLOURS[i], name, percent(sums[i] / together),
              `a row from ${percent(least)} to ${percent(most)} of its time`];
    }));
  }

  // The first piece of a row that ends after a time.
  function firstAfter(number, at) {
    let low = first[number], high = first[number + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begin[middle] + length[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function draw() {
    const [context, width] = fitted(canvas, rows.length * tall);
    const scale = (width - LABELS) / (to - from), x = (at) => LABELS + (at - from) * scale;
    const colours = CATEGORY_COLOURS.map(colour), soft = colour("soft"), bad = colour("bad"), gap = tall > 10 ? 2 : 1;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(13 / tall));
    const box = byId("rows"), top = box.scrollTop, bottom = top + (box.clientHeight || rows.length * tall);
    for (let place = 0; place < rows.length; place++) {
      const y = place * tall, number = rows[place].number;
      if (y + tall < top - 50 || y > bottom + 50) continue;
      const lives = Math.min(rows[place].lives, to);
      if (lives > from) {
        context.fillStyle = colours[0];
        context.fillRect(LABELS, y + gap / 2, x(lives) - LABELS, tall - gap);
      }
      for (let i = firstAfter(number, from); i < first[number + 1] && begin[i] < to; i++) {
        const left = Math.max(LABELS, x(begin[i])), right = Math.min(width, x(begin[i] + length[i]));
        context.fillStyle = colours[category[i]];
        context.globalAlpha = filled ? Math.max(0.25, filled[i]) : 1;
        context.fillRect(left, y + gap / 2, Math.max(0.6, right - left), tall - gap);
      }
      context.globalAlpha = 1;
    }
    context.fillStyle = colour("card");
    context.fillRect(0, 0, LABELS, rows.length * tall);
    context.textAlign = "right";
    for (let place = 0; place < rows.length; place += every) {
      context.fillStyle = wrongRanks.has(rows[place].rank) ? bad : soft;
      context.fillText(rows[place].name, LABELS - 8, Math.max(7, place * tall + tall / 2));
    }
    const frame = Toroid.torus.slice();
    if (frame !== null && frame[1] > from && frame[0] < to) {
      context.strokeStyle = colour("ink");
      context.lineWidth = 1.5;
      const left = Math.max(LABELS, x(frame[0])), right = Math.max(left + 2, Math.min(width - 1, x(frame[1])));
      context.strokeRect(left, 0.75, right - left, rows.length * tall - 1.5);
    }
    if (wrong !== null && wrong.time_ns >= from && wrong.time_ns <= to) {
      context.fillStyle = bad;
      context.fillRect(Math.min(width - 3, Math.max(LABELS, x(wrong.time_ns) - 1.5)), 0, 3, rows.length * tall);
    }
    drawAxis(soft);
  }

  function drawAxis(soft) {
    const [context, width] = fitted(axis, 30);
    const space = width - LABELS, span = to - from;
    const rough = span / Math.max(2, space / 110), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
    const [unit, size] = unitFor(to);
    const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = context.strokeStyle = soft;
    context.textAlign = "center";
    for (let at = Math.ceil(from / step - 1e-9) * step; at <= to; at += step) {
      const x = LABELS + (at - from) / span * space;
      context.fillRect(x, 24, 1, 6);
      const text = `${(at / size).toFixed(digits)} ${unit}`, half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, LABELS + half), width - half - 4), 16);
    }
  }

  function describe(place, at) {
    const {number, lives, name: who} = rows[place];
    if (at > lives) return `${who}\nhas ended`;
    const i = firstAfter(number, at);
    if (i >= first[number + 1] || begin[i] > at) return `${who}: compute\nat ${time(at, at, 6)}`;
    const name = called[i] === NO_FUNCTION ? "" : lines.functions[called[i]];
    const kind = lines.categories[category[i]];
    const many = merged && merged[i] > 1;
    return [
      `${who}: ${name || kind}`,
      many ? `${count(merged[i])} short pieces, mostly ${kind}; ${percent(filled[i])} of the time is theirs` : name && kind,
      `${time(length[i])} from ${time(begin[i], begin[i], 6)}`,
    ].filter(Boolean).join("\n");
  }

  const redraw = redrawer(draw);
  function look(newFrom, newTo) {
    const span = Math.min(end, Math.max(newTo - newFrom, end * 1e-7, 5));
    from = Math.max(0, Math.min(newFrom, end - span));
    to = from + span;
    redraw();
  }
  function zoom(factor, part = 0.5) {
    const at = from + part * (to - from);
    look(at - (at - from) / factor, at + (to - at) / factor);
  }
  const partAt = (event) => {
    const box = canvas.getBoundingClientRect();
    return (event.clientX - box.left - LABELS) / (box.width - LABELS);
  };

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = {x: event.clientX, y: event.clientY, from, to};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held !== null) {
      const moved = (event.clientX - held.x) / (canvas.clientWidth - LABELS) * (held.to - held.from);
      byId("rows").scrollTop -= event.clientY - held.y;
      held.y = event.clientY;
      showTip(event, null);
      look(held.from - moved, held.to - moved);
      return;
    }
    const number = Math.floor((event.clientY - canvas.getBoundingClientRect().top) / tall), part = partAt(event);
    showTip(event, part < 0 || part > 1 || !(number in rows) ? null : describe(number, from + part * (to - from)));
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
  canvas.addEventListener("pointerleave", (event) => showTip(event, null));
  canvas.addEventListener("dblclick", (event) => zoom(3, Math.max(0, partAt(event))));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.003), Math.max(0, partAt(event)));
  }, {passive: false});
  canvas.addEventListener("keydown", (event) => {
    const span = to - from;
    const act = {
      ArrowLeft: () => look(from - span / 10, to - span / 10), ArrowRight: () => look(from + span / 10, to + span / 10),
      "+": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: () => look(0, end),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  byId("time-in").addEventListener("click", () => zoom(2));
  byId("time-out").addEventListener("click", () => zoom(0.5));
  byId("time-fit").addEventListener("click", () => look(0, end));
  byId("rows").addEventListener("scroll", redraw);

  byId("seconds").parentElement.hidden = !seconds;
  byId("seconds").addEventListener("change", () => { choose(); redraw(); });
  choose();
  byId("timeline-lead").textContent = "A row for each rank, as long as it lived: calls, coloured by what they are for, and " +
    "computing and waiting outside of them. A call that others surround is part of the outermost. The parts are those of " +
    "all rows together.";

  const functions = data.calls.functions, unfinished = functions.some((line) => line.unfinished);
  const most = Math.max(1, ...functions.map((line) => line.total_ns));
  table(byId("calls"), ["function", "for", "calls", "ranks", "mean", "longest",
                        ...(unfinished ? ["unfinished"] : []), "together"],
        functions.map((line) => [
          element("code", {}, line.name), line.category === null ? "" : lines.categories[line.category],
          count(line.calls), count(line.ranks), time(line.mean_ns), time(line.max_ns),
          ...(unfinished ? [line.unfinished || ""] : []), bar(time(line.total_ns), line.total_ns / most,
              line.category === null ? "node" : CATEGORY_COLOURS[line.category]),
        ]), "no call was recorded");

  Toroid.torus.onChange(redraw);
  Toroid.onTheme.push(redraw);
  new ResizeObserver(redraw).observe(byId("rows"));
  // It begins with what led to the trouble, and with its rank.
  if (wrong !== null) {
    look(0.6 * wrong.time_ns, Math.max(1.1 * wrong.time_ns, 1));
    draw();  // a scroll bar needs all rows
    byId("rows").scrollTop = rows.findIndex(({rank}) => rank === wrong.ranks[0]) * tall - byId("rows").clientHeight / 2;
  }
  redraw();
  return {view: () => [from, to], describe};
})();
