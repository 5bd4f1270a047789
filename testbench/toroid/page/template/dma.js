// SPDX-License-Identifier: Apache-2.0
// DMA engines or Messaging Units: messages, FIFOs, counters, descriptors.
"use strict";
if (Toroid.data.dma !== null) {
  const {data, byId, count, time, bytes, table, bar} = Toroid;
  const {overTime} = Toroid.charts, dma = data.dma;
  byId("dma-lead").textContent = `The ${dma.units} read ${count(dma.messages)} descriptors of ${bytes(dma.bytes)} in all. A ` +
    "message is worked on from the time at which its descriptor has come from memory until all its bytes have been read.";
  table(byId("dma-kinds"), ["kind", "messages", "bytes", "packets", "mean", "longest"], dma.kinds.map((line) => [
    line.kind, count(line.messages), bytes(line.bytes), count(line.packets), time(line.mean_ns), time(line.max_ns)]),
    "no descriptor was read");
  for (const [side, name] of [["injection", "accent"], ["reception", "collective"]]) {
    overTime(byId(`dma-${side}`), {
      label: `Bytes in ${side} FIFOs over time`, up: "bytes in the fullest", end: dma.end_ns, bins: dma.bins,
      series: [[name, dma[side]]], tip: (i) => `the fullest ${side} FIFO held ${bytes(dma[side][i])}`,
    });
  }
  const most = Math.max(1, ...dma.fifos.map((line) => line.bytes ?? 0));
  table(byId("dma-fifos"), ["node", "FIFO", "messages", "bytes", "most held"], dma.fifos.map((line) => [
    line.node, line.fifo, count(line.messages), line.bytes === null ? "–" : bar(bytes(line.bytes), line.bytes / most),
    bytes(line.most)]), "none was used");
  table(byId("dma-counters"), ["node", "counter", "changes", "zero", "below zero", "last value"],
    dma.counters.map((line) => [line.node, line.counter, count(line.changes), count(line.zero), line.below || "",
      count(line.last)]), "none changed");
  table(byId("dma-descriptors"), ["at", "node", "FIFO", "kind", "bytes", "to", "packets", "all read"],
    dma.descriptors.map((line) => [time(line.time_ns), line.node, line.fifo, line.kind, bytes(line.bytes), line.to,
      count(line.packets), time(line.read_ns)]), "none");
  byId("dma-more").textContent = dma.descriptors_left_out ? `${count(dma.descriptors_left_out)} more.` : "";
}
