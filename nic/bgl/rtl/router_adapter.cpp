// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/router_adapter.h"

#include <algorithm>
#include <cstring>

#include "nic/torus/torus_header.h"
#include "torus/base/random.h"
#include "torus/rtl/fault.h"

namespace toroid::rtl {
namespace {

// Latencies of the Verilog (router_pins.h).
constexpr unsigned kReceiverCycles = 8;
constexpr unsigned kSendCycles = 6;  ///< arbiter and sender
constexpr unsigned kInjectionCycles = 7;
constexpr unsigned kFirstInjection = kLinks * kLinkChannels;

std::string requester_text(const Topology& topology, unsigned requester) {
  if (requester >= kFirstInjection) return "injection FIFO " + std::to_string(requester - kFirstInjection);
  static const char* const kNames[kLinkChannels] = {"D0", "D1", "BN", "BP"};
  return "queue " + std::string(kNames[requester % kLinkChannels]) + " of link " +
         topology.direction_name(static_cast<Direction>(requester / kLinkChannels));
}

// The pins count links' queues by the six links there are, the model by the most there can be.
unsigned model_requester(unsigned requester) {
  return requester < kFirstInjection ? requester : requester - kFirstInjection + Router::kFirstInjection;
}

unsigned hint_bits(std::uint16_t hints) {
  unsigned bits = 0;
  for (unsigned direction = 0; direction < kLinks; ++direction) {
    if (hints >> direction & 1) bits |= TORUS_HINT(direction);
  }
  return bits;
}

}  // namespace

std::vector<std::string> RtlRouter::obstacles(const TorusConfig& config, const Topology& topology) {
  std::vector<std::string> found;
  const auto need = [&found](bool good, const std::string& text) {
    if (!good) found.push_back(text);
  };
  need(topology.dimensions() == kLinks / 2,
       "it has 3 dimensions, the machine " + std::to_string(topology.dimensions()));
  need(std::is_sorted(config.dimension_order.begin(), config.dimension_order.end()),
       "torus.dimension_order must be as_named");
  need(config.adaptive_vcs == kRouterFamily<BlueGeneLpFamily>.adaptive_vcs, "torus.adaptive_vcs must be 2");
  need(!config.transit_first, "torus.transit_first must be false");
  need(config.link_bytes_per_cycle == 1, "torus.link_bytes_per_cycle must be 1");
  for (unsigned d = 0; d < kMaxDirections; ++d) {
    need(config.direction_bytes_per_cycle[d] <= 1, "torus.direction_bytes_per_cycle must be 1 in every direction");
    if (config.direction_bytes_per_cycle[d] > 1) break;
  }
  need(config.receiver_cycles == kReceiverCycles, "torus.receiver_cycles must be 8");
  need(config.arbiter_cycles + config.sender_cycles == kSendCycles,
       "torus.arbiter_cycles and torus.sender_cycles must be 6 together");
  need(config.link_cycles >= 1, "torus.link_cycles must be at least 1");
  need(config.injection_cycles == kInjectionCycles + 1, "torus.injection_cycles must be 8");
  need(config.reception_cycles >= kReceiverCycles, "torus.reception_cycles must be at least 8");
  need(config.wire_overhead >= 14 && config.wire_overhead <= 255, "torus.wire_overhead must be from 14 to 255");
  need(config.buffer_chunks <= 32, "torus.buffer_chunks must be at most 32");
  need(config.reception_depth <= 32, "torus_fifo.depth must be at most 32");
  need(config.fifo_groups == 2, "it has 2 groups of FIFOs");
  need(config.injection_fifos == 4, "it has 4 injection FIFOs a group");
  return found;
}

RtlRouter::RtlRouter(TorusNetwork& network, std::uint32_t node, std::string name, std::unique_ptr<RouterPins> pins,
                     RtlRun& run)
    : RouterStandIn(network.router(node)),
      ClockedUnit(std::move(name), run),
      network_(network),
      pins_(std::move(pins)) {
  for (unsigned d = 0; d < kLinks; ++d) {
    ports_[d].router = this;
    ports_[d].direction = static_cast<Direction>(d);
  }
  pins_->reset(settings());
}

RouterSettings RtlRouter::settings() const {
  const TorusConfig& config = network_.config();
  const Topology& topology = network_.topology();
  RouterSettings settings;
  settings.links = 0;
  for (unsigned d = 0; d < kLinks; ++d) {
    if (neighbour(d) != kNoNode) settings.links |= static_cast<std::uint8_t>(1u << d);
  }
  for (unsigned d = 0; d < kLinks / 2; ++d) {
    settings.coordinates[d] = router().coordinates()[d];
    settings.cut_off_plus[d] = router().cut_offs().plus[d];
    settings.cut_off_minus[d] = router().cut_offs().minus[d];
    settings.ring[d] = topology.torus(d);
  }
  settings.buffer_chunks = static_cast<std::uint8_t>(config.buffer_chunks);
  settings.reception_chunks = static_cast<std::uint8_t>(config.reception_depth);
  settings.bubble_chunks = static_cast<std::uint8_t>(config.bubble_chunks);
  settings.wire_overhead = static_cast<std::uint8_t>(config.wire_overhead);
  settings.fullness_cycles = router().arbitration().fullness_cycles;
  settings.random_cycles = router().arbitration().random_cycles;
  settings.priority_injection = router().arbitration().priority_injection;
  settings.seed = static_cast<std::uint32_t>(mix(network_.seed(), router().number()));
  return settings;
}

std::uint8_t RtlRouter::Contents::at(unsigned byte) const {
  if (data != nullptr) return data[byte];
  return static_cast<std::uint8_t>(source * 7 + serial * 31 + byte);
}

std::array<std::uint8_t, 8> RtlRouter::header(const Packet& packet, unsigned hints) {
  std::array<std::uint8_t, 8> bytes{};
  if (packet.data != nullptr) std::copy_n(packet.data, bytes.size(), bytes.begin());
  torus_fields_t fields = read_hardware_header(bytes.data());
  fields.hints = static_cast<std::uint8_t>(hints);
  fields.deposit = packet.deposit;
  fields.pid = packet.group;
  fields.chunks = packet.chunks;
  fields.dynamic = packet.dynamic;
  fields.vc = static_cast<std::uint8_t>(packet.channel);
  std::copy_n(packet.destination.begin(), 3, fields.destination);
  const std::uint32_t words[2] = {torus_be32(torus_encode0(&fields)), torus_be32(torus_encode1(&fields))};
  std::memcpy(bytes.data(), words, bytes.size());
  return bytes;
}

// Input. ------------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum RtlRouter::Port::nb_transport_fw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router->catch_up();
  router->incoming_[direction].push_back(
      Incoming{Contents(*payload.packet), payload.packet, payload.at - kReceiverCycles});
  router->go_on();
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum RtlRouter::Port::nb_transport_bw(LinkPayload& payload, LinkPhase&, sc_core::sc_time&) {
  router->catch_up();
  std::uint8_t& tokens = router->in_.tokens[direction][payload.channel];
  tokens = static_cast<std::uint8_t>(tokens + payload.chunks);
  router->inputs_ = true;
  router->go_on();
  return tlm::TLM_COMPLETED;
}

void RtlRouter::injected(const Packet& packet, unsigned fifo) {
  hints_wanted_[fifo] = packet.hints == 0;
}

void RtlRouter::write_packet(const Packet& packet, unsigned fifo) {
  catch_up();
  written_[fifo] = std::make_unique<Written>(
      Written{Contents(packet), header(packet, hints_wanted_[fifo] ? 0 : hint_bits(packet.hints))});
  go_on();
}

void RtlRouter::reception_freed(unsigned fifo, unsigned chunks) {
  catch_up();
  in_.reception_free[fifo] = static_cast<std::uint8_t>(in_.reception_free[fifo] + chunks);
  inputs_ = true;
  go_on();
}

// The clock. ----------------------------------------------------------------------------------------------------------

bool RtlRouter::quiet() const {
  if (!out_.idle || inputs_) return false;
  for (const auto& packets : incoming_) {
    if (!packets.empty()) return false;
  }
  for (const auto& packet : written_) {
    if (packet) return false;
  }
  return true;
}

void RtlRouter::clock(Cycle cycle) {
  if (settings_changed_) {
    settings_changed_ = false;
    pins_->set(settings());
  }
  put_links(cycle);
  put_quad();
  pins_->clock(in_, out_);
  in_ = RouterInputs{};
  inputs_ = false;
  take_tokens(cycle);
  take_injected(cycle);
  take_deliveries(cycle);
  take_links(cycle);
  take_quad(cycle);
  if (out_.idle) check_idle();
}

/// What says that it has nothing inside must have nothing inside.
void RtlRouter::check_idle() const {
  for (unsigned queue = 0; queue < kFirstInjection; ++queue) {
    const unsigned owed = owed_[queue / kLinkChannels][queue % kLinkChannels];
    if (owed != 0)
      throw RtlFault("is idle and has not given back " + std::to_string(owed) + " tokens of " +
                     requester_text(network_.topology(), queue));
    if (head(queue) != nullptr)
      throw RtlFault("is idle with a packet in " + requester_text(network_.topology(), queue));
  }
  for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
    if (head(Router::kFirstInjection + fifo) != nullptr) {
      throw RtlFault("is idle with a packet in " + requester_text(network_.topology(), kFirstInjection + fifo));
    }
  }
  for (unsigned fifo = 0; fifo < kReceptionFifos; ++fifo) {
    if (!read_[fifo].empty()) throw RtlFault("is idle with a packet in reception FIFO " + std::to_string(fifo));
  }
}

