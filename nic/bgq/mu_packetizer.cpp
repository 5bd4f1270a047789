// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_packetizer.h"

#include <algorithm>
#include <cstring>

#include "nic/bgq/mu_routing.h"

namespace toroid {
namespace {

constexpr std::uint16_t kLocalEngines = mu_engine_bit(kMuLocal0) | mu_engine_bit(kMuLocal1);
constexpr std::uint16_t kCollectiveEngines = mu_engine_bit(kMuCollectiveUser) | mu_engine_bit(kMuCollectiveSystem);
constexpr std::uint16_t kSystemEngines = mu_engine_bit(kMuSystem) | mu_engine_bit(kMuCollectiveSystem);

std::optional<MuDescriptorFault> fault(MuRule rule, std::string text) {
  return MuDescriptorFault{rule, std::move(text)};
}

}  // namespace

std::optional<MuDescriptorFault> MuPacketizer::prepare(MuMessage& message) const {
  message.system = state_.dcr.injection_is_system(message.fifo);
  message.engines = message.descriptor.fifo_map;
  if (message.engines == 0) return fault(MuRule::no_engine, "its FIFO map is 0 and names no network FIFO");
  if (auto found = check_payload(message)) return found;
  if (message.kind == MuMessage::Kind::prefetch) {
    return check_engines(message);
  }
  if (message.network.mu_type == BGQ_MU_PACED_GET)
    return fault(MuRule::packet_type, "its packet type is 3; there are memory FIFO, put and get, 0 to 2");
  if (auto found = check_lengths(message)) return found;
  if (auto found = check_rights(message)) return found;
  return choose_way(message);
}

std::optional<MuDescriptorFault> MuPacketizer::check_payload(const MuMessage& message) {
  const std::uint64_t payload = message.descriptor.payload;
  if (message.atomic()) {
    if (message.kind == MuMessage::Kind::remote_get)
      return fault(MuRule::get_atomic, "descriptors of a remote get have no atomic address");
    if (message.length() == 8) return std::nullopt;
    return fault(MuRule::atomic_length,
                 "a payload with an atomic address has 8 bytes, this one " + std::to_string(message.length()));
  }
  if (message.length() <= BGQ_ATOMIC_ADDRESS - payload) return std::nullopt;
  return fault(MuRule::payload_crosses,
               "its payload from " + mu_address_text(payload) + " on ends among the atomic addresses");
}

std::optional<MuDescriptorFault> MuPacketizer::check_lengths(const MuMessage& message) {
  const unsigned chunks = message.network.chunks;
  const std::uint64_t length = message.length();
  const std::string packets = "its packets have " + counted(chunks, "chunk") + " of 32 bytes";
  if (chunks > BGQ_PAYLOAD_CHUNKS) return fault(MuRule::packet_size, packets + "; 16 is the most");
  if (message.kind == MuMessage::Kind::remote_get) {
    if (length < BGQ_DESCRIPTOR_BYTES)
      return fault(MuRule::length_none, "a remote get carries at least one descriptor of 64 bytes");
    if (length % BGQ_DESCRIPTOR_BYTES != 0)
      return fault(MuRule::get_length, "a remote get carries whole descriptors of 64 bytes");
    if (chunks < 2) return fault(MuRule::packet_too_small, packets + "; a descriptor needs 2");
    if (chunks % 2 != 0) return fault(MuRule::get_packet_size, packets + ", which is not whole descriptors");
    return std::nullopt;
  }
  if (message.kind == MuMessage::Kind::put) {
    if (length == 0) return fault(MuRule::length_none, "a put has at least one byte");
    if (chunks == 0) return fault(MuRule::packet_too_small, packets + "; a put needs 1");
  }
  if (length != 0 && chunks == 0) return fault(MuRule::packet_empty, packets + ", and the message is not empty");
  return std::nullopt;
}

std::optional<MuDescriptorFault> MuPacketizer::check_rights(const MuMessage& message) {
  const unsigned vc = message.network.vc;
  if (vc > BGQ_VC_SYSTEM_COLLECTIVE) return fault(MuRule::no_channel, "there is no virtual channel 7");
  if (message.system) return std::nullopt;
  if (is_system_channel(vc)) {
    return fault(MuRule::system_channel,
                 "virtual channel " + std::to_string(vc) + " is the system's, and the FIFO is not");
  }
  return check_engines(message);
}

std::optional<MuDescriptorFault> MuPacketizer::check_engines(const MuMessage& message) {
  if (message.system || (message.engines & kSystemEngines) == 0) return std::nullopt;
  return fault(MuRule::system_engine, "its FIFO map names a network FIFO of the system, and the FIFO is not");
}

std::optional<MuDescriptorFault> MuPacketizer::choose_way(MuMessage& message) const {
  if (message.network.type == BGQ_TYPE_COLLECTIVE) return choose_collective_way(message);
  const Topology& topology = state_.network.topology();
  // The local FIFOs lead nowhere else: a map of them alone leaves the destination unused. Programs for the machine put
  // their completions like that, with a destination of 0 on every node.
  const bool local_alone = message.engines != 0 && (message.engines & ~kLocalEngines) == 0;
  if (local_alone || stays_inside(message.network, topology.coordinates(state_.node))) {
    constexpr std::uint16_t kInside = kLocalEngines | mu_engine_bit(kMuPriority) | mu_engine_bit(kMuSystem);
    message.engines &= kInside;
    message.local = true;
    if (message.engines != 0) return std::nullopt;
    return fault(MuRule::local_fifo,
                 "it goes to its own node, and its FIFO map names no network FIFO for that: local 0 or 1, priority "
                 "or system");
  }
  message.engines &= static_cast<std::uint16_t>(~(kLocalEngines | kCollectiveEngines));
  if (message.engines == 0)
    return fault(MuRule::local_fifo, "it goes to another node, and its FIFO map names no network FIFO for that");
  if (message.network.type != BGQ_TYPE_POINT_TO_POINT)
    return fault(MuRule::header, "bad packet header: its type is " + std::to_string(message.network.type) +
                                     "; there are point-to-point packets, 85, and collective ones, 90");
  Packet packet;
  apply_network_header(message.network, packet);
  const std::uint32_t errors = state_.network.check(packet, state_.node);
  if (errors == 0) return std::nullopt;
  return fault(MuRule::header, "bad packet header: " + network_header_fault(errors, message.network, topology.shape()));
}

std::optional<MuDescriptorFault> MuPacketizer::choose_collective_way(MuMessage& message) const {
  message.engines &= kCollectiveEngines;
  if (message.engines == 0)
    return fault(MuRule::local_fifo, "it is collective, and its FIFO map names no network FIFO for that");
  Packet packet;
  packet.data = message.bytes.data() + BGQ_DESCRIPTOR_HEADER;
  const char* const why = state_.outside.refusal(packet);
  if (why == nullptr) return std::nullopt;
  return fault(MuRule::header, std::string("bad packet header: ") + why);
}

std::uint32_t MuPacketizer::next_bytes(const MuMessage& message) {
  const unsigned chunks = message.kind == MuMessage::Kind::prefetch ? BGQ_PAYLOAD_CHUNKS : message.network.chunks;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(message.left(), chunks * BGQ_CHUNK_BYTES));
}

