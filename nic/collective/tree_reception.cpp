// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "nic/collective/tree_queues.h"

namespace toroid {

template <typename HasMore>
TreeReception::Entry* TreeReception::next(sc_core::sc_time& delay, HasMore has_more) {
  const auto first = [&]() -> Entry* {
    const auto found = std::find_if(entries_.begin(), entries_.end(), has_more);
    const bool there = found != entries_.end() && found->at <= sc_core::sc_time_stamp() + delay;
    return there ? &*found : nullptr;
  };
  if (Entry* const entry = first()) return entry;
  node_.synchronise(delay);
  return first();
}

bool TreeReception::read_payload(RegisterTransfer& transfer) {
  Entry* const entry = next(transfer.delay, [](const Entry& each) { return each.quads < kQuads; });
  if (entry == nullptr) {
    node_.dcr(tree_dcr::kReceptionException) |= tree_dcr::reception_exception::kPayloadUnderrun0.at(1) >> vc_;
    std::memset(transfer.data, 0, kQuadBytes);
    transfer.reason =
        "read of the empty tree payload reception FIFO of " + name_ + "; check the status before a packet is read";
    return false;
  }
  std::memcpy(transfer.data, entry->packet->data->bytes.data() + entry->quads * kQuadBytes, kQuadBytes);
  ++entry->quads;
  read(quads_, sc_core::sc_time_stamp() + transfer.delay);
  return true;
}

bool TreeReception::read_header(RegisterTransfer& transfer) {
  Entry* const entry = next(transfer.delay, [](const Entry& each) { return !each.header; });
  const std::uint32_t header = entry == nullptr ? 0 : entry->packet->header;
  store_word(transfer.data, header);
  if (entry == nullptr) {
    node_.dcr(tree_dcr::kReceptionException) |= tree_dcr::reception_exception::kHeaderUnderrun0.at(1) >> vc_;
    transfer.reason =
        "read of the empty tree header reception FIFO of " + name_ + "; check the status before a packet is read";
    return false;
  }
  const sc_core::sc_time when = sc_core::sc_time_stamp() + transfer.delay;
  entry->header = true;
  if (tree_windows::header_reception::kIrq.of(header) != 0) {
    irqs_.change(when, -1);
    node_.changes.add(when);  // the interrupt controller watches too
  }
  read(headers_, when);
  return true;
}

/// Gives the place of packets that have been read back to the router.
void TreeReception::read(TimedCount& count, sc_core::sc_time when) {
  count.change(when, -1);
  node_.announce(when);
  last_read_ = when;
  while (front_is_done()) {
    node_.network.pool().release(*entries_.front().packet);
    entries_.pop_front();
    ++out_;
    node_.router().return_reception(vc_, std::max(node_.cycle_behind(when), node_.network.now() + 1));
  }
}

void TreeReception::received(TreePacket& packet, Cycle at) {
  const sc_core::sc_time when = node_.clock.time_of(at);
  settle(sc_core::sc_time_stamp());
  quads_.change(when, static_cast<int>(kQuads));
  headers_.change(when, +1);
  if (tree_windows::header_reception::kIrq.of(packet.header) != 0) irqs_.change(when, +1);
  entries_.push_back({&packet, 0, false, when});
  ++in_;
  ++node_.counters.packets_received[vc_];
  node_.tell_watch(PacketWatch::Event::received, vc_, when, packet);
  node_.announce(at);
}

std::uint64_t TreeReception::unread(unsigned route_class) const {
  const auto of_class = [route_class](const Entry& entry) { return entry.packet->route_class == route_class; };
  return static_cast<std::uint64_t>(std::count_if(entries_.begin(), entries_.end(), of_class));
}

void TreeReception::pending_work(const std::string& node, std::vector<PendingWork>& work) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const auto packets = static_cast<std::uint64_t>(
      std::count_if(entries_.begin(), entries_.end(), [now](const Entry& entry) { return entry.at <= now; }));
  if (packets == 0) return;
  const Entry& first = entries_.front();
  const std::string name = "tree reception FIFOs of " + node + ", " + name_ + ", hold ";
  const std::string of_class = std::to_string(tree_header_class(first.packet->header));
  const sc_core::sc_time since = std::max(last_read_, first.at);
  if (first.header || first.quads != 0) {
    work.push_back({PendingWork::Kind::unfinished,
                    name + "a packet of class " + of_class + " of which " + parts_text(first.header, first.quads) +
                        " have been read" + behind_text(packets - 1),
                    since});
  } else {
    const bool never = last_read_ == sc_core::SC_ZERO_TIME;
    work.push_back({PendingWork::Kind::unread,
                    name + counted(packets, "packet") + " that no process reads, the first of class " + of_class +
                        (never ? "; nothing has ever been read from them" : ""),
                    since});
  }
}

}  // namespace toroid