void RtlRouter::put_links(Cycle cycle) {
  in_.stop = 0;
  for (unsigned d = 0; d < kLinks; ++d) {
    if (output(d).stopped || output(d).held_back) in_.stop |= static_cast<std::uint8_t>(1u << d);
    if (incoming_[d].empty() || cycle < incoming_[d].front().first) continue;
    const Incoming& coming = incoming_[d].front();
    const auto byte = static_cast<unsigned>(cycle - coming.first);
    in_.link[d].valid = true;
    in_.link[d].first = byte == 0;
    // The header as it stands now: a router in Verilog before this one may just have put the byte there.
    in_.link[d].data =
        byte < 8 ? header(*coming.packet, hint_bits(coming.packet->hints))[byte] : coming.contents.at(byte);
    if (byte + 1 == coming.contents.bytes()) incoming_[d].pop_front();
  }
}

/// Headers first, so that packets that came at one time ask for their links at nearly one time.
void RtlRouter::put_quad() {
  unsigned chosen = kInjectionFifos;
  for (unsigned i = 1; i <= kInjectionFifos; ++i) {
    const unsigned fifo = (written_last_ + i) % kInjectionFifos;
    if (!written_[fifo]) continue;
    if (chosen == kInjectionFifos || written_[fifo]->quads < written_[chosen]->quads) chosen = fifo;
  }
  if (chosen == kInjectionFifos) return;
  Written& packet = *written_[chosen];
  in_.write = true;
  in_.write_first = packet.quads == 0;
  in_.write_fifo = static_cast<std::uint8_t>(chosen);
  for (unsigned i = 0; i < kQuadBytes; ++i) {
    const unsigned byte = packet.quads * kQuadBytes + i;
    in_.write_data[i] = byte < packet.header.size() ? packet.header[byte] : packet.contents.at(byte);
  }
  written_last_ = chosen;
  if (++packet.quads * kQuadBytes == packet.contents.bytes()) written_[chosen].reset();
}

