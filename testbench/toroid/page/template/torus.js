// SPDX-License-Identifier: Apache-2.0
// The torus in space, its links coloured by load. Projection and depth are done here: a canvas is all it needs.
"use strict";
Toroid.torus = (() => {
  const {data, byId, unpack, time, percent, count, bytes, colour, element, table, showTip, fitted, redrawer} = Toroid;
  const torus = data.torus, shape = torus.shape, dimensions = shape.length;
  const nodes = shape.reduce((product, extent) => product * extent, 1);
  const loads = unpack(torus.loads), bins = torus.bins, FULL = 65535;
  const canvas = byId("torus-canvas"), slider = byId("slice");
  const NAMES = torus.dimensions;
  const STUB = 0.42;  // how far the end of a link that closes a ring is drawn
  const AWAY = 5;  // the eye, in radii of the machine
  // Where a step leads: in the three dimensions that are the axes; in others, whose nodes stand beside each other.
  const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, -1]], BESIDE = [[0.22, 0.12, 0], [0, 0.12, -0.22]];
  // Dimensions that are axes: at first the longest, in their order.
  const axisOf = shape.map((_, i) => i).sort((one, other) => shape[other] - shape[one] || one - other).slice(0, 3)
    .sort((one, other) => one - other);
  let basis = [];
  // Dark to bright on a dark ground, bright to dark on a light one: readable without telling hues apart.
  const RAMPS = {
    dark: ["#5b3a8c", "#8f3f97", "#c43c75", "#ef6a3a", "#fbb32f", "#fdf3a0"],
    light: ["#f3c94f", "#f49a2b", "#e2582f", "#b42c62", "#74217a", "#2b0a4f"],
  };

  let slice = 0, whole = false, playing = false;
  let yaw = 0, pitch = 0, zoom = 1, shift = [0, 0], pointed = null;
  const plane = new Array(dimensions).fill(null);
  const wrong = data.run.where, wrongNodes = new Set(wrong === null ? [] : wrong.nodes);

  const coordinates = (node) => shape.map((extent) => {
    const at = node % extent;
    node = Math.floor(node / extent);
    return at;
  });
  const numberOf = (at) => at.reduceRight((number, value, i) => number * shape[i] + value, 0);
  const direction = (number) => NAMES[number >> 1] + "+-"[number & 1];

  const coordinatesOf = Array.from({length: nodes}, (_, node) => coordinates(node));
  // Many nodes in one line stand in a circle, which is open where the line is.
  const line = shape.findIndex((extent) => extent === nodes);
  const circle = line >= 0 && nodes > 12;

  // Every link of the machine, also such that carried nothing.
  const links = [], busyOf = new Map();
  torus.node.forEach((node, i) => busyOf.set(node * 16 + torus.direction[i], i));
  for (let node = 0; node < nodes; node++) {
    for (let way = 0; way < 2 * dimensions; way++) {
      const dimension = way >> 1, step = way & 1 ? -1 : 1, extent = shape[dimension];
      const next = coordinatesOf[node][dimension] + step, beyond = next < 0 || next >= extent;
      if (extent === 1 || (beyond && !torus.wrap[dimension])) continue;
      const at = [...coordinatesOf[node]];
      at[dimension] = (next + extent) % extent;
      links.push({node, way, to: numberOf(at), row: busyOf.get(node * 16 + way) ?? null, closes: beyond && !circle});
    }
  }

  // Where nodes stand, about the middle; those that may lie outermost, with the short ends of links; and how far.
  let places = [], corners = [], radius = 1;
  function lay() {
    let beside = 0;
    basis = shape.map((_, i) => axisOf.includes(i) ? AXES[axisOf.indexOf(i)] : BESIDE[beside++ % BESIDE.length]);
    places = coordinatesOf.map((at, node) => {
      const place = [0, 0, 0];
      if (circle) {
        const angle = 2 * Math.PI * (node + (torus.wrap[line] ? 0 : 1)) / (nodes + (torus.wrap[line] ? 0 : 1));
        place[0] = nodes / 2 / Math.PI * Math.sin(angle);
        place[1] = nodes / 2 / Math.PI * Math.cos(angle);
      } else at.forEach((value, i) => basis[i].forEach((step, axis) => { place[axis] += step * (value - (shape[i] - 1) / 2); }));
      return place;
    });
    corners = places.filter((_, node) => coordinatesOf[node].every((at, i) => at === 0 || at === shape[i] - 1))
      .concat(circle ? places : []).map((place) => place.map((value) => value + STUB * Math.sign(value)));
    radius = Math.max(0.9, ...places.map((place) => Math.hypot(...place))) + STUB;
    for (const link of links) {
      const step = link.way & 1 ? -1 : 1;
      link.end = !link.closes ? places[link.to] :
        basis[link.way >> 1].map((value, axis) => places[link.node][axis] + step * STUB * value);
    }
  }
  lay();
  // Links into a ring's last node arrive on its other side: a short end there as well.
  const arrival = (link) => basis[link.way >> 1].map(
    (value, axis) => places[link.to][axis] - (link.way & 1 ? -1 : 1) * STUB * value);

  let highest = 0;
  for (const load of loads) if (load > highest) highest = load;
  highest /= FULL;
  const highestWhole = Math.max(0, ...torus.busy);
  const limit = () => (whole ? highestWhole : highest) || 1;

  function load(link) {
    if (link.row === null) return 0;
    return whole ? torus.busy[link.row] : loads[link.row * bins + slice] / FULL;
  }

  function ramp(part) {
    const stops = RAMPS[document.documentElement.dataset.theme];
    const at = Math.min(0.9999, Math.max(0, part)) * (stops.length - 1), low = Math.floor(at), rest = at - low;
    const channel = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
    const mixed = [0, 1, 2].map((i) => Math.round(channel(stops[low], i) * (1 - rest) + channel(stops[low + 1], i) * rest));
    return `rgb(${mixed})`;
  }

  const shown = (node) => plane.every((value, i) => value === null || coordinatesOf[node][i] === value);

  function projector(width, height) {
    const cosY = Math.cos(yaw), sinY = Math.sin(yaw), cosP = Math.cos(pitch), sinP = Math.sin(pitch);
    const away = AWAY * radius;
    const flat = ([x, y, z], size) => {
      const turned = x * cosY + z * sinY, deep = z * cosY - x * sinY;
      const up = y * cosP - deep * sinP, depth = y * sinP + deep * cosP;
      const near = away / (away + depth);
      return [width / 2 + shift[0] + size * turned * near, height / 2 + shift[1] - size * up * near, depth, near];
    };
    const size = zoom * fit(width, height);
    return (place) => flat(place, size);
  }

  // Pixels of a step between nodes, so that the machine fills the canvas as it is seen at first.
  function fit(width, height) {
    let wide = 0.5, tall = 0.5;
    const [turn, tilt] = standard();
    for (const corner of corners) {
      const [x, y, z] = corner;
      const turned = x * Math.cos(turn) + z * Math.sin(turn), deep = z * Math.cos(turn) - x * Math.sin(turn);
      const depth = y * Math.sin(tilt) + deep * Math.cos(tilt), near = AWAY * radius / (AWAY * radius + depth);
      wide = Math.max(wide, Math.abs(turned) * near);
      tall = Math.max(tall, Math.abs(y * Math.cos(tilt) - deep * Math.sin(tilt)) * near);
    }
    return Math.min(0.46 * width / wide, 0.47 * height / tall, 150);
  }

  let onScreen = {links: [], nodes: []};
  function draw() {
    const [context, width, height] = fitted(canvas);
    const project = projector(width, height);
    const dots = places.map(project);
    const apart = Math.max(circle ? 2 : 0.8, Math.min(3.6, zoom * fit(width, height) / 26));
    const pieces = [];
    const idle = byId("idle").checked, most = limit();
    for (const link of links) {
      const value = load(link);
      if (!shown(link.node) || !shown(link.to) || (!idle && value === 0 && link !== pointed)) continue;
      const a = dots[link.node], b = link.closes ? project(link.end) : dots[link.to];
      pieces.push({link, value, a, b, depth: (a[2] + b[2]) / 2});
      if (link.closes) {
        const from = project(arrival(link));
        pieces.push({link, value, a: from, b: dots[link.to], depth: (from[2] + dots[link.to][2]) / 2});
      }
    }
    for (let node = 0; node < nodes; node++) {
      if (shown(node)) pieces.push({node, at: dots[node], depth: dots[node][2] - 0.3});
    }
    pieces.sort((one, other) => other.depth - one.depth);
    const idleColour = colour("idle"), nodeColour = colour("node"), badColour = colour("bad"), accent = colour("accent"), ink = colour("ink");
    const step = zoom * fit(width, height);  // pixels between neighbours
    const dot = Math.max(circle ? 3 : 1.5, Math.min(8, step / 13));
    const thick = Math.max(circle ? 0.8 : 0.45, Math.min(1.4, step / 60));
    onScreen = {links: [], nodes: []};
    context.lineCap = "round";
    for (const piece of pieces) {
      if (piece.node !== undefined) {
        const [x, y, , near] = piece.at;
        context.beginPath();
        context.arc(x, y, dot * near * (pointed?.node === piece.node && pointed.way === undefined ? 1.5 : 1), 0, 7);
        context.fillStyle = pointed?.node === piece.node && pointed.way === undefined ? accent : nodeColour;
        context.fill();
        if (wrongNodes.has(piece.node)) {
          context.beginPath();
          context.arc(x, y, dot * near + 3.5, 0, 7);
          context.strokeStyle = badColour;
          context.lineWidth = piece.node === wrong.nodes[0] ? 3 : 1.5;
          context.stroke();
        }
        onScreen.nodes.push({node: piece.node, x, y, size: dot * near});
        continue;
      }
      // Both ways side by side, each on its right hand.
      const {link, value} = piece;
      let [x0, y0, , near] = piece.a, [x1, y1] = piece.b;
      const long = Math.hypot(x1 - x0, y1 - y0) || 1, side = apart * near;
      const dx = -(y1 - y0) / long * side, dy = (x1 - x0) / long * side;
      x0 += dx, y0 += dy, x1 += dx, y1 += dy;
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      const part = value / most;
      const isPointed = link === pointed;
      if (isPointed) {
        context.strokeStyle = ink;
        context.lineWidth = 8;
        context.stroke();
      }
      context.strokeStyle = value === 0 ? idleColour : ramp(part);
      context.lineWidth = (value === 0 ? 1 : 1.4 + 2.4 * part) * near * thick * (isPointed ? 1.6 : 1);
      context.stroke();
      onScreen.links.push({link, x0, y0, x1, y1});
    }
    name(context, width, badColour);
    axes(context, height, project);
  }

  // The node where the run went wrong first has its name beside it.
  function name(context, width, ink) {
    const at = onScreen.nodes.find(({node}) => wrong !== null && node === wrong.nodes[0]);
    if (!at) return;
    const text = `rank ${wrong.ranks[0]} ${nodeName(at.node)}`;
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "middle";
    const long = context.measureText(text).width, right = at.x + at.size + 9;
    const x = right + long + 8 < width ? right : Math.max(4, at.x - at.size - 9 - long);
    const y = at.y < 40 ? at.y + 20 : at.y - 20;  // not on a link
    context.fillStyle = colour("card");
    context.fillRect(x - 3, y - 10, long + 6, 20);
    context.fillStyle = ink;
    context.fillText(text, x, y);
  }

  function axes(context, height, project) {
    if (circle) return;
    const middle = project([0, 0, 0]);
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = context.strokeStyle = colour("soft");
    context.lineWidth = 1.5;
    for (const i of axisOf) {
      const end = project(basis[i].map((value) => value * radius / 3));
      const dx = end[0] - middle[0], dy = end[1] - middle[1], long = Math.max(Math.hypot(dx, dy), 1e-6);
      const scale = Math.min(1, 34 / Math.max(...AXES.map((axis) => {
        const tip = project(axis.map((value) => value * radius / 3));
        return Math.hypot(tip[0] - middle[0], tip[1] - middle[1]);
      })));
      const x = 48 + dx * scale, y = height - 48 + dy * scale;
      context.beginPath();
      context.moveTo(48, height - 48);
      context.lineTo(x, y);
      context.stroke();
      context.fillText(NAMES[i], x + 9 * dx / long, y + 9 * dy / long);
    }
  }

  const nodeName = (node) => `(${coordinatesOf[node].join(", ")})`;

  function describe(what) {
    if (what.way === undefined) {
      const own = links.filter((link) => link.node === what.node && link.row !== null);
      const rank = torus.ranks[what.node];
      return [
        `node ${nodeName(what.node)}`,
        rank.length === 0 ? "no rank" : `rank${rank.length > 1 ? "s" : ""} ${rank.join(" and ")}`,
        `injected ${count(torus.injected[what.node])}, received ${count(torus.received[what.node])} packets`,
        ...own.map((link) => `${direction(link.way)}: ${percent(load(link))}`),
      ].join("\n");
    }
    const row = what.row, lines = [`${nodeName(what.node)} ${direction(what.way)} to ${nodeName(what.to)}`];
    if (row === null) return [...lines, "carried nothing"].join("\n");
    if (!whole) lines.push(`load in this slice: ${percent(loads[row * bins + slice] / FULL)}`);
    lines.push(`load of the whole run: ${percent(torus.busy[row], 2)}`,
               `${count(torus.packets[row])} packets, ${bytes(torus.bytes[row])}`);
    if (torus.retransmissions[row]) lines.push(`${count(torus.retransmissions[row])} sent again`);
    return lines.join("\n");
  }

  function at(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = null, distance = 7;
    for (const piece of onScreen.links) {
      const dx = piece.x1 - piece.x0, dy = piece.y1 - piece.y0, long = dx * dx + dy * dy || 1;
      const part = Math.max(0, Math.min(1, ((x - piece.x0) * dx + (y - piece.y0) * dy) / long));
      const far = Math.hypot(x - piece.x0 - part * dx, y - piece.y0 - part * dy);
      if (far <= distance) [best, distance] = [piece.link, far];
    }
    for (const dot of onScreen.nodes) {
      const far = Math.hypot(x - dot.x, y - dot.y);
      if (far <= dot.size + 2) [best, distance] = [{node: dot.node}, -1];
    }
    return best;
  }

  const redraw = redrawer(draw);
  const same = (one, other) => one?.node === other?.node && one?.way === other?.way;

  function point(what, event) {
    if (!same(what, pointed)) {
      pointed = what;
      redraw();
    }
    if (event) showTip(event, what === null ? null : describe(what));
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = {x: event.clientX, y: event.clientY, moves: event.shiftKey || event.button !== 0};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) {
      point(at(event), event);
      return;
    }
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (held.moves) shift = [shift[0] + dx, shift[1] + dy];
    else [yaw, pitch] = [yaw + dx * 0.008, Math.max(-1.5, Math.min(1.5, pitch - dy * 0.008))];
    [held.x, held.y] = [event.clientX, event.clientY];
    showTip(event, null);
    redraw();
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = null; });
  canvas.addEventListener("pointerleave", (event) => point(null, event));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  const nearer = (factor) => { zoom = Math.max(0.3, Math.min(30, zoom * factor)); redraw(); };
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    nearer(Math.exp(-event.deltaY * 0.002));
  }, {passive: false});
  canvas.addEventListener("keydown", (event) => {
    const turns = {ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08]}[event.key];
    if (!turns) return;
    event.preventDefault();
    [yaw, pitch] = [yaw + turns[0], pitch + turns[1]];
    redraw();
  });
  byId("torus-in").addEventListener("click", () => nearer(1.3));
  byId("torus-out").addEventListener("click", () => nearer(1 / 1.3));
  byId("torus-fit").addEventListener("click", () => {
    [yaw, pitch, zoom, shift] = [...standard(), 1, [0, 0]];
    redraw();
  });
  // Flat shapes are seen from the front.
  function standard() {
    const wide = axisOf.map((dimension, axis) => shape[dimension] > 1 ? axis : -1).filter((axis) => axis >= 0);
    if (circle) return [0, 0];
    if (wide.length > 2) return [0.56, -0.42];
    if (wide.includes(2)) return wide.includes(0) ? [0, -1.1] : [Math.PI / 2, -0.12];
    return [0, -0.12];
  }
  [yaw, pitch] = standard();

  function showBusiest() {
    const loaded = links.filter((link) => link.row !== null && shown(link.node) && shown(link.to))
      .map((link) => [link, load(link)]).filter(([, value]) => value > 0)
      .sort((one, other) => other[1] - one[1]).slice(0, 10);
    table(byId("busiest"), ["link", "load"], loaded.map(([link, value]) => [
      `${nodeName(link.node)} ${direction(link.way)}`, Toroid.bar(percent(value), value / limit()),
    ]), "nothing was on a link");
    [...byId("busiest").querySelectorAll("tbody tr")].forEach((row, i) => {
      if (!loaded[i]) return;
      row.addEventListener("pointerenter", () => point(loaded[i][0]));
      row.addEventListener("pointerleave", () => point(null));
    });
  }

  function showScale() {
    const stops = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => ramp(part)).join(",");
    byId("scale").replaceChildren(
      element("div", {class: "ends"}, element("span", {}, "load of a link")),
      element("div", {class: "ramp", style: `background:linear-gradient(90deg,${stops})`}),
      element("div", {class: "ends"}, element("span", {}, "0"), element("span", {}, percent(limit()))));
  }

  const changed = [];
  function update() {
    slider.value = slice;
    slider.disabled = whole;
    const width = torus.end_ns / bins;
    byId("slice-text").textContent = whole ? `0 to ${time(torus.end_ns)}` :
      `${time(slice * width, (slice + 1) * width)} to ${time((slice + 1) * width)} (${slice + 1} of ${bins})`;
    byId("busiest-title").textContent = whole ? "Busiest links of the run" : "Busiest links in this slice";
    showScale();
    showBusiest();
    redraw();
    for (const call of changed) call();
  }

  slider.max = bins - 1;
  slider.addEventListener("input", () => { slice = Number(slider.value); update(); });
  byId("whole").addEventListener("change", (event) => { whole = event.target.checked; stop(); update(); });
  byId("idle").addEventListener("change", redraw);
  function stop() {
    playing = false;
    byId("play").textContent = "▶ Play";
  }
  function step() {
    if (!playing) return;
    slice = (slice + 1) % bins;
    update();
    setTimeout(step, Math.max(40, 12000 / bins));
  }
  byId("play").addEventListener("click", () => {
    if (playing) return stop();
    playing = true;
    whole = byId("whole").checked = false;
    byId("play").textContent = "❚❚ Pause";
    step();
  });
  // Of more than three dimensions, which ones are the axes; one that is chosen twice changes places.
  const axisChoices = dimensions > 3 ? axisOf.map((_, axis) => {
    const choice = element("select", {"aria-label": `Axis ${axis + 1}`},
                           ...shape.map((_, i) => element("option", {value: i}, NAMES[i])));
    choice.addEventListener("change", () => {
      const chosen = Number(choice.value), other = axisOf.indexOf(chosen);
      if (other >= 0) axisOf[other] = axisOf[axis];
      axisOf[axis] = chosen;
      showAxes();
      lay();
      byId("torus-fit").click();
    });
    return choice;
  }) : [];
  function showAxes() {
    axisChoices.forEach((choice, axis) => { choice.value = axisOf[axis]; });
  }
  showAxes();
  const chooseAxes = axisChoices.length ? [element("label", {}, "axes ", ...axisChoices)] : [];
  byId("planes").replaceChildren(...chooseAxes, ...shape.map((extent, i) => {
    const choice = element("select", {"aria-label": `Plane of ${NAMES[i]}`}, element("option", {value: ""}, "all"),
                           ...Array.from({length: extent}, (_, value) => element("option", {value}, String(value))));
    choice.addEventListener("change", () => {
      plane[i] = choice.value === "" ? null : Number(choice.value);
      update();
    });
    return element("label", {hidden: extent === 1 ? "" : null}, `${NAMES[i]} `, choice);
  }));

  // It begins where the run went wrong, or else where most is on the links.
  const sums = new Float64Array(bins);
  loads.forEach((value, i) => { sums[i % bins] += value; });
  slice = wrong === null ? sums.reduce((best, value, i) => value > sums[best] ? i : best, 0) :
    Math.min(bins - 1, Math.floor(wrong.time_ns / torus.end_ns * bins));
  Toroid.onTheme.push(() => { showScale(); redraw(); });
  new ResizeObserver(redraw).observe(canvas);
  update();
  return {
    slice: () => whole ? null : [slice * torus.end_ns / bins, (slice + 1) * torus.end_ns / bins],
    onChange: (call) => changed.push(call),
    onScreen: () => onScreen,  // for tests
    load,
  };
})();
