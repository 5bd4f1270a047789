// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
/// answers each frame with the sequence number that it expects next: an acknowledgement where it took the frame or has
/// it already, else a NACK: the CRC was wrong, or the frame came behind one that was dropped and is dropped too (go
/// back N). At a NACK the sender lets the frame that it is sending end and sends all unacknowledged ones again, in
/// order, ahead of new ones. It does nothing about NACKs that answer what it sent before the latest transmission of the
/// oldest frame. A damaged answer is dropped: a later one says the same, or nack_timeout cycles after its last byte
/// left the oldest frame is sent again with all behind it. So a link loses, repeats and reorders nothing, and a packet
/// takes one token however often it is sent.
///
/// Known, from the registers in bl_tree.h: NACKs and a time-out a channel, a sender's SRAM of 4 packets a virtual
/// channel. What is answered when, the numbering and the format are assumed; the hardware's polynomial is not
/// published.
///
/// Simplifications: whether a frame and its answer are hit is drawn when the frame is sent, so a damaged packet is
/// never cut through, where hardware would forward its good start and then spoil it; a damaged answer is always
/// noticed; answers take no bandwidth beyond wire_overhead; tokens are not lost.
class TreeLinkRecovery {
 public:
  /// Bytes of a frame beyond the payload that it takes at least: header, sequence number and virtual channel, CRC.
  static constexpr unsigned kFrameBytes = 4 + 2 + 3;

  TreeLinkRecovery(TreeRouter& router, unsigned channel, const TreeConfig& config, std::uint64_t seed);

  /// A packet goes out for the first time, its first bit at cycle `start`. The link is free then.
  void send(TreePacket& packet, unsigned vc, Cycle start);
  /// The receiver's answer to a frame.
  void answered(std::uint32_t answer);
  /// The link may be free for what is to be sent again.
  void link_free();
  void timed_out();

 private:
  struct Entry {
    TreePacket* packet = nullptr;  ///< null once the receiver has taken it
    std::uint8_t sequence = 0;
    std::uint8_t vc = 0;
    Cycle tail_left = 0;  ///< of its latest transmission
  };

  void transmit(Entry& sent, Cycle start);
  bool damaged(const Entry& sent);
  Cycle answer_cycles() const;
  void resend();
  bool update_held();
  void go_on();
  void arm(Cycle at);

  TreeRouter& router_;
  const unsigned channel_;
  const unsigned timeout_;
  const unsigned retry_packets_;
  BitErrors errors_;
  ResendWindow<Entry> window_;
  Cycle timer_at_ = 0;         ///< the time-out event that counts, 0 for none; others on the wheel are of no meaning
  Cycle link_free_at_ = 0;     ///< the same for link_free()
  std::uint8_t expected_ = 0;  ///< the receiver's
};

}  // namespace toroid
