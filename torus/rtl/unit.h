// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "torus/base/wheel.h"
#include "torus/rtl/waves.h"

namespace toroid::rtl {

/// State that the adapters of a run share.
class RtlRun {
 public:
  explicit RtlRun(Wheel& wheel) : wheel_(wheel) {}
  RtlRun(const RtlRun&) = delete;
  RtlRun& operator=(const RtlRun&) = delete;

  Wheel& wheel() { return wheel_; }
  Waves* waves() const { return waves_; }
  void set_waves(Waves* waves) { waves_ = waves; }

  /// The first fault of a unit, one line; empty if there is none.
  const std::optional<std::string>& fault() const { return fault_; }
  /// Sets a function that is called at the first fault, on the wheel, and ends the run. The wheel does not advance
  /// beyond the present cycle.
  void on_fault(std::function<void()> call) { on_fault_ = std::move(call); }
  void fail(const std::string& text) {
    if (fault_) return;
    fault_ = text;
    wheel_.hold(wheel_.now());
    if (on_fault_) on_fault_();
  }

 private:
  Wheel& wheel_;
  Waves* waves_ = nullptr;
  std::optional<std::string> fault_;
  std::function<void()> on_fault_;
};

/// A unit in Verilog at its place in a machine: the base class of all adapters.
class RtlUnit {
 public:
  RtlUnit(std::string name, RtlRun& run) : name_(std::move(name)), run_(run) {}
  virtual ~RtlUnit() = default;
  RtlUnit(const RtlUnit&) = delete;
  RtlUnit& operator=(const RtlUnit&) = delete;

  /// "router@0,0,0", as in waves and messages.
  const std::string& name() const { return name_; }
  /// Clock edges that its Verilog has executed.
  std::uint64_t clock_cycles() const { return clock_cycles_; }
  /// Bytes of packets that came out different from what went in.
  std::uint64_t changed_bytes() const { return changed_bytes_; }

 protected:
  /// Called before each clock edge, before the pins of its cycle are set.
  void edge(Cycle cycle) {
    ++clock_cycles_;
    if (run_.waves() != nullptr) run_.waves()->edge(cycle.count());
  }
  void count_changed(std::uint64_t bytes) { changed_bytes_ += bytes; }

  /// Reports a fault of the unit, or a failed assertion of its Verilog (RtlFault). The run ends; the adapter does
  /// nothing from then on. An exception is not possible here, because the wheel runs inside SystemC processes and,
  /// below device accesses, inside the instruction-set engine's C code.
  void fail(Cycle cycle, const std::string& what) {
    failed_ = true;
    run_.fail(name_ + ", network cycle " + std::to_string(cycle.count()) + ": " + what);
  }
  bool failed() const { return failed_; }

 private:
  const std::string name_;
  RtlRun& run_;
  std::uint64_t clock_cycles_ = 0;
  std::uint64_t changed_bytes_ = 0;
  bool failed_ = false;
};

}  // namespace toroid::rtl
