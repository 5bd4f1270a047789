// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "nic/collective/tree_fifo_node.h"
#include "nic/common/pending_work.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// The header FIFO and the payload FIFO of one virtual channel of a node's tree device, in one direction.
class TreeQueue {
 public:
  TreeQueue(TreeFifoNode& node, unsigned vc) : node_(node), vc_(vc), name_("VC" + std::to_string(vc)) {}

  unsigned headers(sc_core::sc_time when) const { return headers_.at(when); }
  void settle(sc_core::sc_time now) {
    for (TimedCount* count : {&quads_, &headers_, &irqs_}) count->settle(now);
  }
  /// Calls `tell(at)` for each future change.
  template <typename Tell>
  void each_change(Tell tell) const {
    for (const TimedCount* count : {&quads_, &headers_, &irqs_}) count->each_after(sc_core::sc_time_stamp(), tell);
  }
  /// Numbers of packets written and read, modulo 8, four bits each.
  std::uint32_t pointers() const { return (in_ % 8u) << 4 | out_ % 8u; }

 protected:
  static constexpr unsigned kQuadBytes = TREE_QUAD_BYTES;
  static constexpr unsigned kQuads = TREE_PAYLOAD_QUADS;

  /// A packet that software is writing or reading.
  struct Entry {
    TreePacket* packet;
    unsigned quads = 0;  ///< written or read, and whether the header was
    bool header = false;
    sc_core::sc_time at;  ///< of the latest write; or when it can be read
  };

  /// "the header and 3 of 16 payload quads".
  static std::string parts_text(bool header, unsigned quads) {
    return std::string(header ? "the header" : "no header") + " and " + std::to_string(quads) + " of " +
           std::to_string(kQuads) + " payload quads";
  }

  bool front_is_done() const {
    return !entries_.empty() && entries_.front().header && entries_.front().quads == kQuads;
  }

  TreeFifoNode& node_;
  const unsigned vc_;
  const std::string name_;
  TimedCount quads_, headers_;
  TimedCount irqs_;            ///< received headers that request an interrupt
  std::deque<Entry> entries_;  ///< incomplete packets, and those behind an incomplete one
  std::uint8_t in_ = 0, out_ = 0;
};

/// A packet goes to the router when its header and its 16 quads have been written, in whatever order.
class TreeInjection : public TreeQueue {
 public:
  using TreeQueue::TreeQueue;

  bool write_payload(RegisterTransfer& transfer);
  bool write_header(RegisterTransfer& transfer);
  /// Called when the router has taken a packet.
  void taken(Cycle at);
  /// Its fields of the status word.
  std::uint32_t status(sc_core::sc_time when) const {
    using namespace tree_windows::status;
    return kInjectionQuads.at(quads_.at(when)) | kInjectionHeaders.at(headers_.at(when));
  }
  /// Number of incomplete packets of a class; packets without a header count as class 0.
  std::uint64_t unsent(unsigned route_class) const;
  void pending_work(const std::string& node, std::vector<PendingWork>& work) const;

 private:
  bool has_room(TimedCount& count, unsigned most, sc_core::sc_time& delay);
  Entry& place_to_write(bool header);
  void written(Entry& entry, TimedCount& count, sc_core::sc_time when);
  void add_checksum(const TreePacket& packet);
};

/// A packet can be read when it has arrived completely; its place is free again when header and payload have been read.
class TreeReception : public TreeQueue {
 public:
  using TreeQueue::TreeQueue;

  bool read_payload(RegisterTransfer& transfer);
  bool read_header(RegisterTransfer& transfer);
  /// Called when a packet has arrived from the router.
  void received(TreePacket& packet, Cycle at);
  /// Whether a header that can be read requests an interrupt.
  bool interrupt_requested(sc_core::sc_time when) const { return irqs_.at(when) != 0; }
  /// Its fields of the status word.
  std::uint32_t status(sc_core::sc_time when) const {
    using namespace tree_windows::status;
    return kReceptionQuads.at(quads_.at(when)) | kReceptionHeaders.at(headers_.at(when)) |
           kIrq.at(interrupt_requested(when));
  }
  /// Number of packets of a class that have not been read completely.
  std::uint64_t unread(unsigned route_class) const;
  void pending_work(const std::string& node, std::vector<PendingWork>& work) const;

 private:
  /// The first packet that `has_more`, when it is complete; waits for the network if that is not known yet.
  template <typename HasMore>
  Entry* next(sc_core::sc_time& delay, HasMore has_more);
  void read(TimedCount& count, sc_core::sc_time when);

  sc_core::sc_time last_read_;
};

}  // namespace toroid
