// SPDX-License-Identifier: Apache-2.0
#include "torus/tree/link_recovery.h"

#include <algorithm>
#include <array>
#include <vector>

#include "torus/base/crc.h"
#include "torus/base/random.h"
#include "torus/tree/router.h"
#include "torus/tree/tree_observer.h"

namespace toroid {
namespace {

constexpr unsigned kAnswerBits = 16;
constexpr std::uint32_t kNack = 0x100;  ///< of an answer; the low byte is the sequence number that is expected
constexpr unsigned kCrcBytes = 3;
constexpr unsigned kAllHeld = (1u << kTreeVirtualChannels) - 1;

/// A frame's bytes. The payload follows the header, the CRC is at the end; bytes of the overhead that nothing is known
/// about are 0.
std::vector<std::uint8_t> frame_of(const TreePacket& packet, std::uint8_t sequence, unsigned vc, unsigned bytes) {
  std::vector<std::uint8_t> frame(bytes);
  for (unsigned i = 0; i < 4; ++i) frame[i] = static_cast<std::uint8_t>(packet.header >> (24 - 8 * i));
  std::copy(packet.data->bytes.begin(), packet.data->bytes.end(), frame.begin() + 4);
  frame[4 + kTreePayloadBytes] = sequence;
  frame[5 + kTreePayloadBytes] = static_cast<std::uint8_t>(vc);
  const std::uint32_t crc = crc24(frame.data(), frame.size() - kCrcBytes);
  for (unsigned i = 0; i < kCrcBytes; ++i)
    frame[bytes - kCrcBytes + i] = static_cast<std::uint8_t>(crc >> (16 - 8 * i));
  return frame;
}

}  // namespace

TreeLinkRecovery::TreeLinkRecovery(TreeRouter& router, unsigned channel, const TreeConfig& config, std::uint64_t seed)
    : router_(router),
      channel_(channel),
      timeout_(config.nack_timeout),
      retry_packets_(config.retry_packets),
      errors_(config.bit_error_rate, seed),
      answer_errors_(config.bit_error_rate, mix(seed, 1)),
      window_(kTreeVirtualChannels * config.retry_packets) {}

/// Cycles from a frame's last byte leaving the sender to the answer being there.
Cycle TreeLinkRecovery::answer_cycles() const {
  return Cycle{router_.context_->hop_cycles} + router_.context_->token_cycles;
}

/// Sends the bits; returns true if an error hits them and the receiver detects it.
bool TreeLinkRecovery::damaged(const Entry& sent) {
  const unsigned bits = router_.context_->wire_bits;
  if (!errors_.hit(bits)) return false;
  if (sent.sequence != expected_) return true;  // dropped in any case
  std::vector<std::uint8_t> frame = frame_of(*sent.packet, sent.sequence, sent.vc, bits / 8);
  for (const unsigned bit : errors_.hits()) frame[bit / 8] ^= static_cast<std::uint8_t>(0x80 >> bit % 8);
  std::uint32_t crc = 0;
  for (unsigned i = 0; i < kCrcBytes; ++i) crc = crc << 8 | frame[frame.size() - kCrcBytes + i];
  if (crc24(frame.data(), frame.size() - kCrcBytes) != crc) return true;
  // One in 2^24 of those hit by many bits: taken for good. The header's fields stay.
  router_.context_->pool->unshare(*sent.packet);
  std::copy_n(frame.begin() + 4, kTreePayloadBytes, sent.packet->data->bytes.begin());
  return false;
}

void TreeLinkRecovery::send(TreePacket& packet, unsigned vc, Cycle start) {
  Entry& sent = window_.push();
  sent.packet = &packet;
  sent.vc = static_cast<std::uint8_t>(vc);
  transmit(sent, start);
  update_held();
}

void TreeLinkRecovery::transmit(Entry& sent, Cycle start) {
  const TreeContext& context = *router_.context_;
  TreeRouter::Output& out = router_.outputs_[channel_];
  TreeRouter& receiver = context.routers[out.neighbour];
  sent.tail_left = out.free_at = start + context.wire_cycles;
  out.counters.busy_cycles += context.wire_cycles;
  arm(sent.tail_left + timeout_);
  std::uint32_t answer = 0;
  if (damaged(sent)) {
    ++out.counters.damaged;
    answer = kNack;
  } else if (sent.sequence == expected_) {
    context.wheel->post(start + context.hop_cycles - out.early, receiver,
                        TreeRouter::event(TreeRouter::kArrive, sent.vc, out.neighbour_port), sent.packet->index);
    if (context.observer != nullptr) {
      context.observer->on_sent(router_.node_, sent.vc, channel_, *sent.packet, start, sent.tail_left);
    }
    sent.packet = nullptr;
    ++expected_;
  } else if (!window_.behind(sent.sequence, expected_)) {
    answer = kNack;
  }
  if (answer == kNack) ++out.counters.nacks;
  // The answer travels in the opposite direction.
  if (answer_errors_.hit(kAnswerBits)) return;
  context.wheel->post(sent.tail_left + answer_cycles(), router_, TreeRouter::event(TreeRouter::kAnswer, 0, channel_),
                      answer | expected_);
}

void TreeLinkRecovery::serve() {
  if (answer_) answered(*answer_);
  answer_.reset();
  timed_out();
  resend();
  update_held();
}

void TreeLinkRecovery::answered(std::uint32_t answer) {
  const Cycle now = router_.context_->wheel->now();
  window_.acknowledge(static_cast<std::uint8_t>(answer));
  if ((answer & kNack) != 0 && window_.count() != 0 && window_[0].tail_left + answer_cycles() <= now) {
    window_.go_back();
  }
}

void TreeLinkRecovery::timed_out() {
  const Cycle now = router_.context_->wheel->now();
  if (now != timer_at_) return;
  timer_at_ = 0;
  if (window_.count() == 0) return;
  const Cycle due = window_[0].tail_left + timeout_;
  if (now < due) {
    arm(due);
    return;
  }
  ++router_.outputs_[channel_].counters.timeouts;
  window_.go_back();
}

void TreeLinkRecovery::resend() {
  if (!window_.resending()) return;
  TreeContext& context = *router_.context_;
  TreeRouter::Output& out = router_.outputs_[channel_];
  if (out.free_at <= context.wheel->now()) {
    ++out.counters.retransmissions;
    transmit(window_.resend_next(), context.wheel->now());
    if (!window_.resending()) return;
  }
  if (link_free_at_ == out.free_at) return;
  link_free_at_ = out.free_at;
  context.wheel->post(link_free_at_, router_, TreeRouter::event(TreeRouter::kLinkFree, 0, channel_), 0);
}

/// No new packets of virtual channels whose retry buffer is full, and none while old ones go again.
void TreeLinkRecovery::update_held() {
  unsigned held = window_.resending() ? kAllHeld : 0;
  std::array<unsigned, kTreeVirtualChannels> kept{};
  for (unsigned i = 0; i < window_.count(); ++i) {
    const unsigned vc = window_[i].vc;
    if (++kept[vc] == retry_packets_) held |= 1u << vc;
  }
  router_.outputs_[channel_].held = static_cast<std::uint8_t>(held);
}

void TreeLinkRecovery::arm(Cycle at) {
  if (timer_at_ != 0) return;
  timer_at_ = at;
  router_.context_->wheel->post(at, router_, TreeRouter::event(TreeRouter::kTimeout, 0, channel_), 0);
}

}  // namespace toroid
