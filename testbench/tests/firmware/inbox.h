// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <vector>

#include "firmware/bgl/msglayer/msglayer.h"

namespace toroid::testing {

/// Bytes that no two keys share and that shift by one gives away.
inline std::vector<std::uint8_t> pattern(std::size_t size, std::uint32_t key) {
  std::vector<std::uint8_t> bytes(size);
  std::uint32_t state = key * 2654435761u + 12345u;
  for (auto& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

/// A buffer at a chosen alignment, with guards on both sides.
class Buffer {
 public:
  Buffer(std::size_t size, unsigned alignment) : size_(size), area_(size + 2 * kGuard + 16, kGuardByte) {
    const auto base = reinterpret_cast<std::uintptr_t>(area_.data()) + kGuard;
    start_ = area_.data() + kGuard + (alignment + 16 - base % 16) % 16;
  }
  std::uint8_t* data() { return start_; }
  std::vector<std::uint8_t> bytes() const { return {start_, start_ + size_}; }
  bool guards_whole() const {
    for (const std::uint8_t* at = area_.data(); at != start_; ++at) {
      if (*at != kGuardByte) return false;
    }
    for (const std::uint8_t* at = start_ + size_; at != area_.data() + area_.size(); ++at) {
      if (*at != kGuardByte) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kGuard = 32;
  static constexpr std::uint8_t kGuardByte = 0xA5;
  std::size_t size_;
  std::vector<std::uint8_t> area_;
  std::uint8_t* start_;
};

/// Takes every message of two ports of one rank and remembers what it was told, in order.
class Inbox {
 public:
  struct Message {
    Inbox* inbox;
    bool eager;
    std::uint32_t source, length;
    std::uint32_t argument;  // one-packet
    bglml_metadata_t metadata;
    Buffer buffer;
    bglml_eager_receive_t receive;
    bool done;
  };

  /// Register both ports, on the rank that runs. All ranks do this in the same order.
  void open() {
    one_packet = bglml_one_packet_register(
        [](void* context, std::uint32_t source, std::uint32_t argument, const void* buffer, std::uint32_t length) {
          auto* inbox = static_cast<Inbox*>(context);
          inbox->messages.push_back({inbox, false, source, length, argument, {}, Buffer(length, 0), {}, true});
          if (length != 0) std::memcpy(inbox->messages.back().buffer.data(), buffer, length);
          inbox->events.push_back('n');
          if (inbox->on_done) inbox->on_done(inbox->messages.back());
        },
        this);
    eager = bglml_eager_register(
        [](void* context, std::uint32_t source, const bglml_metadata_t* metadata, std::uint32_t length) {
          auto* inbox = static_cast<Inbox*>(context);
          inbox->messages.push_back(
              {inbox, true, source, length, 0, *metadata, Buffer(length, inbox->alignment), {}, false});
          Message& message = inbox->messages.back();
          inbox->events.push_back('N');
          bglml_eager_receive_init(&message.receive, message.buffer.data(), done, &message);
          return &message.receive;
        },
        this);
  }

  unsigned alignment = 0;  ///< of the buffers given to eager messages
  std::deque<Message> messages;
  std::vector<char> events;  ///< n: one-packet recvnew, N: eager recvnew, D: recvdone
  std::function<void(Message&)> on_done;
  bglml_port_t one_packet = 0, eager = 0;

 private:
  static void done(void* context) {
    auto* message = static_cast<Message*>(context);
    message->done = true;
    message->inbox->events.push_back('D');
    if (message->inbox->on_done) message->inbox->on_done(*message);
  }
};

inline void count(void* context) {
  ++*static_cast<unsigned*>(context);
}

}  // namespace toroid::testing
