// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "torus/base/topology.h"
#include "torus/torus/packet.h"

namespace toroid {

// A family of routers is a struct of traits: what is fixed when the simulator is compiled. Router, links, network and
// traffic are templates over it; blue_gene_lp_family.h is the example to read. A traits struct has
//
//   kName            name in a machine's description (torus.router)
//   kDimensions      how many dimensions a shape may have
//   kLinks           parallel links of each direction, by dimension
//   kChunkBytes      size of a chunk; packets are 1 to kMaxChunks of them
//   kMaxChunks
//   kVcs             table of virtual channels (VcTraits); those of one class and use stand together
//   kPriorityClasses bit per message class that goes first in switch allocation; each has reception FIFOs of its own
//   kRingRule        what keeps the ordered channels of a ring moving
//   kEscape          true: a blocked adaptive packet may take its class's ordered channel. Only tests say false
//   kTrailerChunks   chunks of an adaptive channel's buffer that a packet takes beyond its own
//   kZones           whether dynamic packets may take the dimensions that a zone allows (zones.h)
//   kTransitGrants   whether transit goes before injection until transit_grants packets have gone so (ZoneConfig)
//   kIoChannel       virtual channel of the packets that leave or enter by the router's I/O port; kNoIoPort: none has
//   one kNodes           nodes at a router, each with a local port kInjectionFifos  most injection FIFOs of a node
//   kFifoGroups      most groups of reception FIFOs of a node
//   kLocalFifos      reception FIFOs of a group for what a node of the same router sends
//   Routes           the route function, a template over the family (route_computation.h)

/// The page that says what needs a compiler; messages name it.
inline constexpr const char* kWhatCanBeChanged = "docs/what_can_be_changed.md";

/// Names of the families that are compiled (the table in torus/traffic/families.cpp), each once.
std::vector<const char*> router_family_names();

/// What one token of a virtual channel stands for.
enum class TokenUnit : std::uint8_t {
  chunk,   ///< a chunk of the buffer
  packet,  ///< a slot for a maximum packet, whatever the packet's size
};

inline constexpr std::uint8_t kNoIoPort = 0xFF;

/// Which packets a virtual channel carries.
enum class VcUse : std::uint8_t {
  adaptive,    ///< dynamic packets, on any link of a minimal route
  ordered,     ///< deterministic packets, and the escape of the dynamic ones: in dimension order
  collective,  ///< packets that the routers' collective units combine and spread
};

/// How the ordered channels of a ring are kept from blocking each other in a circle.
enum class RingRule : std::uint8_t {
  bubble,    ///< a packet that enters the ring leaves bubble_chunks free behind it
  dateline,  ///< two ordered channels a class: the first for packets that have still to cross from one end of the
             ///< dimension to the other, the second for all others
  none,      ///< a ring may stop; only tests ask for it
};

struct VcTraits {
  const char* name;
  VcUse use;
  TokenUnit unit;
  std::uint8_t message_class;
};

/// The traits that are needed at run time: limits for descriptions, names for reports.
struct RouterFamily {
  const char* name = nullptr;
  unsigned dimensions = 0;
  unsigned chunk_bytes = 0;
  unsigned max_chunks = 0;
  const VcTraits* vcs = nullptr;
  unsigned vc_count = 0;
  unsigned adaptive_vcs = 0;  ///< of a class, at most
  unsigned classes = 0;
  RingRule ring_rule = RingRule::none;
  unsigned injection_fifos = 0;  ///< of a node, at most
  unsigned fifo_groups = 0;
  unsigned trailer_chunks = 0;
  bool zones = false;            ///< dynamic routes go by zones
  bool sends_to_itself = false;  ///< a node's packets for itself need no link
  std::uint8_t io_channel = kNoIoPort;
  RouterLayout layout;
};

/// What follows from a family's traits. Ports are links as one router numbers them: by dimension, then by lane, then
/// plus before minus, so that the two ends of a link differ in the lowest bit. With one link a direction, port and
/// direction are the same number.
template <typename F>
struct FamilyTables {
  static constexpr unsigned kVcCount = static_cast<unsigned>(F::kVcs.size());
  static constexpr unsigned kDirections = 2 * F::kDimensions;

