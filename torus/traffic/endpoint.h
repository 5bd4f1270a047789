// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "torus/torus/network.h"
#include "torus/traffic/account.h"
#include "torus/traffic/traffic.h"

namespace toroid {

/// The normal injection FIFO for each direction: all groups' in turn.
template <typename F>
std::array<std::uint8_t, FamilyTables<F>::kDirections> normal_fifos(const TorusConfig& torus) {
  std::array<std::uint8_t, FamilyTables<F>::kDirections> fifo_of{};
  const unsigned normal = std::max(1u, torus.injection_fifos - 1);
  for (unsigned direction = 0; direction < fifo_of.size(); ++direction) {
    const unsigned i = direction % (torus.fifo_groups * normal);
    fifo_of[direction] = static_cast<std::uint8_t>(i / normal * torus.injection_fifos + i % normal);
  }
  return fifo_of;
}

/// What the endpoints of one run share.
template <typename F>
struct TrafficRun {
  TrafficRun(BasicTorusNetwork<F>& network_in, const TrafficConfig& config_in, const TrafficPattern& pattern_in)
      : network(network_in),
        config(config_in),
        pattern(pattern_in),
        account(config_in, kRouterFamily<F>),
        fifo_of(normal_fifos<F>(config_in.torus)) {}

  BasicTorusNetwork<F>& network;
  const TrafficConfig& config;
  const TrafficPattern& pattern;
  TrafficAccount account;
  const std::array<std::uint8_t, FamilyTables<F>::kDirections> fifo_of;  ///< normal injection FIFO by direction
  double log_idle = 0;                                                   ///< log(1 - packets a cycle)
  double total_weight = 0;
  Cycle stop_generating{};  ///< no packet is generated in or after this cycle
  bool stopped = false;     ///< fill mode: no more packets
};

/// Source and sink of one node, at the device's seam of its router.
///
/// Packets are generated with geometric gaps (each cycle by itself has the same chance). The endless queue at the
/// source takes no memory: times are drawn ahead, and a packet that falls due while the window of packets waiting for
/// an injection FIFO is full is made when there is room, with the time at which it fell due. The window stands for the
/// queues of a message layer: a packet whose FIFO is taken does not hold up those behind it that want another one.
template <typename F>
class TrafficEndpoint final : public LocalPort, public WheelUnit {
 public:
  /// Called once, before the run.
  void initialise(TrafficRun<F>& run, std::uint32_t node);
  void start();

  void packet_received(Packet& packet, unsigned fifo, Cycle at) override;
  void injection_taken(unsigned fifo, unsigned chunks, Cycle at) override;
  void on_event(std::uint32_t what, std::uint32_t arg) override;

 private:
  static constexpr unsigned kWindow = 8;

  struct Planned {
    Cycle due;
    std::uint32_t serial;
    Coordinates destination;
    std::uint8_t local;  ///< which of the destination's nodes
    std::uint16_t hints;
    std::uint8_t chunks;
    std::uint8_t message_class;
    bool dynamic;
  };

  void draw_next();
  void plan();
  void choose_class(Planned& packet);
  unsigned choose_fifo(const Planned& packet) const;
  void inject(const Planned& planned, unsigned fifo, Cycle present);
  void send_due(Cycle present);

  BasicRouter<F>& router() const { return *router_; }

  TrafficRun<F>* run_ = nullptr;
  BasicRouter<F>* router_ = nullptr;
  std::uint64_t random_ = 0;
  Cycle due_{};  ///< when the next packet is generated
  std::uint32_t node_ = 0;
  unsigned local_ = 0;  ///< which of its router's nodes
  std::uint32_t serial_ = 0;
  std::uint8_t waiting_ = 0;                         ///< packets in the window
  bool due_posted_ = false;                          ///< an event at due_ is on the wheel
  std::array<Planned, kWindow> window_;              ///< oldest first
  std::array<Cycle, F::kInjectionFifos> free_at_{};  ///< kNever while the router holds the FIFO's packet
};

}  // namespace toroid
