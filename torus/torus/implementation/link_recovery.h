// SPDX-License-Identifier: Apache-2.0
// Error control of a link; included where a family is instantiated (instantiate.h).
#pragma once

#include <algorithm>

#include "torus/torus/link_recovery.h"
#include "torus/torus/router.h"
#include "torus/torus/wire_image.h"

namespace toroid {

template <typename F>
BasicLinkRecovery<F>::BasicLinkRecovery(BasicRouter<F>& router, unsigned number, const TorusConfig& config,
                                        std::uint64_t seed)
    : Link(router, number),
      timeout_(config.retransmit_timeout),
      errors_(config.bit_error_rate, seed),
      window_(config.resend_packets) {}

/// Sends the bits; true when an error hits them and the receiver notices.
template <typename F>
bool BasicLinkRecovery<F>::damaged(const Entry& sent) {
  if (!errors_.hit(WireImage::bits(sent.chunks * F::kChunkBytes))) return false;
  // One that the receiver has, or that comes before its turn, is dropped, damaged or not.
  if (sent.sequence != expected_) return true;
  WireImage image(*sent.packet, sent.sequence, F::kChunkBytes);
  for (const unsigned bit : errors_.hits()) image.flip(bit);
  if (!image.header_good() || !image.packet_good()) return true;
  ++undetected_;
  image.copy_contents(*sent.packet);
  for (const unsigned bit : errors_.hits()) receiver_check_.add_flip(bit);
  return false;
}

template <typename F>
void BasicLinkRecovery<F>::on_event(std::uint32_t what, std::uint32_t arg) {
  if (what == kAcknowledge) {
    acknowledged_ = static_cast<std::uint8_t>(arg);
  } else if (now() != timer_at_) {
    return;
  }
  this->serve_later();
}

/// A time-out comes before an acknowledgement of its cycle and before the link is free for a new packet, as in the
/// Verilog (link_sender.sv).
template <typename F>
bool BasicLinkRecovery<F>::serve() {
  timed_out();
  if (acknowledged_) {
    if (window_.acknowledge(*acknowledged_)) update_hold();
    acknowledged_.reset();
  }
  return resend_next();
}

template <typename F>
void BasicLinkRecovery<F>::send(Packet& packet, Cycle begin, Cycle tail_left) {
  Entry& sent = window_.push();
  sent.packet = &packet;
  sent.chunks = packet.chunks;
  sent.check = LinkCheck::word(packet, sent.sequence);
  sent.tail_left = Cycle{};
  sender_check_.add(sent.check);
  if (window_.resending() || out().busy_until > begin) {
    window_.postpone();
    this->wake_when_free();
  } else {
    transmit(sent, begin, tail_left);
  }
  update_hold();
}

template <typename F>
void BasicLinkRecovery<F>::transmit(Entry& sent, Cycle begin, Cycle tail_left) {
  this->occupy(sent.chunks, begin, tail_left);
  sent.tail_left = tail_left;
  arm(tail_left + timeout_);
  const bool dropped = damaged(sent);
  if (sent.packet != nullptr) {
    this->tell_sent(*sent.packet, begin, tail_left, dropped || sent.sequence != expected_);
  }
  if (dropped) {
    ++crc_errors_;
    return;
  }
  const Cycle hop_cycles = context().hop_cycles;
  if (sent.sequence == expected_) {
    Packet& packet = *sent.packet;
    receiver_check_.add(sent.check);
    sent.packet = nullptr;
    ++expected_;
    packet.tail = tail_left + hop_cycles;
    this->hand_over(packet, begin + hop_cycles);
  } else if (sent.packet) {
    return;  // behind one that was dropped: out of order, dropped without an answer
  }
  if (!errors_.hit(kAcknowledgeBits)) {
    context().wheel->post(tail_left + hop_cycles + context().token_cycles, *this, kAcknowledge, expected_);
  }
}

template <typename F>
bool BasicLinkRecovery<F>::resend_next() {
  if (!window_.resending()) return false;
  const Cycle present = now();
  if (out().busy_until <= present) {
    Entry& sent = window_.resend_next();
    if (sent.tail_left != 0) ++retransmissions_;
    transmit(sent, present, present + context().wire_cycles[port()][sent.chunks]);
    if (!window_.resending()) update_hold();
  }
  this->wake_when_free();
  return true;
}

/// The time-out, where it is due.
template <typename F>
void BasicLinkRecovery<F>::timed_out() {
  if (now() != timer_at_) return;
  timer_at_ = kNotArmed;
  if (!window_.count()) return;
  const Cycle due = window_[0].tail_left + timeout_;
  if (now() < due) {
    arm(due);
    return;
  }
  window_.go_back();
  update_hold();
  resend_next();
}

template <typename F>
void BasicLinkRecovery<F>::update_hold() {
  this->hold_back(window_.resending() || window_.full());
}

template <typename F>
void BasicLinkRecovery<F>::set_timeout(unsigned cycles) {
  timeout_ = std::max(cycles, 1u);
  if (!window_.count()) return;
  // A longer time-out is seen when the timer runs out; a shorter one needs the timer sooner.
  const Cycle due = std::max(window_[0].tail_left + timeout_, now() + 1);
  if (timer_at_ != kNotArmed && due >= timer_at_) return;
  timer_at_ = kNotArmed;
  arm(due);
}

template <typename F>
void BasicLinkRecovery<F>::arm(Cycle at) {
  if (timer_at_ != kNotArmed) return;
  timer_at_ = at;
  context().wheel->post(at, *this, kTimeout, 0);
}

template <typename F>
std::vector<const Packet*> BasicLinkRecovery<F>::unaccepted() const {
  std::vector<const Packet*> packets;
  for (unsigned i = 0; i < window_.count(); ++i) {
    if (window_[i].packet) packets.push_back(window_[i].packet);
  }
  return packets;
}

}  // namespace toroid