  static constexpr bool single_links() {
    for (unsigned d = 0; d < F::kDimensions; ++d) {
      if (F::kLinks[d] != 1) return false;
    }
    return true;
  }
  static constexpr bool kSingleLinks = single_links();

  /// Ports of the first `dimensions` dimensions.
  static constexpr unsigned ports(unsigned dimensions) {
    unsigned count = 0;
    for (unsigned d = 0; d < dimensions; ++d) count += 2 * F::kLinks[d];
    return count;
  }
  static constexpr unsigned kPorts = ports(F::kDimensions);

  static constexpr std::array<std::uint8_t, kPorts> directions() {
    std::array<std::uint8_t, kPorts> table{};
    for (unsigned d = 0; d < F::kDimensions; ++d) {
      for (unsigned port = ports(d); port < ports(d + 1); ++port) {
        table[port] = static_cast<std::uint8_t>(2 * d + port % 2);
      }
    }
    return table;
  }
  static constexpr std::array<std::uint8_t, kPorts> kDirectionOf = directions();
  static constexpr Direction direction_of(unsigned port) {
    if constexpr (kSingleLinks) {
      return static_cast<Direction>(port);
    } else {
      return kDirectionOf[port];
    }
  }
  static constexpr unsigned lane_of(unsigned port) { return (port - ports(direction_of(port) / 2)) / 2; }
  static constexpr unsigned port_of(Direction direction, unsigned lane) {
    return ports(direction / 2) + 2 * lane + direction % 2;
  }
  static constexpr unsigned opposite_port(unsigned port) { return port ^ 1; }

  // Requesters of a link: the heads of the transit queues (kVcCount * port + virtual channel), then the injection
  // FIFOs of all local ports, then what comes in by the I/O port, then what the collective unit takes from the node and
  // what it sends, a slot for each link and channel.
  static constexpr unsigned kFirstInjection = kPorts * kVcCount;
  static constexpr bool kHasIoPort = F::kIoChannel != kNoIoPort;
  static constexpr unsigned kIoFifo = F::kNodes * F::kInjectionFifos;
  static constexpr unsigned count_uses(VcUse use) {
    unsigned count = 0;
    for (const VcTraits& vc : F::kVcs) count += vc.use == use;
    return count;
  }
  static constexpr unsigned kCollectiveVcs = count_uses(VcUse::collective);  ///< behind all others
  static constexpr bool kHasCollective = kCollectiveVcs != 0;
  static constexpr unsigned kFirstCollective = kVcCount - kCollectiveVcs;
  static constexpr bool is_collective(unsigned vc) { return kHasCollective && vc >= kFirstCollective; }
  static constexpr unsigned kCollectiveFifo = kIoFifo + kHasIoPort;
  static constexpr unsigned kFirstSlot = kCollectiveFifo + kCollectiveVcs;
  static constexpr unsigned slot(unsigned port, unsigned vc) {
    return kFirstSlot + port * kCollectiveVcs + vc - kFirstCollective;
  }
  static constexpr unsigned kInjection = kFirstSlot + kCollectiveVcs * kPorts;
  static constexpr unsigned kRequesters = kFirstInjection + kInjection;

  // Reception FIFOs of a group: one a port, then one for each of the priority classes, then those for what nodes of the
  // same router send, then those of the collective unit. Behind all groups', the sender of the I/O port.
  static constexpr unsigned count_bits(unsigned bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }
  static constexpr unsigned kPriorityFifos = count_bits(F::kPriorityClasses);
  static constexpr bool kHasPriority = kPriorityFifos != 0;
  /// How many there are before those of the collective unit.
  static constexpr unsigned collective_fifo(unsigned ports) { return ports + kPriorityFifos + F::kLocalFifos; }
  static constexpr unsigned fifos_per_group(unsigned ports) { return collective_fifo(ports) + kCollectiveVcs; }
  static constexpr unsigned kReceptionFifos = F::kFifoGroups * fifos_per_group(kPorts) + kHasIoPort;
  /// Of the FIFOs of the priority classes, that of a channel.
  static constexpr unsigned priority_fifo(unsigned vc) {
    if constexpr (kPriorityFifos <= 1) {
      return 0;
    } else {
      return count_bits(F::kPriorityClasses & ((1u << kClassOf[vc]) - 1));
    }
  }

