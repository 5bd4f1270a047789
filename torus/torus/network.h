// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "torus/base/progress.h"
#include "torus/base/topology.h"
#include "torus/base/wheel.h"
#include "torus/torus/config.h"
#include "torus/torus/local_port.h"
#include "torus/torus/packet_pool.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"
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

/// The torus of `shape` that routers of `family` make up. Throws std::invalid_argument if it has too many dimensions.
Topology router_topology(const RouterFamily& family, const Shape& shape);

/// What a network of any router family shows.
class AnyTorusNetwork {
 public:
  virtual ~AnyTorusNetwork() = default;
  AnyTorusNetwork(const AnyTorusNetwork&) = delete;
  AnyTorusNetwork& operator=(const AnyTorusNetwork&) = delete;

  const RouterFamily& family() const { return family_; }
  const TorusConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  const Topology& topology() const { return topology_; }
  Wheel& wheel() { return wheel_; }
  Cycle now() const { return wheel_.now(); }
  PacketPool& pool() { return pool_; }
  const Packet& packet(std::uint32_t index) const { return pool_.at(index); }

  // Conservation: injected + copied == received + combined + in_flight.
  std::uint64_t injected() const { return counters_->injected; }
  std::uint64_t copied() const { return counters_->copied; }
  std::uint64_t received() const { return counters_->received; }
  std::uint64_t combined() const { return counters_->combined; }
  std::uint64_t in_flight() const { return counters_->in_flight(); }
  std::uint64_t hops() const { return counters_->hops; }

  /// Packets wait and none has moved for stuck_after cycles.
  ProgressWatch& progress() { return progress_; }
  const ProgressWatch& progress() const { return progress_; }

  // Routers are numbered as in topology(); with one node at each, a node's number is its router's. Ports are numbered
  // as in FamilyTables; with one link a direction, a port is a direction.
  virtual unsigned ports() const = 0;
  /// "X+", as reports call the port's link.
  virtual std::string port_name(unsigned port) const = 0;
  /// What the link that leaves `router` by `port` has done.
  virtual LinkCounters link(std::uint32_t router, unsigned port) const = 0;
  /// Host memory of routers, links' error control and packets, in bytes.
  virtual std::size_t memory_bytes() const = 0;

  /// The device's gate before injection: HeaderError bits.
  std::uint32_t check(const Packet& packet, std::uint32_t node) const;

 protected:
  /// Throws std::invalid_argument if routers of the family cannot make up the shape, or if the configuration makes no
  /// sense for them.
  AnyTorusNetwork(const RouterFamily& family, Wheel& wheel, const TorusConfig& config, const Shape& shape,
                  std::uint64_t seed);

  const RouterFamily& family_;
  const TorusConfig config_;
  const Topology topology_;
  const std::uint64_t seed_;
  Wheel& wheel_;
  PacketPool pool_;
  const NetworkCounters* counters_ = nullptr;  ///< set once the routers' context is there
  ProgressWatch progress_;
};

/// A torus (or mesh) of routers of family F on a wheel. Devices attach at each node before packets flow. All routers
/// lie in one piece of memory; packets come from pool().
template <typename F>
class BasicTorusNetwork final : public AnyTorusNetwork {
  using T = FamilyTables<F>;

 public:
  using Family = F;

  /// Throws std::invalid_argument if the configuration makes no sense. `seed` decides random arbitration and link
  /// errors.
  BasicTorusNetwork(Wheel& wheel, const TorusConfig& config, const Shape& shape, std::uint64_t seed);
  BasicTorusNetwork(Wheel& wheel, const TorusConfig& config, const Topology& topology, std::uint64_t seed)
      : BasicTorusNetwork(wheel, config, topology.shape(), seed) {}

  void attach(std::uint32_t node, LocalPort& device) {
    routers_[topology_.router_of(node)].attach(device, topology_.local(node));
  }

  // Other units in the place of C++ models, before packets flow. -----------------------------------------------------
  /// The stand-in does the work of its node's router (RouterStandIn::router()).
  void stand_in(std::unique_ptr<BasicRouterStandIn<F>> unit);
  /// The link that leaves its router by its port.
  void set_link(std::unique_ptr<BasicTorusLink<F>> link);
  /// The seed of the errors of the link that leaves `router` by `port`.
  std::uint64_t link_seed(std::uint32_t router, unsigned port) const;

  BasicRouter<F>& router(std::uint32_t number) { return routers_[number]; }
  const BasicRouter<F>& router(std::uint32_t number) const { return routers_[number]; }

