// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "torus/base/parameter.h"
#include "torus/collective/class_route.h"
#include "torus/collective/header.h"
#include "torus/torus/collective_unit.h"
#include "torus/torus/families/blue_gene_q_family.h"
#include "torus/torus/local_port.h"
#include "torus/torus/network.h"

namespace toroid {

/// Parameters of the collective units, in network cycles: section collective of a description.
struct CollectiveConfig {
  unsigned combine_cycles;  ///< towards the root: operands into the ALU's registers and the result out of them
  unsigned spread_cycles;   ///< away from it: from the receiver of one link to the senders of others

  void visit_parameters(ParameterVisitor& visitor);
};

class CollectiveNetwork;

/// The collective unit of one router.
///
/// Packets of a class go up its tree to the root and down again to all nodes, each over the links of the class's route.
/// On the way up, a node waits for a packet of the class from itself, if it takes part, and from each of its children,
/// and sends one on: of all-reduce and reduce the combination, in the order own node, A-, A+, ... E-, E+, whichever
/// came first, so that sums of floating point can be reproduced. A broadcast goes up as it is, from whichever node has
/// sent it. At the root, packets turn round. On the way down each node that takes part gets a copy, the sender of a
/// broadcast too; of a reduction only the node that the header names.
///
/// A packet goes on when all that it needs is there: its inputs, room for one packet of its channel at each link, and
/// in the node's reception FIFO. Packets of one channel from one link keep their order, so software has all nodes use
/// the classes of a channel in the same order.
class NodeCollectives final : public CollectiveUnit {
 public:
  void initialise(CollectiveNetwork& network, std::uint32_t node);

  void set_route(unsigned number, const ClassRoute& route);
  const ClassRoute& route(unsigned number) const { return routes_[number].word; }
  /// CollectiveError bits since they were cleared.
  std::uint32_t errors() const { return errors_; }
  void clear_errors() { errors_ = 0; }

  void wake() override;
  void slot_free(unsigned port, unsigned channel) override;
  void received(Packet& packet, unsigned fifo, Cycle at) override { device_->packet_received(packet, fifo, at); }
  void packet_taken(unsigned fifo, unsigned chunks, Cycle at) override;

 private:
  friend class CollectiveNetwork;
  using F = BlueGeneQFamily;
  using T = FamilyTables<F>;
  static constexpr unsigned kNone = ~0u;

  struct Route {
    ClassRoute word;
    std::uint32_t children = 0;  ///< a bit per port
    unsigned parent = kNone;     ///< port
    bool local = false;
  };

  /// Where a packet waits: the queue of a link, or behind those the node's FIFOs.
  struct Source {
    unsigned number;
    Packet* packet;
  };

  bool step(unsigned channel);
  bool go_up(unsigned channel, const Source& first, const CollectiveHeader& header);
  bool go_down(const Source& source, const CollectiveHeader& header);
  Packet* waiting(unsigned source, unsigned channel) const;
  Packet& take(unsigned source, unsigned channel);
  bool gather(unsigned channel, const CollectiveHeader& header, const Source& first,
              std::array<unsigned, T::kPorts + 1>& sources, unsigned& count) const;
  bool can_spread(const Route& route, const Packet& packet, const CollectiveHeader& header) const;
  void spread(const Route& route, Packet& packet, const CollectiveHeader& header, Cycle after);
  bool received_here(const Route& route, const CollectiveHeader& header) const;
  void combine(Packet& into, const Packet& from);
  bool has_slot(unsigned port, unsigned channel) const { return (busy_ >> T::slot(port, channel) & 1) == 0; }
  void send(Packet& packet, unsigned port, Cycle after);
  static unsigned fifo_of(const Route& route) { return route.word.type == ClassType::system ? 1 : 0; }

  CollectiveNetwork* network_ = nullptr;
  BasicRouter<F>* router_ = nullptr;
  LocalPort* device_ = nullptr;
  std::array<Route, kClassRoutes> routes_;
  std::uint64_t busy_ = 0;  ///< slots of links that hold a packet, by number
  std::uint32_t errors_ = 0;
  bool stepping_ = false;
};

/// The collective units of all routers of a torus. Their packets travel on the torus's links, on channels of their own,
/// beside all others.
class CollectiveNetwork {
 public:
  using Torus = BasicTorusNetwork<BlueGeneQFamily>;

  CollectiveNetwork(Torus& torus, const CollectiveConfig& config);

  /// FIFOs 0 and 1 of the device are those of user and system classes, for injection and reception.
  void attach(std::uint32_t node, LocalPort& device) { nodes_[node].device_ = &device; }
  /// The routes of class `number`, by node.
  void set_routes(unsigned number, const std::vector<ClassRoute>& routes);
  NodeCollectives& node(std::uint32_t number) { return nodes_[number]; }

  /// The node's gate before injection: why a packet cannot be sent, or nullptr. Its contents are its header and its
  /// operands; channel and data are taken from there.
  const char* refusal(std::uint32_t node, const Packet& packet) const;
  /// Takes a packet into injection FIFO `fifo`, of which the previous one must have been taken.
  void inject(std::uint32_t node, Packet& packet, unsigned fifo, Cycle at);
  /// Gives back room of reception FIFO `fifo` of the node from cycle `at` on.
  void return_tokens(std::uint32_t node, unsigned fifo, unsigned chunks, Cycle at);

  Torus& torus() { return torus_; }
  const CollectiveConfig& config() const { return config_; }

 private:
  Torus& torus_;
  const CollectiveConfig config_;
  std::unique_ptr<NodeCollectives[]> nodes_;
};

}  // namespace toroid