// Output. -----------------------------------------------------------------------------------------------------

void RtlRouter::take_tokens(Cycle cycle) {
  const TorusConfig& config = network_.config();
  for (unsigned d = 0; d < kLinks; ++d) {
    for (unsigned channel = 0; channel < kLinkChannels; ++channel) {
      const unsigned tokens = out_.tokens[d][channel];
      if (tokens == 0) continue;
      if (tokens > owed_[d][channel]) {
        throw RtlFault("gives back " + std::to_string(tokens) + " tokens of " +
                       requester_text(network_.topology(), d * kLinkChannels + channel) + ", which owes " +
                       std::to_string(owed_[d][channel]));
      }
      owed_[d][channel] = static_cast<std::uint16_t>(owed_[d][channel] - tokens);
      gave_back(d, channel, tokens, cycle + config.link_cycles + config.receiver_cycles);
    }
  }
}

void RtlRouter::take_injected(Cycle cycle) {
  for (unsigned fifo = 0; fifo < kInjectionFifos; ++fifo) {
    if ((out_.taken >> fifo & 1) == 0) continue;
    if (head(Router::kFirstInjection + fifo) == nullptr) {
      throw RtlFault("takes a packet from injection FIFO " + std::to_string(fifo) + ", which has none");
    }
    taken(fifo, cycle - 1);
  }
}