  static constexpr unsigned classes() {
    unsigned most = 0;
    for (const VcTraits& vc : F::kVcs) most = vc.message_class > most ? vc.message_class : most;
    return most + 1;
  }
  static constexpr unsigned kClasses = classes();

  /// First virtual channel of a class and use, and how many there are.
  static constexpr unsigned first_vc(unsigned message_class, VcUse use) {
    for (unsigned vc = 0; vc < kVcCount; ++vc) {
      if (F::kVcs[vc].message_class == message_class && F::kVcs[vc].use == use) return vc;
    }
    return kVcCount;
  }
  static constexpr unsigned count_vcs(unsigned message_class, VcUse use) {
    unsigned count = 0;
    for (const VcTraits& vc : F::kVcs) count += vc.message_class == message_class && vc.use == use;
    return count;
  }
  static constexpr std::array<std::uint8_t, kClasses> by_class(VcUse use, bool first) {
    std::array<std::uint8_t, kClasses> table{};
    for (unsigned c = 0; c < kClasses; ++c) {
      table[c] = static_cast<std::uint8_t>(first ? first_vc(c, use) : count_vcs(c, use));
    }
    return table;
  }
  static constexpr auto kFirstAdaptive = by_class(VcUse::adaptive, true);
  static constexpr auto kAdaptiveCount = by_class(VcUse::adaptive, false);
  static constexpr auto kFirstOrdered = by_class(VcUse::ordered, true);

  static constexpr unsigned most_adaptive() {
    unsigned most = 0;
    for (unsigned c = 0; c < kClasses; ++c) most = kAdaptiveCount[c] > most ? kAdaptiveCount[c] : most;
    return most;
  }

  /// Classes with adaptive channels: with one alone, which channels they are is known when the code is compiled.
  static constexpr unsigned adaptive_classes() {
    unsigned count = 0;
    for (unsigned c = 0; c < kClasses; ++c) count += kAdaptiveCount[c] != 0;
    return count;
  }
  static constexpr bool kOneAdaptiveClass = adaptive_classes() == 1 && kAdaptiveCount[0] != 0;

  /// Bit per virtual channel.
  static constexpr std::uint32_t channels_where(TokenUnit unit) {
    std::uint32_t mask = 0;
    for (unsigned vc = 0; vc < kVcCount; ++vc) mask |= (F::kVcs[vc].unit == unit ? 1u : 0u) << vc;
    return mask;
  }
  static constexpr std::uint32_t kPacketTokens = channels_where(TokenUnit::packet);

  static constexpr std::uint32_t priority_channels() {
    std::uint32_t mask = 0;
    for (unsigned vc = 0; vc < kVcCount; ++vc) {
      if (F::kVcs[vc].use != VcUse::collective) mask |= (F::kPriorityClasses >> F::kVcs[vc].message_class & 1) << vc;
    }
    return mask;
  }
  static constexpr std::uint32_t kPriorityChannels = priority_channels();
  static constexpr bool has_priority(unsigned vc) { return kPriorityChannels >> vc & 1; }

  /// By virtual channel: its class, and the class's first ordered channel.
  static constexpr std::array<std::uint8_t, kVcCount> by_channel(bool ordered) {
    std::array<std::uint8_t, kVcCount> table{};
    for (unsigned vc = 0; vc < kVcCount; ++vc) {
      table[vc] = ordered ? kFirstOrdered[F::kVcs[vc].message_class] : F::kVcs[vc].message_class;
    }
    return table;
  }
  static constexpr auto kClassOf = by_channel(false);
  static constexpr auto kOrderedOf = by_channel(true);

