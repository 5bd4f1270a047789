// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/stuck_report.h"

namespace toroid {
namespace {

/// "node 3, from X+ BN".
std::string place(const WaitingPacket& p, const RouterFamily& family, const Shape& shape) {
  const unsigned nodes = family.layout.nodes;
  std::string text = "node " + std::to_string(p.router * nodes + p.local);
  if (nodes > 1 && p.where != WaitingPacket::Where::injection) text = "router " + std::to_string(p.router);
  switch (p.where) {
    case WaitingPacket::Where::transit:
      return text + ", from " + shape.link_name(p.direction, p.lane) + " " + family.vcs[p.channel].name;
    case WaitingPacket::Where::injection:
      return text + ", injection FIFO " + std::to_string(p.fifo);
    case WaitingPacket::Where::resend:
      return text + ", resend FIFO " + shape.link_name(p.direction, p.lane);
  }
  return text;
}

}  // namespace

std::string StuckReport::text(unsigned lines) const {
  std::string text = std::to_string(in_flight) + " packets in the network at cycle " + std::to_string(cycle.count()) +
                     ", none has moved since cycle " + std::to_string(last_move.count()) + "\n";
  std::size_t behind = 0;
  std::size_t left_out = 0;
  for (const WaitingPacket& p : packets) {
    if (p.position > 0) {
      ++behind;
      continue;
    }
    if (lines == 0) {
      ++left_out;
      continue;
    }
    --lines;
    text += "  " + place(p, *family, shape) + ": packet " + std::to_string(p.serial) + " of node " +
            std::to_string(p.source) + " to " + coordinates_text(p.destination, shape.dimensions) + ", " +
            std::to_string(p.chunks) + " chunks, " + std::to_string(p.age.count()) + " cycles old";
    if (p.arrived) {
      text += ", waits for reception FIFO " + std::to_string(p.reception_fifo) + " (" +
              std::to_string(p.reception_tokens) + " chunks free)";
    }
    for (const WaitingPacket::Way& way : p.ways) {
      text += ", may go " + shape.link_name(way.direction, way.lane) + " (tokens";
      for (unsigned vc = 0; vc < way.tokens.size(); ++vc) {
        text += std::string(" ") + family->vcs[vc].name + " " + std::to_string(way.tokens[vc]);
      }
      text += way.stopped ? ", stopped)" : ")";
    }
    text += "\n";
  }
  if (behind) text += "  and " + std::to_string(behind) + " packets queued behind these\n";
  if (left_out) text += "  and " + std::to_string(left_out) + " more queues\n";
  return text;
}

}  // namespace toroid
