// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace toroid {

/// The write-combining buffers of a core: stores to windows of this kind wait here, and leave a line at a time.
///
/// One line is open. A store to it joins what is there; a store to another line closes it, for good, and opens that
/// one; a line whose bytes are all there is closed as well. Closed lines leave in any order, which a seed chooses, and
/// at once where there are no buffers left. drain() closes the open line, and empties all: for fences, locked and
/// serialising instructions, interrupts, and accesses to uncached windows. ("Software Optimization Guide for AMD Family
/// 10h Processors", AMD 40546, appendix on write combining.)
class WriteCombining {
 public:
  static constexpr unsigned kLineBytes = 64;

  /// What leaves: a run of bytes without a gap, in one line. Returns false if nothing further is to leave.
  using Send = std::function<bool(std::uint64_t address, std::uint8_t* data, unsigned size)>;

  WriteCombining(unsigned buffers, std::uint64_t seed, Send send)
      : buffers_(buffers), random_(seed), send_(std::move(send)) {}

  /// A store of at most a line's bytes.
  void store(std::uint64_t address, const std::uint8_t* data, unsigned size);
  /// The closed lines leave.
  void send_closed();
  /// All lines leave.
  void drain();
  bool empty() const { return lines_.empty(); }
  bool has_closed() const { return lines_.size() > (open_ ? 1u : 0u); }

 private:
  struct Line {
    std::uint64_t base = 0;
    std::uint64_t present = 0;  ///< a bit for each byte
    std::array<std::uint8_t, kLineBytes> data{};
  };

  void put(std::uint64_t address, const std::uint8_t* data, unsigned size);
  /// One closed line leaves.
  void send_one();

  const unsigned buffers_;
  std::mt19937_64 random_;
  const Send send_;
  std::vector<Line> lines_;  ///< the open one last
  bool open_ = false;
};

}  // namespace toroid
