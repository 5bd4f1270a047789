// SPDX-License-Identifier: Apache-2.0
#include "torus/torus/stuck_report.h"

namespace toroid {
namespace {

const char* const kChannelNames[kChannels] = {"D0", "D1", "BN", "BP"};

class Collector {
 public:
  explicit Collector(const TorusNetwork& network) : network_(network) {}

  void collect(StuckReport& report) {
    const unsigned directions = network_.topology().directions();
    for (std::uint32_t node = 0; node < network_.topology().nodes(); ++node) {
      const Router& router = network_.router(node);
      for (unsigned d = 0; d < directions; ++d) transit(router, static_cast<Direction>(d), report);
      for (unsigned fifo = 0; fifo < network_.injection_fifos(); ++fifo) {
        if (router.injection_head(fifo) == kNoPacket) continue;
        WaitingPacket waiting = describe(router, network_.packet(router.injection_head(fifo)));
        waiting.where = WaitingPacket::Where::injection;
        waiting.fifo = fifo;
        head(router, router.injection_request(fifo), waiting);
        report.packets.push_back(waiting);
      }
      for (unsigned d = 0; d < directions; ++d) {
        const TorusLink* link = router.output(static_cast<Direction>(d)).link;
        if (!link) continue;
        unsigned position = 0;
        for (const Packet* packet : link->unaccepted()) {
          WaitingPacket waiting = describe(router, *packet);
          waiting.where = WaitingPacket::Where::resend;
          waiting.direction = static_cast<Direction>(d);
          waiting.position = position++;
          report.packets.push_back(waiting);
        }
      }
    }
  }

 private:
  WaitingPacket describe(const Router& router, const Packet& packet) const {
    WaitingPacket waiting;
    waiting.node = router.node();
    waiting.channel = packet.channel;
    waiting.source = packet.source;
    waiting.serial = packet.serial;
    waiting.destination = packet.destination;
    waiting.chunks = packet.chunks;
    waiting.age = network_.now() > packet.injected ? network_.now() - packet.injected : 0;
    return waiting;
  }

  void head(const Router& router, const Request& wanted, WaitingPacket& waiting) const {
    const unsigned directions = (1u << network_.topology().directions()) - 1;
    for (unsigned outputs = wanted.outputs & directions; outputs; outputs &= outputs - 1) {
      const auto direction = static_cast<Direction>(__builtin_ctz(outputs));
      const OutputPort& out = router.output(direction);
      waiting.ways.push_back({direction, out.tokens[0], out.tokens[1], out.tokens[2], out.tokens[3], out.stopped});
    }
  }

  void transit(const Router& router, Direction direction, StuckReport& report) const {
    const InputPort& input = router.input(direction);
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      if (input.queue[channel].head == kNoPacket) continue;
      unsigned position = 0;
      for (const Packet* packet = &network_.packet(input.queue[channel].head); packet; packet = packet->next) {
        WaitingPacket waiting = describe(router, *packet);
        waiting.direction = direction;
        waiting.channel = static_cast<Channel>(channel);
        waiting.position = position;
        if (position++ == 0) {
          head(router, input.head[channel], waiting);
          waiting.arrived = !input.head[channel].outputs;
          waiting.reception_fifo = waiting.channel == Channel::priority
                                       ? network_.priority_fifo(packet->group)
                                       : network_.reception_fifo(packet->group, direction);
          waiting.reception_tokens = router.reception_tokens(waiting.reception_fifo);
        }
        report.packets.push_back(waiting);
      }
    }
  }

  const TorusNetwork& network_;
};

}  // namespace

StuckReport stuck_report(const TorusNetwork& network) {
  StuckReport report;
  report.cycle = network.now();
  report.last_move = network.progress().last_move();
  report.in_flight = network.in_flight();
  report.shape = network.topology().shape();
  Collector(network).collect(report);
  return report;
}

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
    text += "  node " + std::to_string(p.node) + ", ";
    switch (p.where) {
      case WaitingPacket::Where::transit:
        text += "from " + shape.direction_name(p.direction) + " " + kChannelNames[static_cast<unsigned>(p.channel)];
        break;
      case WaitingPacket::Where::injection:
        text += "injection FIFO " + std::to_string(p.fifo);
        break;
      case WaitingPacket::Where::resend:
        text += "resend FIFO " + shape.direction_name(p.direction);
        break;
    }
    text += ": packet " + std::to_string(p.serial) + " of node " + std::to_string(p.source) + " to " +
            coordinates_text(p.destination, shape.dimensions) + ", " + std::to_string(p.chunks) + " chunks, " +
            std::to_string(p.age.count()) + " cycles old";
    if (p.arrived) {
      text += ", waits for reception FIFO " + std::to_string(p.reception_fifo) + " (" +
              std::to_string(p.reception_tokens) + " chunks free)";
    }
    for (const WaitingPacket::Way& way : p.ways) {
      text += ", may go " + shape.direction_name(way.direction) + " (tokens D0 " + std::to_string(way.dynamic0_tokens) +
              " D1 " + std::to_string(way.dynamic1_tokens) + " BN " + std::to_string(way.bubble_tokens) + " BP " +
              std::to_string(way.priority_tokens) + (way.stopped ? ", stopped)" : ")");
    }
    text += "\n";
  }
  if (behind) text += "  and " + std::to_string(behind) + " packets queued behind these\n";
  if (left_out) text += "  and " + std::to_string(left_out) + " more queues\n";
  return text;
}

}  // namespace toroid
