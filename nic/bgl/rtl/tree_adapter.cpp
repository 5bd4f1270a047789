// SPDX-License-Identifier: Apache-2.0
#include "nic/bgl/rtl/tree_adapter.h"

#include <algorithm>
#include <utility>

#include "nic/collective/tree_packet.h"
#include "torus/rtl/fault.h"
#include "torus/tree/alu.h"

namespace toroid::rtl {
namespace {

// Latencies of the Verilog (tree_pins.h).
constexpr unsigned kReceiverCycles = 8;
constexpr unsigned kInjectionCycles = 7;
constexpr unsigned kArbiterCycles = 3;
constexpr unsigned kSenderCycles = 3;
constexpr unsigned kSendCycles = kArbiterCycles + kSenderCycles;
constexpr unsigned kAluCycles = 2;

static_assert(kTreePinPorts == TreeRouter::kPorts && kTreePinVcs == kTreeVirtualChannels);
static_assert(kTreePinClasses == kTreeClasses && kTreeFrameWords == kTreeHeaderWords + kTreePayloadWords);

std::uint32_t wire_header(const TreePacket& packet) {
  std::uint32_t header = static_cast<std::uint32_t>(packet.route_class) << TREE_H(CLASS) |
                         (packet.header & TREE_HEADER_INJECTION_IRQ_MASK) |
                         (packet.header & TREE_HEADER_INJECTION_CHECKSUM_MASK);
  if (packet.point_to_point) {
    constexpr std::uint32_t kTarget =
        TREE_HEADER_INJECTION_OPCODE_MASK | TREE_HEADER_INJECTION_SIZE_MASK | TREE_HEADER_INJECTION_TAG_MASK;
    return header | TREE_HEADER_INJECTION_P2P_MASK | (packet.target << TREE_H(TAG) & kTarget);
  }
  return header | static_cast<std::uint32_t>(packet.opcode) << TREE_H(OPCODE) |
         (packet.operand_words - 1u) << TREE_H(SIZE) | (packet.header & TREE_HEADER_INJECTION_TAG_MASK);
}

bool carried_last_first(const TreePacket& packet) {
  return !packet.point_to_point && packet.opcode == TreeOpcode::add;
}

/// Place in the payload of the frame's word `index`.
unsigned place(unsigned index, bool last_first) {
  return last_first ? kTreeFrameWords - 1 - index : index - kTreeHeaderWords;
}

std::uint16_t load(const TreeData& data, unsigned word) {
  return static_cast<std::uint16_t>(data.bytes[2 * word] << 8 | data.bytes[2 * word + 1]);
}

std::string port_text(unsigned port) {
  return port == kTreeLocal ? "the local client" : "channel " + std::to_string(port);
}

std::string queue_text(unsigned vc, unsigned port) {
  return "VC" + std::to_string(vc) + " of " + port_text(port);
}

std::string ports_text(unsigned ports) {
  std::string text;
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    if ((ports >> port & 1) != 0) text += (text.empty() ? "" : ", ") + port_text(port);
  }
  return text.empty() ? "nobody" : text;
}

}  // namespace

std::vector<std::string> RtlTreeRouter::obstacles(const TreeConfig& config) {
  std::vector<std::string> found;
  const auto need = [&found](bool good, const std::string& text) {
    if (!good) found.push_back(text);
  };
  need(config.link_bytes_per_cycle == 2, "tree.link_bytes_per_cycle must be 2");
  need(config.wire_overhead >= 4, "tree.wire_overhead must be at least 4");
  need(config.receiver_cycles == kReceiverCycles, "tree.receiver_cycles must be 8");
  need(config.arbiter_cycles == kArbiterCycles, "tree.arbiter_cycles must be 3");
  need(config.sender_cycles == kSenderCycles, "tree.sender_cycles must be 3");
  need(config.alu_cycles == kAluCycles, "tree.alu_cycles must be 2");
  need(config.link_cycles >= 2, "tree.link_cycles must be at least 2");
  need(config.injection_cycles == kInjectionCycles + 1, "tree.injection_cycles must be 8");
  need(config.reception_cycles >= 7, "tree.reception_cycles must be at least 7");
  need(config.buffer_packets <= kTreeChannelBuffer, "tree.buffer_packets must be at most 4");
  need(config.stuck_after >= 2, "tree.stuck_after must be at least 2");
  return found;
}