  /// Number of the reception FIFO for packets of `group` that come in over the link of port `from`, and of the group's
  /// FIFO for the priority classes.
  unsigned reception_fifo(unsigned group, unsigned from) const { return group * context_.fifos_per_group + from; }
  unsigned priority_fifo(unsigned group) const { return group * context_.fifos_per_group + context_.ports; }
  unsigned reception_fifos() const { return config_.fifo_groups * context_.fifos_per_group; }
  /// The FIFO in front of the sender of the I/O port.
  static constexpr unsigned io_fifo() { return T::kReceptionFifos - 1; }
  /// The first of those of the collective unit.
  unsigned collective_fifo() const { return T::collective_fifo(context_.ports); }
  void attach_io(std::uint32_t router, LocalPort& device) { routers_[router].attach_io(device); }
  const DimensionOrder& dimension_order() const { return context_.dimension_order; }
  /// Of one node.
  unsigned injection_fifos() const { return config_.fifo_groups * config_.injection_fifos; }

  /// Returns nullptr if there is no observer.
  TorusObserver* observer() const { return context_.observer; }
  /// Tells `observer` of packets from now on.
  void observe(TorusObserver& observer) { context_.observer = &observer; }

  unsigned ports() const override { return context_.ports; }
  std::string port_name(unsigned port) const override {
    return topology_.shape().link_name(T::direction_of(port), T::lane_of(port));
  }
  RouterCounters counters(std::uint32_t router) const { return routers_[router].counters(); }
  LinkCounters link(std::uint32_t router, unsigned port) const override;

  // What a driver sees in the torus DCRs.
  /// Sender tokens (+0x3E..+0x43): chunks the sender of a link may still send on a channel.
  unsigned sender_tokens(std::uint32_t router, unsigned port, VirtualChannel channel) const;
  /// Receiver fullness (+0x38..+0x3D): chunks held in a channel of the link that comes in by `port`.
  unsigned receiver_fullness(std::uint32_t router, unsigned port, VirtualChannel channel) const;
  /// Hint cut-offs (+0x05, +0x06).
  CutOffs cut_offs(std::uint32_t router) const { return routers_[router].cut_offs(); }
  void set_cut_offs(std::uint32_t router, const CutOffs& cut_offs) { routers_[router].set_cut_offs(cut_offs); }
  /// Arbitration (+0x0B bits 6..26); throws std::invalid_argument when both phases are 0.
  ArbitrationPhases arbitration(std::uint32_t router) const { return routers_[router].arbitration(); }
  void set_arbitration(std::uint32_t router, const ArbitrationPhases& phases);
  /// Sender stops (+0x0B bits 0..5).
  bool stopped(std::uint32_t router, unsigned port) const { return routers_[router].output(port).stopped; }
  void set_stopped(std::uint32_t router, unsigned port, bool stop) { routers_[router].set_stopped(port, stop); }
  /// Resend FIFO pointers (+0x4A..+0x4C); both 0 on links without errors.
  std::uint8_t resend_begin(std::uint32_t router, unsigned port) const;
  std::uint8_t resend_end(std::uint32_t router, unsigned port) const;
  /// Retransmission time-out of a sender (+0x08..+0x0A), cycles. On links without errors nothing is retransmitted: 0,
  /// and setting it does nothing.
  unsigned retransmit_timeout(std::uint32_t router, unsigned port) const;
  void set_retransmit_timeout(std::uint32_t router, unsigned port, unsigned cycles);
  /// Running CRC of the link that goes out by `port` (+0x44..+0x49), and of the one that comes in there
  /// (+0x32..+0x37), see LinkRecovery; 0 on links without errors. The two ends of a link are the sender of one node and
  /// the receiver of its neighbour.
  std::uint32_t sender_crc(std::uint32_t router, unsigned port) const;
  std::uint32_t receiver_crc(std::uint32_t router, unsigned port) const;
  /// Clears a router's: of its senders and of its receivers.
  void clear_link_crcs(std::uint32_t router);

  std::size_t memory_bytes() const override;

 private:
  /// The link that comes in to `node` from `direction`, where it is more than a wire.
  BasicTorusLink<F>* incoming(std::uint32_t router, unsigned port) const;

  RouterContext<F> context_;
  std::unique_ptr<BasicRouter<F>[]> routers_;
  std::vector<std::unique_ptr<BasicTorusLink<F>>> links_;
  std::vector<std::unique_ptr<BasicRouterStandIn<F>>> stand_ins_;
};

}  // namespace toroid
