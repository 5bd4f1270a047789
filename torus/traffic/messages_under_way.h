// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "torus/base/time.h"

namespace toroid {

/// The messages of one node of which packets are on their way, in the order in which they began. Packets of several
/// messages may arrive in any order.
class MessagesUnderWay {
 public:
  struct Message {
    Cycle start;
    Cycle last;          ///< the latest arrival so far
    std::uint32_t left;  ///< packets that have not arrived
  };

  void begin(Cycle start, std::uint32_t packets) {
    if (end_ - first_ == ring_.size()) grow();
    at(end_++) = {start, Cycle{}, packets};
  }

  /// A packet of message number `number`, counted from 0, has arrived at cycle `arrival`. Calls `complete` with the
  /// message if it was the last one of it.
  template <typename Complete>
  void arrived(std::uint32_t number, Cycle arrival, const Complete& complete) {
    Message& message = at(number);
    if (message.last < arrival) message.last = arrival;
    if (--message.left == 0) complete(message);
    while (first_ != end_ && at(first_).left == 0) ++first_;
  }

 private:
  Message& at(std::uint32_t number) { return ring_[number & (ring_.size() - 1)]; }

  void grow() {
    std::vector<Message> larger(ring_.empty() ? 2 : 2 * ring_.size());
    for (std::uint32_t number = first_; number != end_; ++number) larger[number & (larger.size() - 1)] = at(number);
    ring_.swap(larger);
  }

  std::vector<Message> ring_;  ///< a power of two
  std::uint32_t first_ = 0;    ///< the oldest that has not arrived
  std::uint32_t end_ = 0;
};

}  // namespace toroid
