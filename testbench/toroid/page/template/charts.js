// SPDX-License-Identifier: Apache-2.0
// Latencies, protocols, tree: drawings and tables.
"use strict";
{
  const {data, byId, count, time, bytes, percent, element, drawing, table, bar, legend, redrawer,
    showTip} = Toroid;
  const LEFT = 66, TOP = 12, BOTTOM = 44, TICK = 84;  // pixels, the last one between labels along the side

  // Draws for the width that there is, and again if it changes. `draw` takes the picture, its width, and what maps a
  // number of packets to a height.
  function chart(target, {height, most, label, across, up}, draw) {
    let drawn = 0;
    const paint = () => {
      const width = Math.max(260, target.clientWidth);
      if (width === drawn) return;
      drawn = width;
      const picture = drawing("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label});
      const tall = (number) => number / most * (height - BOTTOM - TOP);
      const step = stepOf(most, 4);
      for (let value = 0; value <= most; value += step) {
        const y = height - BOTTOM - tall(value);
        picture.append(drawing("line", {class: "grid", x1: LEFT, x2: width, y1: y, y2: y}),
                       drawing("text", {x: LEFT - 8, y: y + 4, "text-anchor": "end"}, count(value)));
      }
      const middle = (height - BOTTOM + TOP) / 2;
      picture.append(
        drawing("text", {class: "across", x: (LEFT + width) / 2, y: height - 4, "text-anchor": "middle"}, across),
        drawing("text", {class: "up", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})`}, up));
      draw(picture, width, tall);
      target.replaceChildren(picture);
    };
    new ResizeObserver(redrawer(paint)).observe(target);
    paint();
  }

  // 1, 2 or 5 times a power of ten, so that there are at most about so many steps; whole where they count something.
  function stepOf(most, steps, least = 1) {
    const rough = most / steps, power = 10 ** Math.floor(Math.log10(Math.max(rough, least)));
    return Math.max(least, [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough * 0.999));
  }

  function hover(shape, text) {
    shape.addEventListener("pointermove", (event) => showTip(event, text));
    shape.addEventListener("pointerleave", (event) => showTip(event, null));
    return shape;
  }

  // Latencies -----------------------------------------------------------------------------------------------------------

  const latency = data.latency, causes = Object.keys(latency.causes);
  byId("latency-lead").textContent = latency.packets === 0 ? "No packet went over the torus." :
    `From the last quad's writing into the injection FIFO to the last byte's being in the reception FIFO, of ` +
    `${count(latency.packets)} packets. Each bar is divided as its packets' time is.`;
  if (latency.packets === 0) {
    byId("histogram").replaceChildren(element("p", {class: "nothing"}, "nothing to show"));
    table(byId("latency-table"), [], [], "no packets");
    table(byId("hops-table"), [], [], "no packets");
  } else {
    const share = (name) => percent(latency.table[name].mean / latency.table.total.mean);
    legend(byId("causes"), causes.map((name) => [name, name, share(name), latency.causes[name]]));
    const height = 264, most = Math.max(...latency.counts), edges = latency.edges_ns, bars = latency.counts.length;
    const texts = {label: "Packets by latency", across: "latency of a packet", up: "packets"};
    chart(byId("histogram"), {height, most, ...texts}, (picture, width, tall) => latency.counts.forEach((number, i) => {
      const step = (width - LEFT) / bars, x = LEFT + i * step, labelled = Math.max(1, Math.ceil(TICK / step));
      let y = height - BOTTOM;
      for (const name of [...causes].reverse()) {
        const part = tall(number) * latency.shares[name][i];
        y -= part;
        picture.append(drawing("rect", {x: x + 1, y, width: Math.max(1, step - 2), height: Math.max(0, part), style: `fill:var(--${name})`}));
      }
      if (i % labelled === 0) {
        picture.append(drawing("text", {x, y: height - BOTTOM + 17, "text-anchor": "middle"}, time(edges[i], edges[i], 3)));
      }
      const parts = causes.map((name) => `${name}: ${percent(latency.shares[name][i])}`);
      const title = `${count(number)} packets of ${time(edges[i], edges[i], 3)} to ${time(edges[i + 1], edges[i + 1], 3)}`;
      picture.append(hover(drawing("rect", {class: "hit", x, y: 0, width: step, height: height - BOTTOM}),
                           number ? [title, ...parts].join("\n") : title));
    }));
    const line = (name, text) => {
      const numbers = latency.table[name];
      return [text, ...["mean", "median", "p95", "p99", "max"].map((key) => time(numbers[key]))];
    };
    const named = (name) => element("span", {class: "whole", title: latency.causes[name]},
                                    element("i", {class: "swatch", style: `background:var(--${name})`}), name);
    const lines = causes.map((name) => line(name, named(name)));
    lines.push(Object.assign(line("total", "together"), {sum: true}));
    if (latency.table.unread) lines.push(line("unread", "then until read"));
    table(byId("latency-table"), ["cause", "mean", "median", "95 %", "99 %", "longest"], lines);
    table(byId("hops-table"), ["links", "packets", ...causes, "together"], latency.by_hops.map((line) => [
      String(line.distance), count(line.packets), ...causes.map((name) => time(line[name])), time(line.total)]));
  }

  // Protocols -----------------------------------------------------------------------------------------------------------

  const {shares, message_layer: layered, two_processes: two} = data.protocols;
  byId("protocols-lead").textContent = (layered ? "What was written to the injection FIFOs, by the protocol that the " +
    "packets' headers tell. Bytes of messages are those that the program sends, bytes of packets have headers and " +
    "padding." : "The program does not use the message layer, or had not begun to: its packets' headers are its own.") +
    (two ? " What the two processes of a node send to each other goes through their memory and is not here." : "");
  const sum = (key) => shares.reduce((total, share) => total + (share[key] ?? 0), 0);
  const packets = sum("packets") || 1, wire = sum("wire_bytes") || 1;
  const messages = Math.max(1, ...shares.map((share) => share.messages ?? 0));
  const lines = shares.map((share) => [
    share.protocol, share.messages === null ? "–" : bar(count(share.messages), share.messages / messages),
    share.bytes === null ? "–" : (share.padded ? "≤ " : "") + bytes(share.bytes), count(share.packets),
    percent(share.packets / packets), bar(bytes(share.wire_bytes), share.wire_bytes / wire),
  ]);
  if (lines.length) {
    lines.push(Object.assign(["together", "", "", count(sum("packets")), "", bytes(sum("wire_bytes"))], {sum: true}));
  }
  table(byId("protocol-table"), ["protocol", "messages", "their bytes", "packets", "of all", "bytes of packets"], lines,
        "no packet was written");

  // Tree and I/O --------------------------------------------------------------------------------------------------------

  const tree = data.tree;
  byId("tree-lead").textContent = `Of programs ${count(tree.injected)} packets were injected and ${count(tree.delivered)} ` +
    `delivered; ${count(tree.combined)} times two became one. Kernels and I/O nodes sent ${count(tree.io_packets)}. All ` +
    `made ${count(tree.packet_hops)} hops.`;
  legend(byId("tree-legend"), [["collective", "programs"], ["io", "kernels and I/O nodes"]]);
  {
    const height = 190, most = Math.max(1, ...tree.programs.map((number, i) => number + tree.kernels[i]));
    const texts = {label: "Packets of the tree over time", across: "simulated time", up: "packets injected"};
    const slice = tree.end_ns / tree.bins;
    chart(byId("tree-chart"), {height, most, ...texts}, (picture, width, tall) => {
      const step = (width - LEFT) / tree.bins, marks = stepOf(tree.end_ns, (width - LEFT) / TICK, 1e-3);
      for (let i = 0; i < tree.bins; i++) {
        let y = height - BOTTOM;
        for (const [name, number] of [["collective", tree.programs[i]], ["io", tree.kernels[i]]]) {
          y -= tall(number);
          if (number > 0) picture.append(drawing("rect", {x: LEFT + i * step, y, width: Math.max(1, step - 1), height: tall(number), style: `fill:var(--${name})`}));
        }
        picture.append(hover(drawing("rect", {class: "hit", x: LEFT + i * step, y: 0, width: step, height: height - BOTTOM}),
          `${time(i * slice, (i + 1) * slice)} to ${time((i + 1) * slice)}\nprograms: ${count(tree.programs[i])} packets\n` +
          `kernels and I/O nodes: ${count(tree.kernels[i])} packets`));
      }
      for (let at = 0; at < tree.end_ns - marks / 4; at += marks) {
        picture.append(drawing("text", {x: LEFT + at / tree.end_ns * (width - LEFT), y: height - BOTTOM + 17, "text-anchor": "middle"},
                               time(at, tree.end_ns, 4)));
      }
    });
  }
  const loaded = Math.max(1e-9, ...tree.channels.map((line) => line.load));
  table(byId("channels"), ["from", "to", "channel", "packets", "load"], tree.channels.map((line) => [
    line.from, line.to, line.channel, count(line.packets), bar(percent(line.load, 2), line.load / loaded)]),
    "nothing was on the tree");
  table(byId("io-calls"), ["call", "calls", "bytes sent", "failed", "mean", "longest"], tree.io_calls.map((line) => [
    line.operation, count(line.calls), bytes(line.bytes), line.failed || "", time(line.mean_ns), time(line.max_ns)]),
    "no call went to an I/O node");
  const busy = tree.io_nodes.filter((node) => node.calls > 0), idle = tree.io_nodes.length - busy.length;
  const served = busy.map((node) => [
    `tree ${node.tree_address}`, count(node.ranks), count(node.calls), count(node.request_packets),
    count(node.reply_packets), bytes(node.request_bytes), bytes(node.reply_bytes), count(node.longest_queue),
    time(node.busy_ns)]);
  if (idle && busy.length) served.push([`${count(idle)} more without calls`, ...Array(8).fill("")]);
  table(byId("io-nodes"), ["at", "ranks", "calls", "packets in", "out", "written", "read", "queue", "busy"], served,
        idle ? `${count(idle)} without calls` : "none");
}
