// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/base/progress.h"
#include "torus/base/wheel.h"
#include "torus/torus/config.h"
#include "torus/torus/local_port.h"
#include "torus/torus/packet_pool.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/topology.h"
#include "torus/torus/torus_link.h"

namespace toroid {

/// What one link, counted one way, has done.
struct LinkCounters {
  std::uint64_t packets = 0;  ///< retransmissions included, as in the rows below
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  ///< on the wire
  Cycle busy_cycles = 0;
  std::uint64_t retransmissions = 0;
  std::uint64_t crc_errors = 0;
  std::uint64_t undetected = 0;  ///< damaged, but good to both CRCs
};

/// A torus (or mesh) of routers on a wheel. Devices attach at each node before packets flow. All routers lie in one
/// piece of memory; packets come from pool().
class TorusNetwork {
 public:
  /// Throws std::invalid_argument when the configuration makes no sense. `seed` decides random arbitration and link
  /// errors.
  TorusNetwork(Wheel& wheel, const TorusConfig& config, const Topology& topology, std::uint64_t seed);
  TorusNetwork(const TorusNetwork&) = delete;
  TorusNetwork& operator=(const TorusNetwork&) = delete;

  void attach(std::uint32_t node, LocalPort& device) { routers_[node].attach(device); }

  // Other units in the place of C++ models, before packets flow. -----------------------------------------------------
  /// The stand-in does the work of its node's router (RouterStandIn::router()).
  void stand_in(std::unique_ptr<RouterStandIn> unit);
  /// The link that leaves its router in its direction.
  void set_link(std::unique_ptr<TorusLink> link);
  /// The seed of the errors of the link that leaves `node` in `direction`.
  std::uint64_t link_seed(std::uint32_t node, unsigned direction) const;

  const TorusConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  const Topology& topology() const { return topology_; }
  Wheel& wheel() { return wheel_; }
  Cycle now() const { return wheel_.now(); }
  PacketPool& pool() { return pool_; }
  const Packet& packet(std::uint32_t index) const { return pool_.at(index); }
  Router& router(std::uint32_t node) { return routers_[node]; }
  const Router& router(std::uint32_t node) const { return routers_[node]; }

  /// Number of the reception FIFO for packets of `group` that come in over the link from direction `from`, and of the
  /// group's priority FIFO.
  unsigned reception_fifo(unsigned group, Direction from) const { return group * context_.fifos_per_group + from; }
  unsigned priority_fifo(unsigned group) const { return group * context_.fifos_per_group + topology_.directions(); }
  unsigned reception_fifos() const { return config_.fifo_groups * context_.fifos_per_group; }
  unsigned injection_fifos() const { return config_.fifo_groups * config_.injection_fifos; }

  /// Returns nullptr if there is no observer.
  TorusObserver* observer() const { return context_.observer; }
  /// Tells `observer` of packets from now on.
  void observe(TorusObserver& observer) { context_.observer = &observer; }

  /// The device's gate before injection: HeaderError bits.
  std::uint32_t check(const Packet& packet, std::uint32_t node) const;

  // Conservation: injected + copied == received + in_flight.
  std::uint64_t injected() const { return context_.injected; }
  std::uint64_t copied() const { return context_.copied; }
  std::uint64_t received() const { return context_.received; }
  std::uint64_t in_flight() const { return context_.in_flight(); }
  std::uint64_t hops() const { return context_.hops; }

  RouterCounters counters(std::uint32_t node) const { return routers_[node].counters(); }
  LinkCounters link(std::uint32_t node, Direction direction) const;

  // What a driver sees in the torus DCRs.
  /// Sender tokens (+0x3E..+0x43): chunks the sender of a link may still send on a channel.
  unsigned sender_tokens(std::uint32_t node, Direction direction, Channel channel) const;
  /// Receiver fullness (+0x38..+0x3D): chunks held in a channel of the link that comes in from `direction`.
  unsigned receiver_fullness(std::uint32_t node, Direction direction, Channel channel) const;
  /// Hint cut-offs (+0x05, +0x06).
  CutOffs cut_offs(std::uint32_t node) const { return routers_[node].cut_offs(); }
  void set_cut_offs(std::uint32_t node, const CutOffs& cut_offs) { routers_[node].set_cut_offs(cut_offs); }
  /// Arbitration (+0x0B bits 6..26); throws std::invalid_argument when both phases are 0.
  ArbitrationPhases arbitration(std::uint32_t node) const { return routers_[node].arbitration(); }
  void set_arbitration(std::uint32_t node, const ArbitrationPhases& phases);
  /// Sender stops (+0x0B bits 0..5).
  bool stopped(std::uint32_t node, Direction direction) const { return routers_[node].output(direction).stopped; }
  void set_stopped(std::uint32_t node, Direction direction, bool stop) { routers_[node].set_stopped(direction, stop); }
  /// Resend FIFO pointers (+0x4A..+0x4C); both 0 on links without errors.
  std::uint8_t resend_begin(std::uint32_t node, Direction direction) const;
  std::uint8_t resend_end(std::uint32_t node, Direction direction) const;
  /// Retransmission time-out of a sender (+0x08..+0x0A), cycles. On links without errors nothing is retransmitted: 0,
  /// and setting it does nothing.
  unsigned retransmit_timeout(std::uint32_t node, Direction direction) const;
  void set_retransmit_timeout(std::uint32_t node, Direction direction, unsigned cycles);
  /// Running CRC of the link that goes out in `direction` (+0x44..+0x49), and of the one that comes in from there
  /// (+0x32..+0x37), see LinkRecovery; 0 on links without errors. The two ends of a link are the sender of one node and
  /// the receiver of its neighbour.
  std::uint32_t sender_crc(std::uint32_t node, Direction direction) const;
  std::uint32_t receiver_crc(std::uint32_t node, Direction direction) const;
  /// Clears a node's: of its senders and of its receivers.
  void clear_link_crcs(std::uint32_t node);

  /// Packets wait and none has moved for stuck_after cycles.
  ProgressWatch& progress() { return progress_; }
  const ProgressWatch& progress() const { return progress_; }

  /// Host memory of routers, links' error control and packets, in bytes.
  std::size_t memory_bytes() const;

 private:
  /// The link that comes in to `node` from `direction`, where it is more than a wire.
  TorusLink* incoming(std::uint32_t node, Direction direction) const;

  const TorusConfig config_;
  const Topology topology_;
  const std::uint64_t seed_;
  Wheel& wheel_;
  PacketPool pool_;
  RouterContext context_;
  ProgressWatch progress_;
  std::unique_ptr<Router[]> routers_;
  std::vector<std::unique_ptr<TorusLink>> links_;
  std::vector<std::unique_ptr<RouterStandIn>> stand_ins_;
};

}  // namespace toroid
