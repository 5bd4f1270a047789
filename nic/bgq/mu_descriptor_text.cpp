// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_descriptor_text.h"

#include <algorithm>
#include <cstdio>

#include "nic/bgq/mu_fifos.h"
#include "nic/bgq/mu_message.h"

namespace toroid {
namespace {

std::string hex_text(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

const char* channel_name(unsigned vc) {
  static constexpr const char* kNames[] = {
      "dynamic",         "deterministic",    "high priority",     "system",
      "user, all nodes", "user, some nodes", "system collective", "7, which is none"};
  return kNames[vc & 7];
}

/// "A-", "E+": bit 9 is A-, bit 0 E+.
std::string links_text(unsigned bits) {
  std::string text;
  for (unsigned link = 0; link < 2 * BGQ_DIMENSIONS; ++link) {
    if ((bits >> (2 * BGQ_DIMENSIONS - 1 - link) & 1) == 0) continue;
    text += (text.empty() ? "" : " ") + std::string(1, static_cast<char>('A' + link / 2)) + (link % 2 == 0 ? "-" : "+");
  }
  return text;
}

std::string fifo_map_text(unsigned map) {
  static constexpr const char* kNames[] = {"local 0", "local 1",     "priority",
                                           "system",  "collectives", "the system's collectives"};
  const unsigned torus = map >> 6;
  std::string text = torus == 0 ? "" : torus == BGQ_FIFO_MAP_TORUS >> 6 ? "all links" : links_text(torus);
  for (unsigned other = 0; other < std::size(kNames); ++other) {
    if ((map >> (std::size(kNames) - 1 - other) & 1) != 0)
      text += (text.empty() ? "" : ", ") + std::string(kNames[other]);
  }
  return text.empty() ? "none" : text;
}

std::string operation_text(const bgq_network_t& network) {
  static constexpr const char* kOperations[] = {
      "AND",        "OR",         "XOR",        nullptr, "unsigned ADD", "unsigned MIN", "unsigned MAX", nullptr,
      "signed ADD", "signed MIN", "signed MAX", nullptr, "float ADD",    "float MIN",    "float MAX",    nullptr};
  static constexpr const char* kTypes[] = {"broadcast", nullptr, "all-reduction", "reduction"};
  const char* const type = kTypes[network.collective & 3];
  const char* const operation = kOperations[network.operation & 15];
  std::string text = type != nullptr ? type : "collective type 1, which is none";
  if (network.collective == BGQ_COLLECTIVE_BROADCAST) return text;
  text += operation != nullptr ? std::string(" by ") + operation : " by operation " + std::to_string(network.operation);
  return text + " of " + std::to_string(std::uint64_t{4} << network.word_exponent) + " bytes each";
}

std::string way_text(const MuMessage& message) {
  const bgq_network_t& network = message.network;
  std::string text = std::string("channel ") + channel_name(network.vc);
  if (network.type == BGQ_TYPE_COLLECTIVE) {
    text += ", " + operation_text(network);
  } else {
    text += network.dynamic != 0 ? ", routed dynamically" : "";
    text += network.hints != 0 ? ", hints " + links_text(network.hints) : ", no hints";
    if (network.deposit != 0) text += ", leaves copies";
    if (network.to_io != 0) text += ", to the I/O node";
  }
  text += ", network FIFOs: " + fifo_map_text(message.descriptor.fifo_map);
  if (message.descriptor.interrupt != 0) text += ", interrupt at the end";
  return text;
}

std::string target_text(const MuMessage& message) {
  const std::uint8_t* const header = message.header();
  switch (message.network.mu_type) {
    case BGQ_MU_PUT:
      return "to " + mu_base_text(bgq_payload_base(header)) + " + " + hex_text(bgq_put_offset(header)) +
             ", counted at " + mu_base_text(bgq_counter_base(header)) + " + " +
             hex_text(bgq_counter_offset(header) & BGQ_PUT_OFFSET_MASK);
    case BGQ_MU_GET:
      return "to " + mu_injection_text(bgq_payload_base(header));
    case BGQ_MU_MEMORY_FIFO:
      return "to " + mu_reception_text(bgq_reception_fifo(header)) + ", put offset " + hex_text(bgq_put_offset(header));
    default:
      return "packet type 3, which is none";
  }
}

}  // namespace

std::string mu_descriptor_text(std::uint64_t place, const MuMemory& memory, const std::string& indent) {
  const std::uint8_t* const bytes = memory(place, BGQ_DESCRIPTOR_BYTES);
  std::string text = indent + "descriptor at " + mu_address_text(place) + ": ";
  if (bytes == nullptr) return text + "there is no memory\n";
  MuMessage message;
  std::copy_n(bytes, BGQ_DESCRIPTOR_BYTES, message.bytes.begin());
  message.decode();
  const std::uint64_t payload = message.descriptor.payload;
  text += message.text() + ", from " + mu_address_text(payload & BGQ_ADDRESS_MASK & (message.atomic() ? ~7ull : ~0ull));
  if (message.atomic()) text += " by atomic load " + std::to_string(payload & 7);
  if (message.kind == MuMessage::Kind::prefetch) return text + "\n";
  text += ", packets of " + std::to_string(message.network.chunks * BGQ_CHUNK_BYTES) + " bytes\n";
  text += indent + "  " + target_text(message) + "\n" + indent + "  " + way_text(message) + "\n";
  if (message.kind != MuMessage::Kind::remote_get) return text;
  constexpr std::uint64_t kShown = BGQ_PAYLOAD_BYTES / BGQ_DESCRIPTOR_BYTES;
  const std::uint64_t carried = message.length() / BGQ_DESCRIPTOR_BYTES;
  // One that carries a remote get again is told without what that carries.
  for (std::uint64_t i = 0; i < std::min(carried, kShown) && indent.size() < 6; ++i)
    text += mu_descriptor_text(payload + i * BGQ_DESCRIPTOR_BYTES, memory, indent + "    ");
  if (carried > kShown) text += indent + "    and " + std::to_string(carried - kShown) + " more\n";
  return text;
}

std::string mu_packet_text(const std::uint8_t* header) {
  const bgq_network_t network = bgq_network_decode(header);
  std::string text = std::to_string(network.chunks * BGQ_CHUNK_BYTES) + " bytes of payload, channel " +
                     channel_name(network.vc) + ", put offset " + hex_text(bgq_put_offset(header));
  if (network.type == BGQ_TYPE_COLLECTIVE) text += ", class route " + std::to_string(network.class_route);
  if (network.interrupt != 0) text += ", interrupts";
  constexpr unsigned kSoftware = 18;  // bytes from here on are the sender's own
  text += ", the sender's bytes";
  for (unsigned byte = kSoftware; byte < BGQ_HEADER_BYTES; ++byte) {
    char two[4];
    std::snprintf(two, sizeof two, byte == kSoftware ? " %02x" : "%02x", header[byte]);
    text += two;
  }
  return text;
}

}  // namespace toroid