RtlTreeRouter::RtlTreeRouter(TreeNetwork& network, std::uint32_t node, std::string name, std::unique_ptr<TreePins> pins,
                             RtlRun& run)
    : TreeStandIn(network.router(node)),
      ClockedUnit(std::move(name), run),
      network_(network),
      wire_cycles_(tree_wire_cycles(network.config())),
      pins_(std::move(pins)) {
  settings_ = settings();
  pins_->reset(settings_);
}

RtlTreeRouter::~RtlTreeRouter() = default;

unsigned RtlTreeRouter::receiver_cycles() const {
  return kReceiverCycles;
}
unsigned RtlTreeRouter::injection_cycles() const {
  return kInjectionCycles;
}

TreeSettings RtlTreeRouter::settings() const {
  const TreeConfig& config = network_.config();
  TreeSettings settings;
  for (unsigned route_class = 0; route_class < kTreeClasses; ++route_class) {
    settings.descriptors[route_class] = router().descriptor(route_class);
  }
  settings.address = router().address();
  for (unsigned vc = 0; vc < kTreePinVcs; ++vc) {
    if (router().accepts_all(vc)) settings.accepts_all |= static_cast<std::uint8_t>(1u << vc);
  }
  settings.exists = static_cast<std::uint8_t>(ports());
  settings.wire_cycles = static_cast<std::uint16_t>(wire_cycles_);
  settings.channel_packets = static_cast<std::uint8_t>(config.buffer_packets);
  settings.local_packets = static_cast<std::uint8_t>(config.fifo_packets);
  return settings;
}

// Input. ------------------------------------------------------------------------------------------------------

void RtlTreeRouter::packet_came(const TreePacket& packet, unsigned vc, unsigned port) {
  context().pool->hold(*packet.data);
  const bool local = port == kTreeLocal;
  incoming_[local ? kTreePinChannels + vc : port].push_back({packet.data, wire_header(packet),
                                                             static_cast<std::uint8_t>(vc), carried_last_first(packet),
                                                             local ? kNotBegun : now()});
}

void RtlTreeRouter::token_came(unsigned vc, unsigned port) {
  in_.tokens[port] |= static_cast<std::uint8_t>(1u << vc);
}

void RtlTreeRouter::new_settings() {
  settings_ = settings();
  pins_->set(settings_);
}

void RtlTreeRouter::event_ends() {
  inputs_ = true;
  for (unsigned channel = 0; channel < kTreePinChannels; ++channel) {
    in_.hold[channel] = held(channel);
    if (free_at(channel) == link_free_at_[channel]) continue;
    link_free_at_[channel] = free_at(channel);  // error control sends a frame again
    in_.occupied |= static_cast<std::uint8_t>(1u << channel);
  }
  go_on();
}

bool RtlTreeRouter::quiet() const {
  if (inputs_ || !out_.idle) return false;
  for (unsigned stream = 0; stream < kStreams; ++stream) {
    if (incoming_[stream].empty()) continue;
    if (stream < kTreePinChannels || incoming_[stream].front().first != kNotBegun) return false;
    if (injected_[stream - kTreePinChannels] < kTreeInjectionBuffer) return false;
  }
  return true;
}

/// The words of this cycle. The device's packets follow each other as there is room.
void RtlTreeRouter::put_words(Cycle cycle) {
  for (unsigned stream = 0; stream < kStreams; ++stream) {
    const bool local = stream >= kTreePinChannels;
    const unsigned vc = stream - kTreePinChannels;  // of a local one
    TreeWord& pins = local ? in_.inject[vc] : in_.channel[stream];
    pins = {};
    if (local && leaving_[vc] != 0 && cycle >= leaves_[vc]) {
      leaving_[vc] = 0;
      --injected_[vc];
    }
    if (incoming_[stream].empty()) continue;
    Incoming& in = incoming_[stream].front();
    if (in.first == kNotBegun) {
      if (injected_[vc] == kTreeInjectionBuffer) continue;
      ++injected_[vc];
      in.first = cycle;
    }
    const auto index = static_cast<unsigned>(cycle - in.first);
    pins.valid = true;
    pins.first = index == 0;
    pins.vc = in.vc;
    pins.data = index < kTreeHeaderWords ? static_cast<std::uint16_t>(index == 0 ? in.header >> 16 : in.header)
                                         : load(*in.data, place(index, in.last_first));
    if (index + 1 < kTreeFrameWords) continue;
    context().pool->drop(*in.data);
    incoming_[stream].pop_front();
  }
}

