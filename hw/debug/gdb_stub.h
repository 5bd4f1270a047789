// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "hw/debug/debug_target.h"
#include "hw/debug/stop_points.h"

namespace toroid {

/// Why a thread has stopped.
struct Stop {
  enum class Why : std::uint8_t { signal, breakpoint, watchpoint };
  unsigned thread = 1;
  int signal = 5;  ///< gdb's number: 2 Ctrl-C, 4 illegal instruction, 5 trap, 11 segmentation
  Why why = Why::signal;
  std::uint64_t address = 0;  ///< watchpoint: of the data
  StopPoints::Watch watch = StopPoints::Watch::write;
};

/// How a thread resumes.
struct Going {
  bool step = false;  ///< stops at the next instruction outside [begin, end), or at any
  std::uint64_t begin = 0, end = 0;
};

/// gdb's remote serial protocol between packets and a target: no sockets, no time.
class GdbStub {
 public:
  enum class Then : std::uint8_t { stay, go, detach, kill };
  struct Answer {
    std::string reply;  ///< empty, where there is one: not supported
    bool replies = true;
    Then then = Then::stay;
  };

  explicit GdbStub(DebugTarget& target) : target_(target) {}

  Answer handle(const std::string& packet);
  /// A thread has stopped: what gdb is to be told, and what it gets if it asks again.
  const std::string& stopped(const Stop& stop);

  const StopPoints& points() const { return points_; }
  /// How `thread` is to go on since the last Then::go.
  Going going(unsigned thread) const;
  /// What the user is to be told once the target runs; empty if there is nothing. The text is then cleared.
  std::string take_note() { return std::exchange(note_, {}); }
  /// Packets are no longer acknowledged, from the next on.
  bool no_acks() const { return no_acks_; }

  static std::string exited(int status);
  static std::string killed(int signal);
  /// Text for gdb's console, while the target runs.
  static std::string console(std::string_view text);

 private:
  Answer query(std::string_view packet);
  Answer resume(std::string_view actions);
  std::string transfer(std::string_view request) const;
  /// One register's digits; `x` where it is not known.
  std::string register_text(Register which) const;
  /// False if it cannot be written now; nullopt if the digits make no sense.
  std::optional<bool> set_register(Register which, std::string_view digits);
  std::optional<Register> register_of(std::string_view text) const;
  std::optional<std::uint64_t> address_of(std::string_view text) const;
  std::string read_all() const;
  std::string write_all(std::string_view text);
  std::string read_one(std::string_view text) const;
  std::string write_one(std::string_view text);
  std::string read_memory(std::string_view text);
  std::string write_memory(std::string_view text, bool binary);
  std::string change_point(std::string_view text, bool add);
  std::string select(std::string_view text);
  bool exists(unsigned thread) const;

  DebugTarget& target_;
  StopPoints points_;
  std::map<unsigned, Going> going_;  ///< by thread; 0 for all others
  unsigned selected_ = 1;            ///< thread whose registers and memory are asked for
  std::string last_stop_ = "S05";
  bool no_acks_ = false;
  std::string note_;
  std::set<std::uint64_t> noted_;  ///< addresses of watchpoints of which the user has been told
};

}  // namespace toroid