void RtlRouter::take_deliveries(Cycle cycle) {
  for (unsigned in = 0; in < kLinks; ++in) {
    const RouterOutputs::Delivery& pins = out_.deliver[in];
    if (!pins.valid) continue;
    const Packet* packet = pins.from < kFirstInjection ? head(pins.from) : nullptr;
    if (packet == nullptr || pins.from / kLinkChannels != in || pins.fifo >= kReceptionFifos) {
      throw RtlFault("delivers a packet of " + requester_text(network_.topology(), pins.from) + " to reception FIFO " +
                     std::to_string(pins.fifo) + ", which is not there");
    }
    if (!pins.copy && packet->hints != 0) {
      throw RtlFault("delivers packet " + std::to_string(packet->serial) + " of node " +
                     std::to_string(packet->source) + ", which is not for this node");
    }
    const unsigned from = pins.from % kLinkChannels;
    if (!pins.copy) owed_[in][from] = static_cast<std::uint16_t>(owed_[in][from] + charge(from, packet->chunks));
    const Contents contents(*packet);
    Cycle at = 0;
    Packet& gone = delivered(pins.from, pins.fifo, pins.copy, cycle - 1, at);
    read_[pins.fifo].push_back(Read{contents, at});
    // A copy has its own contents. (Of the packet itself, the adapter now owns only the contents.)
    if (pins.copy) read_[pins.fifo].back().contents.data = gone.data;
  }
}

void RtlRouter::take_links(Cycle cycle) {
  for (unsigned d = 0; d < kLinks; ++d) {
    const LinkByte& pins = out_.link[d];
    if (!pins.valid) {
      if (outgoing_[d])
        throw RtlFault("sends no byte on link " + network_.topology().direction_name(d) + " in the middle of a packet");
      continue;
    }
    if (pins.first != !outgoing_[d]) {
      throw RtlFault(pins.first ? "begins a packet on link " + network_.topology().direction_name(d) + " within another"
                                : "sends a byte of no packet on link " + network_.topology().direction_name(d));
    }
    if (pins.first) first_byte(d, pins, cycle - kSendCycles);
    Outgoing& going = *outgoing_[d];
    if (going.bytes < 8) {
      header_byte(d, going, pins.data);
    } else {
      compare(going.contents, going.bytes, pins.data);
    }
    if (++going.bytes == going.contents.bytes()) outgoing_[d].reset();
  }
}

