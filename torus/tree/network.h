// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/base/progress.h"
#include "torus/base/wheel.h"
#include "torus/tree/config.h"
#include "torus/tree/packet_pool.h"
#include "torus/tree/router.h"
#include "torus/tree/stand_in.h"
#include "torus/tree/topology.h"

namespace toroid {

/// The tree network of a machine, on the wheel of its network clock. Devices attach at compute and I/O nodes before
/// packets flow; no class may have a client without a device, because its packets could not be delivered.
class TreeNetwork {
 public:
  /// Throws std::invalid_argument if the configuration is invalid. `seed` determines link errors.
  TreeNetwork(Wheel& wheel, const TreeConfig& config, const Topology& torus, std::uint64_t seed);
  TreeNetwork(const TreeNetwork&) = delete;
  TreeNetwork& operator=(const TreeNetwork&) = delete;

  void attach(std::uint32_t node, TreeLocalPort& device) { routers_[node].attach(device); }

  /// Replaces the model's router of the stand-in's node (TreeStandIn::router()). Call it before packets flow.
  void stand_in(std::unique_ptr<TreeStandIn> unit);

  const TreeConfig& config() const { return config_; }
  const TreeTopology& topology() const { return topology_; }
  Wheel& wheel() { return wheel_; }
  Cycle now() const { return wheel_.now(); }
  TreePacketPool& pool() { return pool_; }
  TreeRouter& router(std::uint32_t node) { return routers_[node]; }
  const TreeRouter& router(std::uint32_t node) const { return routers_[node]; }

  /// From now on, calls `observer` for packets.
  void observe(TreeObserver& observer) { context_.observer = &observer; }

  /// Sets `route_class` on all nodes, with one descriptor for each node (see classes.h).
  void set_class(unsigned route_class, const std::vector<std::uint16_t>& descriptors);

  std::uint64_t injected() const { return context_.injected; }
  std::uint64_t received() const { return context_.received; }
  /// Packets in routers and links, but not those in reception FIFOs.
  std::uint64_t in_flight() const { return context_.in_flight[0] + context_.in_flight[1]; }
  std::uint64_t in_flight(unsigned vc) const { return context_.in_flight[vc]; }
  std::uint64_t hops() const { return context_.hops; }
  /// Sums over all links, both directions.
  TreeLinkCounters links() const;

  /// Whether packets wait and none has moved for stuck_after cycles.
  ProgressWatch& progress() { return progress_; }
  const ProgressWatch& progress() const { return progress_; }

  /// Host memory of routers and packets, in bytes.
  std::size_t memory_bytes() const;

 private:
  const TreeConfig config_;
  const TreeTopology topology_;
  Wheel& wheel_;
  TreePacketPool pool_;
  TreeContext context_;
  ProgressWatch progress_;
  std::unique_ptr<TreeRouter[]> routers_;
  std::vector<std::unique_ptr<TreeStandIn>> stand_ins_;
};

}  // namespace toroid
