// SPDX-License-Identifier: Apache-2.0
#include "torus/collective/network.h"

#include <algorithm>

#include "torus/collective/alu.h"

namespace toroid {
namespace {

using Channel = BlueGeneQChannel;

/// The channel on which packets with this code in their header travel; comm-world and system share one.
constexpr VirtualChannel channel_of(unsigned code) {
  return code == 5 ? Channel::collective_user : Channel::collective_world;
}

/// The codes of packets of a class.
constexpr unsigned code_of(ClassType type) {
  return type == ClassType::user_subset ? 5 : type == ClassType::system ? 6 : 4;
}

constexpr bool is_opcode(unsigned opcode) {
  constexpr unsigned kOpcodes = 0x7777;  // 0 to 2, 4 to 6, 8 to A, C to E
  return (kOpcodes >> opcode & 1) != 0;
}

bool is_float(CollectiveOpcode opcode) {
  return opcode >= CollectiveOpcode::float_add;
}

}  // namespace

void CollectiveConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(combine_cycles, "collective.combine_cycles", "cycles", {1, 10'000},
                "through a collective unit on the way to the root: operands into the ALU and the result out of it");
  visitor.count(spread_cycles, "collective.spread_cycles", "cycles", {1, 10'000},
                "through a collective unit on the way from the root");
}

// A node. ------------------------------------------------------------------------------------------------------------

void NodeCollectives::initialise(CollectiveNetwork& network, std::uint32_t node) {
  network_ = &network;
  router_ = &network.torus().router(node);
  router_->attach_collective(*this);
}

void NodeCollectives::set_route(unsigned number, const ClassRoute& word) {
  Route& route = routes_[number];
  route = Route{};
  route.word = word;
  route.local = (word.input & ClassRoute::kLocal) != 0;
  for (unsigned port = 0; port < T::kPorts; ++port) {
    const std::uint16_t bit = ClassRoute::bit(static_cast<Direction>(port));
    if (word.input & bit) route.children |= 1u << port;
    if (word.output & bit) route.parent = port;
  }
}

/// Moves what can move; what moves may make room for more.
void NodeCollectives::wake() {
  if (stepping_) return;
  stepping_ = true;
  bool moved = true;
  while (moved) {
    moved = false;
    for (unsigned channel = T::kFirstCollective; channel < T::kVcCount; ++channel) moved |= step(channel);
  }
  stepping_ = false;
}

void NodeCollectives::slot_free(unsigned port, unsigned channel) {
  busy_ &= ~(std::uint64_t{1} << T::slot(port, channel));
  wake();
}

void NodeCollectives::packet_taken(unsigned fifo, unsigned chunks, Cycle at) {
  device_->injection_taken(fifo, chunks, at);
}

/// The head of a link's queue, or of one of the node's FIFOs if it travels on this channel.
Packet* NodeCollectives::waiting(unsigned source, unsigned channel) const {
  if (source < T::kPorts) return router_->collective_head(source, channel);
  Packet* const packet = router_->collective_packet(source - T::kPorts);
  return packet != nullptr && packet->channel == channel ? packet : nullptr;
}

Packet& NodeCollectives::take(unsigned source, unsigned channel) {
  return source < T::kPorts ? router_->take_collective_head(source, channel)
                            : router_->take_collective_packet(source - T::kPorts);
}

bool NodeCollectives::step(unsigned channel) {
  for (unsigned source = 0; source < T::kPorts + T::kCollectiveVcs; ++source) {
    Packet* const packet = waiting(source, channel);
    if (packet == nullptr) continue;
    const CollectiveHeader header = CollectiveHeader::read(packet->data);
    const bool down = source == routes_[header.class_route].parent;
    if (down ? go_down({source, packet}, header) : go_up(channel, {source, packet}, header)) return true;
  }
  return false;
}

bool NodeCollectives::go_down(const Source& source, const CollectiveHeader& header) {
  const Route& route = routes_[header.class_route];
  if (!can_spread(route, *source.packet, header)) return false;
  spread(route, take(source.number, source.packet->channel), header, Cycle{network_->config().spread_cycles});
  return true;
}

/// The inputs of a packet on its way up: all of the class's, or the one that has a broadcast.
bool NodeCollectives::gather(unsigned channel, const CollectiveHeader& header, const Source& first,
                             std::array<unsigned, T::kPorts + 1>& sources, unsigned& count) const {
  count = 0;
  if (header.type == CollectiveType::broadcast) {
    sources[count++] = first.number;
    return true;
  }
  const Route& route = routes_[header.class_route];
  const auto has = [&](unsigned source) {
    const Packet* const packet = waiting(source, channel);
    if (packet == nullptr) return false;
    const CollectiveHeader other = CollectiveHeader::read(packet->data);
    return other.class_route == header.class_route && other.type != CollectiveType::broadcast;
  };
  if (route.local) {
    unsigned fifo = T::kPorts;
    while (fifo < T::kPorts + T::kCollectiveVcs && !has(fifo)) ++fifo;
    if (fifo == T::kPorts + T::kCollectiveVcs) return false;
    sources[count++] = fifo;
  }
  for (unsigned dimension = 0; dimension < F::kDimensions; ++dimension) {
    for (const unsigned port : {2 * dimension + 1, 2 * dimension}) {
      if ((route.children >> port & 1) == 0) continue;
      if (!has(port)) return false;
      sources[count++] = port;
    }
  }
  return true;
}

bool NodeCollectives::go_up(unsigned channel, const Source& first, const CollectiveHeader& header) {
  const Route& route = routes_[header.class_route];
  std::array<unsigned, T::kPorts + 1> sources;
  unsigned count = 0;
  if (!gather(channel, header, first, sources, count)) return false;
  const bool root = route.parent == kNone;
  if (root ? !can_spread(route, *first.packet, header) : !has_slot(route.parent, channel)) return false;

  Packet& result = take(sources[0], channel);
  if (header.type == CollectiveType::broadcast && sources[0] >= T::kPorts && is_float(header.opcode)) {
    quieten_nans(result.data + CollectiveHeader::kBytes, result.chunks * F::kChunkBytes - CollectiveHeader::kBytes);
  }
  for (unsigned i = 1; i < count; ++i) {
    Packet& other = take(sources[i], channel);
    combine(result, other);
    result.tail = std::max(result.tail, other.tail);
    router_->pool().release(other);
  }
  router_->count_combined(count - 1);
  const Cycle after{network_->config().combine_cycles};
  result.tail += after;
  if (root) {
    spread(route, result, header, after);
  } else {
    send(result, route.parent, after);
  }
  return true;
}

void NodeCollectives::combine(Packet& into, const Packet& from) {
  const CollectiveHeader header = CollectiveHeader::read(into.data);
  // What decides the result must be the same in both: opcode, word length, class, kind, and the length.
  const bool alike = std::equal(into.data + 1, into.data + 8, from.data + 1) && into.chunks == from.chunks;
  if (!alike) errors_ |= kOperandsMismatch;
  const unsigned bytes = std::min(into.chunks, from.chunks) * F::kChunkBytes - CollectiveHeader::kBytes;
  errors_ |= collective_combine(header.opcode, header.operand_bytes(), into.data + CollectiveHeader::kBytes,
                                from.data + CollectiveHeader::kBytes, bytes);
}

bool NodeCollectives::received_here(const Route& route, const CollectiveHeader& header) const {
  return route.local && (header.type != CollectiveType::reduce || header.destination == router_->coordinates());
}

bool NodeCollectives::can_spread(const Route& route, const Packet& packet, const CollectiveHeader& header) const {
  for (std::uint32_t left = route.children; left != 0; left &= left - 1) {
    if (!has_slot(static_cast<unsigned>(__builtin_ctz(left)), packet.channel)) return false;
  }
  return !received_here(route, header) || router_->collective_room(fifo_of(route), packet.chunks);
}

/// Sends copies to all children, and to the node what is for it; the last of them is the packet itself.
void NodeCollectives::spread(const Route& route, Packet& packet, const CollectiveHeader& header, Cycle after) {
  bool here = received_here(route, header);
  unsigned copies = static_cast<unsigned>(__builtin_popcount(route.children)) + here;
  if (copies == 0) {
    router_->pool().release(packet);
    router_->count_combined(1);
    return;
  }
  router_->count_copies(copies - 1);
  for (std::uint32_t left = route.children; left != 0; left &= left - 1) {
    Packet& copy = --copies == 0 ? packet : router_->pool().clone(packet);
    send(copy, static_cast<unsigned>(__builtin_ctz(left)), after);
  }
  if (here) router_->deliver_collective(packet, fifo_of(route));
}

void NodeCollectives::send(Packet& packet, unsigned port, Cycle after) {
  busy_ |= std::uint64_t{1} << T::slot(port, packet.channel);
  router_->send_collective(packet, port, after);
}

// All. ---------------------------------------------------------------------------------------------------------------

CollectiveNetwork::CollectiveNetwork(Torus& torus, const CollectiveConfig& config)
    : torus_(torus), config_(config), nodes_(std::make_unique<NodeCollectives[]>(torus.topology().nodes())) {
  check_ranges(config);
  for (std::uint32_t node = 0; node < torus.topology().nodes(); ++node) nodes_[node].initialise(*this, node);
}

void CollectiveNetwork::set_routes(unsigned number, const std::vector<ClassRoute>& routes) {
  for (std::uint32_t node = 0; node < routes.size(); ++node) nodes_[node].set_route(number, routes[node]);
}

const char* CollectiveNetwork::refusal(std::uint32_t node, const Packet& packet) const {
  if (packet.data == nullptr || packet.data[0] != CollectiveHeader::kPacketType) return "its type is not 0x5A";
  const CollectiveHeader header = CollectiveHeader::read(packet.data);
  const NodeCollectives::Route& route = nodes_[node].routes_[header.class_route];
  if (!route.local) return "the node takes no part in its class";
  if (route.word.input & ClassRoute::kIo) return "I/O links carry no collective packets";
  if (header.virtual_channel != code_of(route.word.type)) return "its virtual channel is not that of the class";
  if (!is_opcode(static_cast<unsigned>(header.opcode))) return "there is no such opcode";
  if (static_cast<unsigned>(header.type) == 1) return "there is no such collective operation";
  if (is_float(header.opcode) && header.word_exponent != 1) return "floating point is 8 bytes long";
  return nullptr;
}

void CollectiveNetwork::inject(std::uint32_t node, Packet& packet, unsigned fifo, Cycle at) {
  packet.source = node;
  packet.channel = channel_of(CollectiveHeader::read(packet.data).virtual_channel);
  packet.dynamic = false;
  torus_.router(node).inject_collective(packet, fifo, at);
}

void CollectiveNetwork::return_tokens(std::uint32_t node, unsigned fifo, unsigned chunks, Cycle at) {
  torus_.router(node).return_tokens(torus_.collective_fifo() + fifo, chunks, at);
}

}  // namespace toroid
