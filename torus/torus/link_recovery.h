// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "torus/base/bit_errors.h"
#include "torus/base/resend_window.h"
#include "torus/torus/config.h"
#include "torus/torus/link_check.h"
#include "torus/torus/packet.h"
#include "torus/torus/torus_link.h"

namespace toroid {

/// Error control of one link: bit errors, detection, acknowledgement and retransmission. Exists only on links with a
/// bit error rate above 0.
///
/// The sender keeps each packet in its resend FIFO until the receiver has acknowledged it; sequence numbers have 8
/// bits and live in header byte 6. The receiver drops a packet whose CRC is wrong and everything behind it that is out
/// of order; when no acknowledgement has come for retransmit_timeout cycles after a packet's tail left, the sender
/// sends all unacknowledged packets again, in order (go back N). So a link loses, repeats and reorders nothing.
///
/// Both ends keep a running check of the packets that went over the link, made of each one's destination (the first
/// three coordinates) and sequence number: contents would cost more than all the rest. It goes on at the sender when a
/// packet first goes out, at the receiver when it is accepted. With nothing under way the ends differ only where the
/// receiver took a damaged packet for a good one: the bits that flipped go into the receiver's as well. A hash stands
/// for the hardware's CRC, whose polynomial is not published.
///
/// Simplifications: whether a packet is hit is drawn when it is sent, so a damaged packet is never cut through, where
/// hardware would forward its good start and then spoil it; the receiver's sequence state stands beside the sender's;
/// acknowledgements take no bandwidth beyond wire_overhead, but are lost at the link's error rate; tokens are not lost.
template <typename F>
class BasicLinkRecovery final : public BasicTorusLink<F> {
  using Link = BasicTorusLink<F>;
  using Link::context;
  using Link::now;
  using Link::out;
  using Link::port;

 public:
  static constexpr unsigned kAcknowledgeBits = 64;  ///< 8 bytes of reverse traffic a packet

  BasicLinkRecovery(BasicRouter<F>& router, unsigned number, const TorusConfig& config, std::uint64_t seed);

  void send(Packet& packet, Cycle begin, Cycle tail_left) override;
  bool serve() override;
  void on_event(std::uint32_t what, std::uint32_t arg) override;

  std::uint64_t crc_errors() const override { return crc_errors_; }
  std::uint64_t retransmissions() const override { return retransmissions_; }
  std::uint64_t undetected() const override { return undetected_; }
  std::uint32_t sender_crc() const override { return sender_check_.value(); }
  std::uint32_t receiver_crc() const override { return receiver_check_.value(); }
  void clear_sender_crc() override { sender_check_.clear(); }
  void clear_receiver_crc() override { receiver_check_.clear(); }
  std::vector<const Packet*> unaccepted() const override;
  std::uint8_t begin() const override { return window_.begin(); }
  std::uint8_t end() const override { return window_.end(); }
  unsigned timeout() const override { return timeout_; }
  /// 0 counts as 1. Holds at once, for packets under way too.
  void set_timeout(unsigned cycles) override;
  std::size_t memory_bytes() const override { return sizeof(*this) + sizeof(Entry) * window_.size(); }

 private:
  struct Entry {
    Packet* packet = nullptr;  ///< nullptr once the receiver has accepted it
    std::uint8_t sequence = 0;
    std::uint8_t chunks = 0;
    std::uint32_t check = 0;  ///< what goes into the running checks
    Cycle tail_left{};        ///< of its latest transmission; 0 before the first
  };

  static constexpr Cycle kNotArmed{};
  enum Event : std::uint32_t { kAcknowledge, kTimeout };

  void timed_out();
  bool resend_next();
  void transmit(Entry& sent, Cycle begin, Cycle tail_left);
  bool damaged(const Entry& sent);
  void update_hold();
  void arm(Cycle at);

  unsigned timeout_;
  BitErrors errors_;
  ResendWindow<Entry> window_;                ///< the resend FIFO
  Cycle timer_at_ = kNotArmed;                ///< the time-out event that counts; others on the wheel are of no meaning
  std::optional<std::uint8_t> acknowledged_;  ///< has come in this cycle: the receiver has all packets before this one
  std::uint8_t expected_ = 0;                 ///< the receiver's
  std::uint64_t crc_errors_ = 0;
  std::uint64_t retransmissions_ = 0;
  std::uint64_t undetected_ = 0;
  LinkCheck sender_check_;
  LinkCheck receiver_check_;
};

}  // namespace toroid
