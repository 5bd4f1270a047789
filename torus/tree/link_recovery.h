// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "torus/base/bit_errors.h"
#include "torus/base/resend_window.h"
#include "torus/tree/config.h"
#include "torus/tree/packet.h"

namespace toroid {

class TreeRouter;

/// Error control of one direction of a tree link: bit errors, detection, answers and resending. Exists only on links
/// with a bit error rate above 0, and costs no cycle where no bit flips.
///
/// A frame is a packet with tree.wire_overhead bytes: header, sequence number (8 bits, both virtual channels counted
/// together), CRC-24. The sender keeps it until it is acknowledged, tree.retry_packets a virtual channel. The receiver
/// answers each frame with the sequence number that it expects next. It acknowledges a frame that it accepts or already
/// has. It sends a NACK if the CRC was wrong, or if the frame follows a dropped one and is therefore dropped too (go
/// back N). At a NACK the sender completes the frame that it is sending, then sends all unacknowledged frames again, in
/// order, ahead of new ones. It ignores NACKs that answer frames sent before the latest transmission of the oldest
/// frame. A damaged answer is dropped: either a later answer says the same, or nack_timeout cycles after its last byte
/// left, the oldest frame is sent again with all frames behind it. So a link never loses, duplicates or reorders
/// packets, and a packet takes one token however often it is sent.
///
/// Known, from the registers in bl_tree.h: NACKs and a time-out for each channel, and a sender's SRAM of 4 packets for
/// each virtual channel. The answering rules, the numbering and the format are assumed; the hardware's polynomial is
/// not published.
///
/// Simplifications: whether a frame and its answer are hit is drawn when the frame is sent, so a damaged packet is
/// never cut through, while hardware would forward its undamaged beginning and then invalidate it; a damaged answer is
/// always detected; answers take no bandwidth beyond wire_overhead; tokens are not lost.
class TreeLinkRecovery {
 public:
  /// Minimum number of bytes of a frame in addition to the payload: header, sequence number and virtual channel, CRC.
  static constexpr unsigned kFrameBytes = 4 + 2 + 3;

  TreeLinkRecovery(TreeRouter& router, unsigned channel, const TreeConfig& config, std::uint64_t seed);

  /// Sends a packet for the first time, with its first bit at cycle `start`. The link must be free then.
  void send(TreePacket& packet, unsigned vc, Cycle start);
  /// The receiver's answer to a frame has come: serve() acts on it.
  void answer_came(std::uint32_t answer) { answer_ = answer; }
  /// Called after the events of a cycle in which an answer has come, a time-out may be due, or the link may be free for
  /// a retransmission. An answer comes before a time-out.
  void serve();

 private:
  struct Entry {
    TreePacket* packet = nullptr;  ///< nullptr after the receiver has accepted it
    std::uint8_t sequence = 0;
    std::uint8_t vc = 0;
    Cycle tail_left = 0;  ///< of its latest transmission
  };

  void transmit(Entry& sent, Cycle start);
  bool damaged(const Entry& sent);
  Cycle answer_cycles() const;
  void resend();
  void update_held();
  void answered(std::uint32_t answer);
  void timed_out();
  void arm(Cycle at);

  TreeRouter& router_;
  const unsigned channel_;
  const unsigned timeout_;
  const unsigned retry_packets_;
  BitErrors errors_;
  BitErrors answer_errors_;  ///< of the answers to this direction's frames
  ResendWindow<Entry> window_;
  Cycle timer_at_ = 0;                   ///< the valid time-out event, 0 for none; others on the wheel are ignored
  Cycle link_free_at_ = 0;               ///< the same for link_free()
  std::optional<std::uint32_t> answer_;  ///< of this cycle
  std::uint8_t expected_ = 0;            ///< next sequence number that the receiver expects
};

}  // namespace toroid