// Output. ------------------------------------------------------------------------------------------------------

void RtlTreeRouter::clock(Cycle cycle) {
  put_words(cycle);
  inputs_ = false;
  pins_->clock(in_, out_);
  in_.tokens.fill(0);
  in_.occupied = 0;
  for (const TreeOutputs::Move& made : out_.moves) {
    if (!made.valid) break;
    take_move(made, cycle);
  }
  for (unsigned port = 0; port < kTreePinPorts; ++port) take_word(port, cycle);
  take_tokens(cycle);
  if (out_.idle && quiet()) check_nothing_is_missing();
}

void RtlTreeRouter::check_move(const Move& move, unsigned vc) const {
  const std::string from = "it moves a packet from " + ports_text(move.inputs) + " on VC" + std::to_string(vc) +
                           " to " + ports_text(move.outputs);
  if (move.inputs == 0) throw RtlFault("it moves a packet from nowhere");
  const auto first = static_cast<unsigned>(__builtin_ctz(move.inputs));
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    if ((move.inputs >> port & 1) != 0) {
      const TreePacket* const packet = head(vc, port);
      if (packet == nullptr) throw RtlFault(from + ", but there is none from " + port_text(port));
      const TreePacket& other = *head(vc, first);
      if (move.combined && (!packet->combines() || packet->route_class != other.route_class ||
                            packet->opcode != other.opcode || packet->operand_words != other.operand_words)) {
        throw RtlFault("it combines packets that differ in class, opcode or operand size: those from " +
                       port_text(first) + " and " + port_text(port) + " on VC" + std::to_string(vc));
      }
    }
    if ((move.outputs >> port & 1) != 0) {
      if ((ports() >> port & 1) == 0) throw RtlFault(from + ", which is not there");
      if (router().tokens(vc, port) == 0) throw RtlFault(from + " without a token for " + port_text(port));
    }
  }
  // A driver may have written since; then the router does not know it yet.
  const unsigned route_class = head(vc, first)->route_class;
  if (router().descriptor(route_class) != settings_.descriptors[route_class] ||
      router().address() != settings_.address || router().accepts_all(vc) != ((settings_.accepts_all >> vc & 1) != 0)) {
    return;
  }
  Move rules;
  if (!expected(vc, first, rules) || rules.inputs != move.inputs || rules.outputs != move.outputs ||
      rules.combined != move.combined) {
    throw RtlFault(from + ", which is not what the descriptor of class " + std::to_string(route_class) + " says");
  }
}

void RtlTreeRouter::take_move(const TreeOutputs::Move& made, Cycle cycle) {
  const unsigned vc = made.vc;
  Move move;
  move.inputs = made.inputs;
  move.outputs = made.outputs;
  move.combined = made.combined;
  check_move(move, vc);

  TreePacketPool& pool = *context().pool;
  std::array<TreeData*, kTreePinPorts> made_of{};
  unsigned count = 0;
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    if ((move.inputs >> port & 1) == 0) continue;
    made_of[count] = head(vc, port)->data;
    pool.hold(*made_of[count++]);
    if (port != kTreeLocal) {
      ++owed_[port][vc];
    } else {
      leaving_[vc] = 1;
      leaves_[vc] = cycle + wire_cycles_;
    }
  }
  const TreePacket& first = *head(vc, static_cast<unsigned>(__builtin_ctz(move.inputs)));
  Outgoing going{};
  going.header = wire_header(first);
  going.opcode = first.opcode;
  going.operand_words = first.operand_words;
  going.vc = static_cast<std::uint8_t>(vc);
  going.last_first = carried_last_first(first);
  TreePacket& packet = granted(vc, move, cycle);
  for (unsigned left = move.outputs; left != 0; left &= left - 1) {
    const bool last = (left & (left - 1)) == 0;
    const auto port = static_cast<unsigned>(__builtin_ctz(left));
    going.packet = last ? &packet : &pool.share(packet);
    pool.unshare(*going.packet);
    going.data = going.packet->data;
    pool.hold(*going.data);
    for (unsigned i = 0; i < count; ++i) pool.hold(*made_of[i]);
    going.made_of = made_of;
    outgoing_[port].push_back(going);
    if (port != kTreeLocal) link_free_at_[port] = free_at(port);
  }
  if (move.outputs == 0) pool.release(packet);
  for (unsigned i = 0; i < count; ++i) pool.drop(*made_of[i]);
}

