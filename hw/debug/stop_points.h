// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <set>
#include <vector>

namespace toroid {

/// Where the target stops: breakpoints at instructions, and watchpoints on memory.
class StopPoints {
 public:
  enum class Watch : std::uint8_t { write, read, access };
  struct WatchPoint {
    Watch kind;
    std::uint64_t address;
    std::uint64_t size;
    bool operator==(const WatchPoint& other) const {
      return kind == other.kind && address == other.address && size == other.size;
    }
  };

  void add_break(std::uint64_t pc) {
    breaks_.insert(pc);
    filter_.set(slot(pc));
  }
  void remove_break(std::uint64_t pc) {
    breaks_.erase(pc);
    filter_.reset();
    for (const std::uint64_t each : breaks_) filter_.set(slot(each));
  }
  /// Asked before each instruction.
  bool breaks_at(std::uint64_t pc) const { return filter_[slot(pc)] && breaks_.count(pc) != 0; }

  void add_watch(const WatchPoint& point);
  void remove_watch(const WatchPoint& point);
  bool watches() const { return !watches_.empty(); }
  /// The first that an access to [address, address + size) touches, or nullptr.
  const WatchPoint* watched(std::uint64_t address, std::uint64_t size, bool store) const;

  void clear();

 private:
  static constexpr std::size_t kSlots = 1024;
  static std::size_t slot(std::uint64_t pc) { return pc / 4 % kSlots; }

  std::set<std::uint64_t> breaks_;
  std::bitset<kSlots> filter_;
  std::vector<WatchPoint> watches_;
};

}  // namespace toroid
