// SPDX-License-Identifier: Apache-2.0
// Who waits for what in a torus; included where a family is instantiated (instantiate.h).
#pragma once

#include "torus/torus/stuck_report.h"
#include "torus/torus/torus_link.h"

namespace toroid {

template <typename F>
class StuckPackets {
  using T = FamilyTables<F>;

 public:
  explicit StuckPackets(const BasicTorusNetwork<F>& network) : network_(network) {}

  void collect(StuckReport& report) const {
    for (std::uint32_t number = 0; number < network_.topology().routers(); ++number) {
      const BasicRouter<F>& router = network_.router(number);
      for (unsigned port = 0; port < network_.ports(); ++port) transit(router, port, report);
      for (unsigned local = 0; local < F::kNodes; ++local) injection(router, local, report);
      for (unsigned port = 0; port < network_.ports(); ++port) resend(router, port, report);
    }
  }

 private:
  WaitingPacket describe(const BasicRouter<F>& router, const Packet& packet) const {
    WaitingPacket waiting;
    waiting.router = router.number();
    waiting.channel = packet.channel;
    waiting.source = packet.source;
    waiting.serial = packet.serial;
    waiting.destination = packet.destination;
    waiting.chunks = packet.chunks;
    waiting.age = network_.now() > packet.injected ? network_.now() - packet.injected : Cycle{};
    return waiting;
  }

  void injection(const BasicRouter<F>& router, unsigned local, StuckReport& report) const {
    for (unsigned fifo = 0; fifo < network_.injection_fifos(); ++fifo) {
      if (router.injection_head(fifo, local) == kNoPacket) continue;
      WaitingPacket waiting = describe(router, network_.packet(router.injection_head(fifo, local)));
      waiting.where = WaitingPacket::Where::injection;
      waiting.local = local;
      waiting.fifo = fifo;
      head(router, router.injection_request(fifo, local), waiting);
      report.packets.push_back(waiting);
    }
  }

  void resend(const BasicRouter<F>& router, unsigned port, StuckReport& report) const {
    const BasicTorusLink<F>* link = router.output(port).link;
    if (link == nullptr) return;
    unsigned position = 0;
    for (const Packet* packet : link->unaccepted()) {
      WaitingPacket waiting = describe(router, *packet);
      waiting.where = WaitingPacket::Where::resend;
      waiting.direction = T::direction_of(port);
      waiting.lane = T::lane_of(port);
      waiting.position = position++;
      report.packets.push_back(waiting);
    }
  }

  void head(const BasicRouter<F>& router, const Request& wanted, WaitingPacket& waiting) const {
    for (std::uint32_t outputs = wanted.outputs & ~Request::kNotReady; outputs; outputs &= outputs - 1) {
      const auto port = static_cast<unsigned>(__builtin_ctz(outputs));
      const OutputPort<F>& out = router.output(port);
      waiting.ways.push_back(
          {T::direction_of(port), T::lane_of(port), {out.tokens.begin(), out.tokens.end()}, out.stopped});
    }
  }

  void transit(const BasicRouter<F>& router, unsigned port, StuckReport& report) const {
    for (unsigned channel = 0; channel < T::kVcCount; ++channel) {
      const InputQueue& input = router.input(port, channel);
      if (input.queue.head == kNoPacket) continue;
      unsigned position = 0;
      for (const Packet* packet = &network_.packet(input.queue.head); packet; packet = packet->next) {
        WaitingPacket waiting = describe(router, *packet);
        waiting.direction = T::direction_of(port);
        waiting.lane = T::lane_of(port);
        waiting.channel = static_cast<VirtualChannel>(channel);
        waiting.position = position;
        if (position++ == 0) {
          head(router, input.head, waiting);
          waiting.arrived = !input.head.outputs;
          waiting.reception_fifo = router.reception_fifo(port, *packet);
          waiting.reception_tokens = router.reception_tokens(waiting.reception_fifo, packet->local);
        }
        report.packets.push_back(waiting);
      }
    }
  }

  const BasicTorusNetwork<F>& network_;
};

template <typename F>
StuckReport stuck_report(const BasicTorusNetwork<F>& network) {
  StuckReport report;
  report.cycle = network.now();
  report.last_move = network.progress().last_move();
  report.in_flight = network.in_flight();
  report.shape = network.topology().shape();
  report.family = &network.family();
  StuckPackets<F>(network).collect(report);
  return report;
}

}  // namespace toroid
