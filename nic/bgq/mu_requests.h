// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nic/bgq/mu_ring.h"
#include "torus/torus/packet.h"

namespace toroid {

struct MuMessage;

/// Something that memory has been asked to do, in one or several requests.
struct MuRequest {
  enum class Kind : std::uint8_t { descriptor, packet, fifo, gets, put };
  Kind kind;
  std::uint8_t engine;  ///< that waits for it
  bool interrupt;       ///< the packet has the interrupt bit
  bool done;            ///< and waits for those before it
  std::uint8_t parts;   ///< requests that memory has not answered
  std::uint16_t fifo;   ///< of memory, that the bytes come from or go to
  std::uint32_t bytes;
  std::uint32_t next;      ///< behind it at its engine, or in its FIFO; MuReservations::kNone: none
  std::uint32_t sequence;  ///< in the order in which they were asked for
  MuMessage* message;
  Packet* packet;
  std::uint64_t value;           ///< what an atomic operation gives; of a put the operand
  std::uint64_t address;         ///< of a put
  std::uint32_t generation = 0;  ///< of its reservations
};

/// The requests of a unit, by numbers that memory gives back with its answers.
class MuRequests {
 public:
  std::uint32_t add(const MuRequest& request) {
    std::uint32_t number;
    if (free_.empty()) {
      number = static_cast<std::uint32_t>(all_.size());
      all_.push_back(request);
    } else {
      number = free_.back();
      free_.pop_back();
      all_[number] = request;
    }
    all_[number].sequence = sequence_++;
    all_[number].next = MuReservations::kNone;
    return number;
  }
  void remove(std::uint32_t number) { free_.push_back(number); }
  MuRequest& operator[](std::uint32_t number) { return all_[number]; }
  const MuRequest& operator[](std::uint32_t number) const { return all_[number]; }
  std::size_t in_use() const { return all_.size() - free_.size(); }

  /// Memory has answered a part, or there was none to answer.
  void answered(std::uint32_t number) {
    if (all_[number].parts != 0) --all_[number].parts;
    if (all_[number].parts == 0) complete_.push_back(number);
  }
  /// Those that are complete, in the order in which they were asked for, until the next call.
  const std::vector<std::uint32_t>& take_complete() {
    taken_.swap(complete_);
    complete_.clear();
    std::sort(taken_.begin(), taken_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::int32_t>(all_[a].sequence - all_[b].sequence) < 0;
    });
    return taken_;
  }

 private:
  std::vector<MuRequest> all_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> complete_;
  std::vector<std::uint32_t> taken_;
  std::uint32_t sequence_ = 0;
};

}  // namespace toroid