void RtlTreeRouter::take_word(unsigned port, Cycle cycle) {
  const TreeWord& word = out_.port[port];
  if (!outgoing_[port].empty() && outgoing_[port].front().words == wire_cycles_) outgoing_[port].pop_front();
  if (outgoing_[port].empty()) {
    if (word.valid) throw RtlFault("it sends a word to " + port_text(port) + " that belongs to no packet");
    return;
  }
  Outgoing& going = outgoing_[port].front();
  if (!word.valid) {
    if (going.words != 0) throw RtlFault("a gap in the packet that it sends to " + port_text(port));
    return;
  }
  const unsigned index = going.words++;
  if (word.first != (index == 0)) {
    throw RtlFault(index == 0 ? "the packet that it sends to " + port_text(port) + " has no first word"
                              : "it begins a packet to " + port_text(port) + " within another");
  }
  const std::string packet_text = "the packet to " + port_text(port) + " on VC" + std::to_string(going.vc);
  if (index == 0) {
    if (word.vc != going.vc) throw RtlFault(packet_text + " goes out on VC" + std::to_string(word.vc));
    going.first = cycle;
    begins(*going.packet, going.vc, port, cycle - kSendCycles);
    if (port != kTreeLocal) {
      going.packet = nullptr;
      link_free_at_[port] = free_at(port);
      in_.hold[port] = held(port);
    }
  }
  if (index < kTreeHeaderWords) {
    const auto expected_word = static_cast<std::uint16_t>(index == 0 ? going.header >> 16 : going.header);
    if (word.data != expected_word) throw RtlFault("the header of " + packet_text + " is not that which came in");
  } else if (index < kTreeFrameWords) {
    compare(going, place(index, going.last_first), word.data);
    if (index + 1 == kTreeFrameWords) {
      finish(going);
      if (port == kTreeLocal) {
        delivered(*going.packet, going.vc,
                  going.first - kSendCycles + wire_cycles_ + network_.config().reception_cycles);
      }
    }
  }
}

/// The router's word of a payload replaces the model's.
void RtlTreeRouter::compare(Outgoing& going, unsigned word, std::uint16_t out) {
  if (load(*going.data, word) == out) return;
  going.data->bytes[2 * word] = static_cast<std::uint8_t>(out >> 8);
  going.data->bytes[2 * word + 1] = static_cast<std::uint8_t>(out);
  // What went in may have changed since: then the router is right.
  TreeData now_expected = *going.made_of[0];
  for (unsigned i = 1; i < kTreePinPorts && going.made_of[i] != nullptr; ++i) {
    tree_combine(going.opcode, going.operand_words, now_expected, *going.made_of[i]);
  }
  unsigned differ = 0;
  for (unsigned byte = 2 * word; byte < 2 * word + 2; ++byte) {
    differ += now_expected.bytes[byte] != going.data->bytes[byte] ? 1 : 0;
  }
  count_changed(differ);
}

void RtlTreeRouter::finish(Outgoing& going) {
  context().pool->drop(*going.data);
  for (TreeData* data : going.made_of) {
    if (data != nullptr) context().pool->drop(*data);
  }
}

void RtlTreeRouter::take_tokens(Cycle cycle) {
  for (unsigned channel = 0; channel < kTreePinChannels; ++channel) {
    for (unsigned vc = 0; vc < kTreePinVcs; ++vc) {
      if ((out_.tokens[channel] >> vc & 1) == 0) continue;
      if (owed_[channel][vc] == 0) {
        throw RtlFault("it gives back a token for " + queue_text(vc, channel) + " though no packet has left");
      }
      --owed_[channel][vc];
      gave_back(vc, channel, cycle + network_.config().link_cycles + network_.config().receiver_cycles);
    }
  }
}

/// The router says that nothing is under way.
void RtlTreeRouter::check_nothing_is_missing() const {
  for (unsigned port = 0; port < kTreePinPorts; ++port) {
    for (const Outgoing& going : outgoing_[port]) {
      if (going.words < wire_cycles_) throw RtlFault("a packet that it granted " + port_text(port) + " never came out");
    }
    for (unsigned vc = 0; port < kTreePinChannels && vc < kTreePinVcs; ++vc) {
      if (owed_[port][vc] != 0) {
        throw RtlFault("it has not given back the token for a packet that has left " + queue_text(vc, port));
      }
    }
  }
}

}  // namespace toroid::rtl
