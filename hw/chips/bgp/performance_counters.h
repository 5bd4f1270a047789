// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace toroid {

/// What a node's performance counter unit can count.
class PerformanceEvents {
 public:
  virtual ~PerformanceEvents() = default;
  /// Whether the model counts the event: number 256 x user mode + counter (drivers/bgp/include/spi/UPC_Events.h).
  virtual bool counts(unsigned event) const = 0;
  /// How often it has happened since the run began; `now` is the present cycle of the cores. counts() must hold.
  virtual std::uint64_t count(unsigned event, std::uint64_t now) const = 0;
};

/// The performance counter unit of a node, as the functions of the SPI see it: 256 counters, each of which counts an
/// event while the unit is started. Errors are those of spi/UPC.h, which are negative.
class PerformanceCounters {
 public:
  static constexpr unsigned kCounters = 256;
  static constexpr unsigned kUserModes = 4;
  static constexpr unsigned kElapsedTime = 255;  ///< the counter of cycles, in each mode

  enum Error : std::int64_t {
    kIsActive = -1,
    kWrongCounterMode = -2,
    kInvalidReadType = -5,
    kInvalidEdge = -8,
    kInvalidEvent = -9,
    kElapsedTimeEvent = -10,
    kNotMonitored = -11,
    kMonitored = -12,
    kInvalidUserMode = -13,
  };

  /// Counts `mode`'s events, and is stopped. `events` is kept by reference.
  PerformanceCounters(const PerformanceEvents& events, unsigned mode);

  bool active() const { return active_; }
  /// 0: events of user modes 0 and 1, 1: of 2 and 3.
  unsigned counter_mode() const { return counter_mode_; }
  /// -2: events of two modes.
  int user_mode() const { return user_mode_; }
  std::int64_t generation() const { return generation_; }
  std::int64_t starts() const { return starts_; }
  bool counts(std::uint32_t event) const { return event < kUserModes * kCounters && events_.counts(event); }

  /// Of the mode -1, the one with which the unit begins.
  std::int64_t configure(std::int32_t mode, std::uint32_t edge);
  std::int64_t monitor(std::uint32_t event, std::uint32_t edge);
  std::int64_t start(bool reset, std::uint64_t now);
  std::int64_t stop(std::uint64_t now);
  std::int64_t read(std::uint32_t event, std::uint32_t type, std::uint64_t now);
  /// Counters that count nothing are 0. Returns the start/stop generation.
  std::int64_t read_all(std::uint32_t type, std::uint64_t now, std::array<std::uint64_t, kCounters>& values);
  std::int64_t set(std::uint32_t event, std::int64_t value);
  std::int64_t zero(std::uint32_t event, std::uint64_t now);
  std::int64_t zero_all(std::uint64_t now);
  std::int64_t edge(std::uint32_t event) const;

 private:
  struct Counter {
    unsigned event = 0;
    bool monitors = false;
    std::uint32_t edge = 0;
    std::uint64_t value = 0;  ///< without what has come since the unit was started
    std::uint64_t from = 0;   ///< the event's count then
  };

  /// 0, or an error.
  std::int64_t check(std::uint32_t event) const;
  std::int64_t check_read(std::uint32_t type);
  std::uint64_t value(const Counter& counter, std::uint64_t now) const;
  void set(Counter& counter, std::uint64_t value, std::uint64_t now) const;

  const PerformanceEvents& events_;
  const unsigned default_mode_;
  std::array<Counter, kCounters> counters_;
  unsigned counter_mode_ = 0;
  int user_mode_ = 0;
  bool active_ = false;
  std::int64_t generation_ = 0;
  std::int64_t starts_ = 0;
};

}  // namespace toroid
