// SPDX-License-Identifier: Apache-2.0
// Latencies, protocols, tree: their charts and tables.
"use strict";
{
  const {data, byId, count, time, bytes, percent, element, drawing, table, bar, legend} = Toroid;
  const {chart, hover, overTime, LEFT, BOTTOM, TICK} = Toroid.charts;

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
  overTime(byId("tree-chart"), {
    label: "Packets of the tree over time", up: "packets injected", end: tree.end_ns, bins: tree.bins,
    series: [["collective", tree.programs], ["io", tree.kernels]],
    tip: (i) => `programs: ${count(tree.programs[i])} packets\nkernels and I/O nodes: ${count(tree.kernels[i])} packets`,
  });
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
