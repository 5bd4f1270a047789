// SPDX-License-Identifier: Apache-2.0
#include "torus/link_recovery.h"

#include <algorithm>

#include "torus/network_observer.h"
#include "torus/router.h"
#include "torus/wire_image.h"

namespace toroid {
namespace {

constexpr unsigned kAcknowledgeBits = 64;  ///< 8 bytes of reverse traffic a packet

// Each step is one to one in `check`: what differs once is never made equal again by what is equal after it.
std::uint64_t checked(std::uint64_t check, std::uint64_t word) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
  check = (check ^ word) * kOdd + kOdd;
  return check ^ check >> 32;
}

// What of a packet goes into the running checks.
std::uint32_t check_word(const Packet& packet, std::uint8_t sequence) {
  const Coordinates& to = packet.destination;
  return std::uint32_t{to[0]} | std::uint32_t{to[1]} << 8 | std::uint32_t{to[2]} << 16 | std::uint32_t{sequence} << 24;
}

}  // namespace

LinkRecovery::LinkRecovery(Router& router, unsigned direction, const TorusConfig& config, std::uint64_t seed)
    : router_(router),
      direction_(direction),
      timeout_(config.retransmit_timeout),
      errors_(config.bit_error_rate, seed),
      window_(config.resend_packets) {}

/// Sends the bits; true when an error hits them and the receiver notices.
bool LinkRecovery::damaged(const Entry& sent) {
  if (!errors_.hit(WireImage::bits(sent.chunks))) return false;
  // One that the receiver has, or that comes before its turn, is dropped, damaged or not.
  if (sent.sequence != expected_) return true;
  WireImage image(*sent.packet, sent.sequence);
  for (const unsigned bit : errors_.hits()) image.flip(bit);
  if (!image.header_good() || !image.packet_good()) return true;
  ++undetected_;
  image.copy_contents(*sent.packet);
  for (const unsigned bit : errors_.hits()) receiver_check_ = checked(receiver_check_, bit + 1);
  return false;
}

void LinkRecovery::send(Packet& packet, Cycle present, Cycle tail_left) {
  Entry& sent = window_.push();
  sent.packet = &packet;
  sent.chunks = packet.chunks;
  sent.check = check_word(packet, sent.sequence);
  sender_check_ = checked(sender_check_, sent.check);
  transmit(sent, present, tail_left);
  update_hold();
}

void LinkRecovery::transmit(Entry& sent, Cycle present, Cycle tail_left) {
  const RouterContext& context = *router_.context_;
  OutputPort& out = router_.outputs_[direction_];
  ++out.packets;
  out.chunks += sent.chunks;
  out.busy_cycles += tail_left - present;
  out.busy_until = tail_left;
  sent.tail_left = tail_left;
  arm(tail_left + timeout_);
  const bool dropped = damaged(sent);
  if (context.observer != nullptr && sent.packet != nullptr) {
    context.observer->on_sent(router_.node_, static_cast<Direction>(direction_), *sent.packet, present, tail_left,
                              dropped || sent.sequence != expected_);
  }
  if (dropped) {
    ++crc_errors_;
    return;
  }
  if (sent.sequence == expected_) {
    Packet& packet = *sent.packet;
    receiver_check_ = checked(receiver_check_, sent.check);
    sent.packet = nullptr;
    ++expected_;
    packet.tail = tail_left + context.hop_cycles;
    const unsigned port =
        opposite(static_cast<Direction>(direction_)) * kChannels + static_cast<unsigned>(packet.channel);
    context.wheel->post(present + context.hop_cycles, context.routers[out.neighbour],
                        Router::event(Router::kArrive, port), packet.index);
  } else if (sent.packet) {
    return;  // behind one that was dropped: out of order, dropped without an answer
  }
  if (!errors_.hit(kAcknowledgeBits)) {
    context.wheel->post(tail_left + context.hop_cycles + context.token_cycles, router_,
                        Router::event(Router::kAcknowledge, direction_), expected_);
  }
}

bool LinkRecovery::resend_next() {
  if (!window_.resending()) return false;
  OutputPort& out = router_.outputs_[direction_];
  const Cycle present = router_.now();
  if (out.busy_until <= present) {
    Entry& sent = window_.resend_next();
    ++retransmissions_;
    transmit(sent, present, present + router_.context_->wire_cycles[direction_][sent.chunks]);
    if (!window_.resending()) update_hold();
  }
  router_.wake_link(direction_);
  return true;
}

void LinkRecovery::acknowledged(std::uint8_t expected) {
  if (!window_.acknowledge(expected)) return;
  update_hold();
  const OutputPort& out = router_.outputs_[direction_];
  if (out.requests && router_.idle(out, router_.now())) router_.arbitrate(direction_);
}

void LinkRecovery::timed_out() {
  if (router_.now() != timer_at_) return;
  timer_at_ = kNotArmed;
  if (!window_.count()) return;
  const Cycle due = window_[0].tail_left + timeout_;
  if (router_.now() < due) {
    arm(due);
    return;
  }
  window_.go_back();
  update_hold();
  resend_next();
}

void LinkRecovery::update_hold() {
  router_.outputs_[direction_].held_back = window_.resending() || window_.full();
}

void LinkRecovery::set_timeout(unsigned cycles) {
  timeout_ = std::max(cycles, 1u);
  if (!window_.count()) return;
  // A longer time-out is seen when the timer runs out; a shorter one needs the timer sooner.
  const Cycle due = std::max(window_[0].tail_left + timeout_, router_.now() + 1);
  if (timer_at_ != kNotArmed && due >= timer_at_) return;
  timer_at_ = kNotArmed;
  arm(due);
}

void LinkRecovery::arm(Cycle at) {
  if (timer_at_ != kNotArmed) return;
  timer_at_ = at;
  router_.context_->wheel->post(at, router_, Router::event(Router::kTimeout, direction_), 0);
}

std::vector<const Packet*> LinkRecovery::unaccepted() const {
  std::vector<const Packet*> packets;
  for (unsigned i = 0; i < window_.count(); ++i) {
    if (window_[i].packet) packets.push_back(window_[i].packet);
  }
  return packets;
}

}  // namespace toroid
