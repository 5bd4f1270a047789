// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "nic/collective/tree_queues.h"

namespace toroid {
namespace {

namespace header_field = tree_windows::header_injection;
namespace dcr = tree_dcr;

bool opcode_exists(unsigned opcode) {
  return opcode <= TREE_XOR || opcode == TREE_MAX || opcode == TREE_ADD;
}

void decode(TreePacket& packet) {
  const std::uint32_t header = packet.header;
  packet.route_class = static_cast<std::uint8_t>(tree_header_class(header));
  packet.point_to_point = header_field::kP2p.of(header) != 0;
  if (packet.point_to_point) {
    packet.target = dcr::node_address::kAddress.of(header >> header_field::kTag.shift);
  } else {
    packet.opcode = static_cast<TreeOpcode>(header_field::kOpcode.of(header));
    packet.operand_words = static_cast<std::uint8_t>(header_field::kSize.of(header) + 1);
  }
}

}  // namespace

/// Whether `count` is surely less than `most`; waits for the network where that is not known yet.
bool TreeInjection::has_room(TimedCount& count, unsigned most, sc_core::sc_time& delay) {
  if (count.at_most(sc_core::sc_time_stamp() + delay) < most) return true;
  node_.synchronise(delay);
  count.settle(sc_core::sc_time_stamp());
  return count.at_most(sc_core::sc_time_stamp()) < most;
}

/// The first packet that lacks its header, or a quad of its payload.
TreeInjection::Entry& TreeInjection::place_to_write(bool header) {
  for (Entry& candidate : entries_) {
    if (header ? !candidate.header : candidate.quads < kQuads) return candidate;
  }
  return entries_.emplace_back(Entry{&node_.network.pool().allocate(), 0, false, sc_core::SC_ZERO_TIME});
}

bool TreeInjection::write_payload(RegisterTransfer& transfer) {
  if (!has_room(quads_, node_.packets() * kQuads, transfer.delay)) {
    node_.dcr(dcr::kInjectionException) |= dcr::injection_exception::kPayloadOverflow0.at(1) >> vc_;
    transfer.reason = "write to the full tree payload injection FIFO of " + name_ + ", which holds " +
                      std::to_string(node_.packets() * kQuads) + " quads; check the status before a packet is written";
    return false;
  }
  Entry& entry = place_to_write(false);
  std::memcpy(entry.packet->data->bytes.data() + entry.quads * kQuadBytes, transfer.data, kQuadBytes);
  ++entry.quads;
  written(entry, quads_, sc_core::sc_time_stamp() + transfer.delay);
  return true;
}

bool TreeInjection::write_header(RegisterTransfer& transfer) {
  if (!has_room(headers_, node_.packets(), transfer.delay)) {
    node_.dcr(dcr::kInjectionException) |= dcr::injection_exception::kHeaderOverflow0.at(1) >> vc_;
    transfer.reason = "write to the full tree header injection FIFO of " + name_ + ", which holds " +
                      std::to_string(node_.packets()) + " headers; check the status before a packet is written";
    return false;
  }
  const auto header = load_word<std::uint32_t>(transfer.data);
  const unsigned opcode = header_field::kOpcode.of(header);
  if (header_field::kP2p.of(header) == 0 && !opcode_exists(opcode)) {
    transfer.reason = "tree packet header on " + name_ + " with opcode " + std::to_string(opcode) +
                      "; there are 0 (none), 1 (OR), 2 (AND), 3 (XOR), 5 (maximum) and 6 (sum)";
    return false;
  }
  Entry& entry = place_to_write(true);
  entry.packet->header = header;
  entry.header = true;
  written(entry, headers_, sc_core::sc_time_stamp() + transfer.delay);
  return true;
}

/// Sends the packets that are complete now.
void TreeInjection::written(Entry& entry, TimedCount& count, sc_core::sc_time when) {
  entry.at = std::max(entry.at, when);
  count.change(when, +1);
  node_.announce(when);
  while (front_is_done()) {
    const auto [packet, quads, header, latest] = entries_.front();
    node_.tell_watch(PacketWatch::Event::injected, vc_, latest, *packet);
    entries_.pop_front();
    decode(*packet);
    add_checksum(*packet);
    ++node_.counters.packets_injected[vc_];
    ++in_;
    node_.router().inject(*packet, vc_, std::max(node_.cycle_behind(latest), node_.network.now()));
  }
}

/// Sums of 16-bit words, over what the header's mode says.
void TreeInjection::add_checksum(const TreePacket& packet) {
  const unsigned mode = header_field::kChecksum.of(packet.header);
  if (mode == 0) return;
  const std::uint32_t settings = node_.dcr(dcr::kVcConfiguration, vc_);
  const unsigned skipped = mode == 1   ? kQuadBytes / 2
                           : mode == 2 ? dcr::vc_configuration::kChecksumExclude.of(settings)
                                       : 0;
  std::uint32_t& payload = node_.dcr(dcr::kChecksum, 2 * vc_);
  for (unsigned word = skipped; word < TREE_PAYLOAD_WORDS; ++word)
    payload += load_word<std::uint16_t>(packet.data->bytes.data() + 2 * word);
  node_.dcr(dcr::kChecksum, 2 * vc_ + 1) += (packet.header >> 16) + (packet.header & 0xFFFFu);
}

void TreeInjection::taken(Cycle at) {
  const sc_core::sc_time when = node_.clock.time_of(at);
  settle(sc_core::sc_time_stamp());
  quads_.change(when, -static_cast<int>(kQuads));
  headers_.change(when, -1);
  ++out_;
  node_.announce(at);
}

std::uint64_t TreeInjection::unsent(unsigned route_class) const {
  const auto of_class = [route_class](const Entry& entry) {
    return (entry.header ? tree_header_class(entry.packet->header) : 0) == route_class;
  };
  return static_cast<std::uint64_t>(std::count_if(entries_.begin(), entries_.end(), of_class));
}

void TreeInjection::pending_work(const std::string& node, std::vector<PendingWork>& work) const {
  if (entries_.empty()) return;
  const Entry& first = entries_.front();
  const std::string of_class =
      first.header ? " of class " + std::to_string(tree_header_class(first.packet->header)) : "";
  work.push_back({PendingWork::Kind::unfinished,
                  "tree injection FIFOs of " + node + ", " + name_ + ", hold " + parts_text(first.header, first.quads) +
                      " of an unfinished packet" + of_class + behind_text(entries_.size() - 1),
                  first.at});
}

}  // namespace toroid