void RtlRouter::first_byte(unsigned direction, const LinkByte& pins, Cycle granted) {
  Packet* packet = head(model_requester(pins.from));
  if (packet == nullptr) {
    throw RtlFault("sends a packet of " + requester_text(network_.topology(), pins.from) +
                   ", which has none, on link " + network_.topology().direction_name(direction));
  }
  if (neighbour(direction) == kNoNode) {
    throw RtlFault("sends a packet on link " + network_.topology().direction_name(direction) + ", which leads nowhere");
  }
  const bool worked_out = pins.from >= kFirstInjection && hints_wanted_[pins.from - kFirstInjection];
  if (!worked_out && (packet->hints >> direction & 1) == 0) {
    throw RtlFault("sends packet " + std::to_string(packet->serial) + " of node " + std::to_string(packet->source) +
                   " on link " + network_.topology().direction_name(direction) + ", which is none of its ways");
  }
  if (output(direction).tokens[pins.channel] < charge(pins.channel, packet->chunks)) {
    throw RtlFault("sends a packet of " + std::to_string(packet->chunks) + " chunks on link " +
                   network_.topology().direction_name(direction) + " without the tokens for it");
  }
  if (pins.from < kFirstInjection) {
    const unsigned channel = pins.from % kLinkChannels;
    std::uint16_t& owed = owed_[pins.from / kLinkChannels][channel];
    owed = static_cast<std::uint16_t>(owed + charge(channel, packet->chunks));
  }
  outgoing_[direction] = std::make_unique<Outgoing>(Outgoing{Contents(*packet), packet, worked_out});
  sent(direction, model_requester(pins.from), pins.channel, granted);
}

void RtlRouter::header_byte(unsigned direction, Outgoing& going, std::uint8_t byte) {
  Packet& packet = *going.packet;
  std::uint8_t expected = header(packet, hint_bits(packet.hints))[going.bytes];
  if (going.bytes == 1 && going.hints_are_new) {
    packet.hints = 0;
    for (unsigned d = 0; d < kLinks; ++d) {
      if (byte >> 2 & TORUS_HINT(d)) packet.hints |= static_cast<std::uint16_t>(1u << d);
    }
    expected = static_cast<std::uint8_t>((expected & 3) | (byte & ~3));
  }
  // Sequence number and check belong to the link.
  if (going.bytes >= 6 || byte == expected) return;
  throw RtlFault("byte " + std::to_string(going.bytes) + " of the header of packet " + std::to_string(packet.serial) +
                 " of node " + std::to_string(packet.source) + " is " + std::to_string(byte) + " on link " +
                 network_.topology().direction_name(direction) + " and should be " + std::to_string(expected));
}

void RtlRouter::take_quad(Cycle cycle) {
  if (!out_.read) return;
  const unsigned fifo = out_.read_fifo;
  if (fifo >= kReceptionFifos || read_[fifo].empty()) {
    throw RtlFault("reads from reception FIFO " + std::to_string(fifo) + ", which has nothing");
  }
  Read& packet = read_[fifo].front();
  const bool last = (packet.quads + 1) * kQuadBytes == packet.contents.bytes();
  if (out_.read_first != (packet.quads == 0) || out_.read_last != last) {
    throw RtlFault("marks quad " + std::to_string(packet.quads) + " of a packet of " +
                   std::to_string(packet.contents.chunks) + " chunks in reception FIFO " + std::to_string(fifo) +
                   " as its " +
                   (out_.read_first  ? "first"
                    : out_.read_last ? "last"
                                     : "middle"));
  }
  for (unsigned i = 0; i < kQuadBytes; ++i) {
    const unsigned byte = packet.quads * kQuadBytes + i;
    if (byte >= 8) compare(packet.contents, byte, out_.read_data[i]);
  }
  ++packet.quads;
  if (!last) return;
  if (cycle >= packet.due) {
    throw RtlFault("has read a packet out of reception FIFO " + std::to_string(fifo) + " after it was due, at cycle " +
                   std::to_string(packet.due.count()));
  }
  read_[fifo].pop_front();
}

void RtlRouter::compare(const Contents& contents, unsigned byte, std::uint8_t out) {
  if (contents.at(byte) == out) return;
  count_changed(1);
  if (contents.data != nullptr) contents.data[byte] = out;
}

}  // namespace toroid::rtl
