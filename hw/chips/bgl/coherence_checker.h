// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "hw/core/access_observer.h"
#include "hw/core/core.h"

namespace toroid {

/// Finds accesses to memory by which two cores, whose L1 data caches nothing keeps coherent, could see old data or lose
/// some.
///
/// The simulator's memory is functionally one, so such a program runs well in it; on the machine it would depend on
/// what a cache happens to hold. For each line of 32 bytes the checker knows, a byte at a time, what each core has
/// written and not yet written back, and which copies may be old. It is strict about what may happen: a copy lives
/// until its core flushes or invalidates it (replacement cannot be relied on), and a write reaches memory when it is
/// flushed or stored. Reported are
///   - a read of bytes that the other core has written and not written back,
///   - a read of bytes that the other core has written since this core's copy of the line was made,
///   - a write to a line that the other core has written and not written back, whatever the bytes: lines go back whole,
///   - a write into such an old copy: what the other core wrote would be overwritten.
/// Reading bytes of a shared line that no core writes is not an error.
///
/// Accesses come in the order in which they reach the one copy of memory: that of simulated time wherever a device or a
/// call orders them, otherwise that of the cores' turns (KernelParameters::cores_apart). What the kernel reads and
/// writes for a call is not seen.
class CoherenceChecker : public AccessObserver {
 public:
  static constexpr unsigned kCores = 2;
  static constexpr unsigned kLineBytes = 32;

  enum class Kind : std::uint8_t { unflushed_read, stale_read, both_write, stale_write };

  /// One pair of instructions, the first time they met.
  struct Finding {
    Kind kind;
    unsigned core;            ///< which read, or wrote second
    std::uint64_t pc;         ///< of that
    std::uint64_t other_pc;   ///< of the other core's write
    std::uint64_t address;    ///< of the access, as the software names it
    std::uint64_t count = 0;  ///< how often they met in all
  };

  /// In the order in which they were found.
  const std::vector<Finding>& findings() const { return findings_; }

  void on_access(const Core& core, std::uint64_t pc, std::uint64_t address, unsigned size, bool store) override;
  void on_cache_instruction(const Core& core, std::uint64_t pc, std::uint64_t address, AccessKind kind) override;
  void on_flush(const Core& core) override;

 private:
  using Bytes = std::uint32_t;  ///< a bit a byte of a line

  /// A core's copy of a line.
  struct Copy {
    std::uint64_t flushes = 0;  ///< of the core when the copy was made, plus one: another number means no copy
    Bytes dirty = 0;            ///< written and not written back
    Bytes old = 0;              ///< written by the other core and not seen here
    std::array<std::uint64_t, kLineBytes / 4> pcs{};  ///< the last write to each word
  };
  using Line = std::array<Copy, kCores>;

  /// A line's copies as of now.
  Line& line_at(std::uint64_t physical);
  void read(const Core& core, std::uint64_t pc, std::uint64_t address, Line& line, Bytes bytes);
  void write(const Core& core, std::uint64_t pc, std::uint64_t address, Line& line, Bytes bytes);
  /// Gives a core a copy where it has none.
  void fetch(Line& line, unsigned core);
  bool present(const Copy& copy, unsigned core) const { return copy.flushes == flushes_[core] + 1; }
  void found(Kind kind, unsigned core, std::uint64_t pc, std::uint64_t address, const Copy& other, Bytes bytes);

  std::unordered_map<std::uint64_t, Line> lines_;  // by physical line; looked up only, never walked
  std::array<std::uint64_t, kCores> flushes_{};
  std::vector<Finding> findings_;
  std::map<std::tuple<Kind, unsigned, std::uint64_t, std::uint64_t>, std::size_t> known_;
};

}  // namespace toroid