  /// Tokens of the adaptive channels are chunks, whichever of them it is.
  static constexpr bool adaptive_in_chunks() {
    for (const VcTraits& vc : F::kVcs) {
      if (vc.use == VcUse::adaptive && vc.unit != TokenUnit::chunk) return false;
    }
    return true;
  }
  static constexpr unsigned adaptive_charge(unsigned vc, unsigned chunks) {
    return adaptive_in_chunks() ? chunks + F::kTrailerChunks : charge(vc, chunks);
  }

  /// If the channels whose unit is the packet stand behind all others, the first of them; else kVcCount + 1.
  static constexpr unsigned first_packet_vc() {
    unsigned first = 0;
    while (first < kVcCount && F::kVcs[first].unit == TokenUnit::chunk) ++first;
    for (unsigned vc = first; vc < kVcCount; ++vc) {
      if (F::kVcs[vc].unit != TokenUnit::packet) return kVcCount + 1;
    }
    return first;
  }
  static constexpr unsigned kFirstPacketVc = first_packet_vc();

  /// Tokens, counted in chunks, that a packet of `chunks` takes on `vc`.
  static constexpr unsigned charge(unsigned vc, unsigned chunks) {
    if constexpr (kFirstPacketVc <= kVcCount) {
      return vc >= kFirstPacketVc ? F::kMaxChunks : chunks + F::kTrailerChunks;
    } else {
      return kPacketTokens >> vc & 1 ? F::kMaxChunks : chunks + F::kTrailerChunks;
    }
  }

  static constexpr RouterLayout layout() {
    RouterLayout layout;
    layout.nodes = F::kNodes;
    for (unsigned d = 0; d < F::kDimensions; ++d) layout.links[d] = F::kLinks[d];
    return layout;
  }

  /// Checked where the family is instantiated.
  static constexpr bool valid() {
    static_assert(F::kDimensions >= 1 && F::kDimensions <= kMaxDimensions);
    static_assert(kPorts <= 31, "Request::outputs and its bit kNotReady");
    static_assert(kClasses <= 8, "Request's bits for the class");
    static_assert(kRequesters <= 128, "RequesterSet");
    for (unsigned vc = kFirstCollective; vc < kVcCount; ++vc) {
      if (F::kVcs[vc].use != VcUse::collective) return false;
    }
    static_assert(F::kMaxChunks <= 127, "8-bit counters of the tokens that a queue holds");
    for (unsigned vc = 0; vc < kVcCount; ++vc) {
      const VcTraits& traits = F::kVcs[vc];
      const unsigned first = first_vc(traits.message_class, traits.use);
      if (vc - first >= count_vcs(traits.message_class, traits.use)) return false;  // not side by side
      // Chunks that packets of different sizes leave free in different buffers add up to a bubble that holds none.
      const bool ring_slots = F::kRingRule != RingRule::bubble || traits.use == VcUse::adaptive;
      if (!ring_slots && traits.unit != TokenUnit::packet) return false;
    }
    for (unsigned c = 0; c < kClasses; ++c) {
      const unsigned ordered = count_vcs(c, VcUse::ordered);
      if (ordered == 0) return false;
      if (F::kRingRule != RingRule::none && ordered != (F::kRingRule == RingRule::dateline ? 2 : 1)) return false;
    }
    return true;
  }
};

template <typename F>
constexpr RouterFamily describe_family() {
  using T = FamilyTables<F>;
  RouterFamily family;
  family.name = F::kName;
  family.dimensions = F::kDimensions;
  family.chunk_bytes = F::kChunkBytes;
  family.max_chunks = F::kMaxChunks;
  family.vcs = F::kVcs.data();
  family.vc_count = T::kVcCount;
  family.adaptive_vcs = T::most_adaptive();
  family.classes = T::kClasses;
  family.ring_rule = F::kRingRule;
  family.injection_fifos = F::kInjectionFifos;
  family.fifo_groups = F::kFifoGroups;
  family.trailer_chunks = F::kTrailerChunks;
  family.zones = F::kZones;
  family.sends_to_itself = F::kNodes == 1 && F::kLocalFifos != 0;
  family.io_channel = F::kIoChannel;
  family.layout = T::layout();
  return family;
}
template <typename F>
inline constexpr RouterFamily kRouterFamily = describe_family<F>();

}  // namespace toroid