Packet& MuPacketizer::next(const MuMessage& message, unsigned engine) {
  Packet& packet = state_.network.pool().allocate(true);
  apply_network_header(message.network, packet);
  if (message.local) {
    packet.hints = 0;
    packet.routing &= static_cast<std::uint8_t>(~PacketRouting::to_io);
    packet.destination = state_.network.topology().coordinates(state_.node);
  }
  if (engine == kMuLocal1) packet.routing |= PacketRouting::second_local;
  packet.source = state_.node;
  packet.serial = serial_++;
  const std::uint32_t bytes = next_bytes(message);
  const unsigned payload = (bytes + BGQ_CHUNK_BYTES - 1) / BGQ_CHUNK_BYTES;
  packet.chunks = static_cast<std::uint8_t>(1 + payload);
  std::uint8_t* const header = packet.data;
  std::memcpy(header, message.header(), BGQ_HEADER_BYTES);
  header[8] = static_cast<std::uint8_t>((header[8] & 0xE0u) | payload);
  const bool last = bytes == message.left();
  const bool interrupt = last && message.descriptor.interrupt != 0 && message.kind == MuMessage::Kind::memory_fifo;
  header[2] = static_cast<std::uint8_t>((header[2] & ~1u) | (interrupt ? 1 : 0));
  // Of a message that is one packet this changes nothing: the field is software's own.
  if (message.kind != MuMessage::Kind::remote_get)
    bgq_set_put_offset(header, bgq_put_offset(message.header()) + message.issued);
  if (message.kind == MuMessage::Kind::put) bgq_set_valid_bytes(header, bytes);
  std::memset(header + BGQ_HEADER_BYTES + bytes, 0, payload * BGQ_CHUNK_BYTES - bytes);
  return packet;
}

}  // namespace toroid
