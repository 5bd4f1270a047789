// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/run_loop.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace toroid {
namespace {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

const sc_time kShortest = sc_time::from_value(1'000'000);  // 1 us

/// What the host needs some hundredths of a second for. A machine that only polls does a millisecond in less, a
/// thousand busy cores take minutes: where many begin to work at once, the next span is as much shorter.
sc_time next_span(const sc_time& span, std::chrono::steady_clock::duration took) {
  constexpr std::chrono::steady_clock::duration kWanted = std::chrono::milliseconds(40);
  if (took < kWanted / 2) return std::min(span + span, RunLoop::kSlice);
  if (took > 2 * kWanted) {
    const double part = std::chrono::duration<double>(kWanted) / std::chrono::duration<double>(took);
    return std::max(span * part, kShortest);
  }
  return span;
}

}  // namespace

const sc_time RunLoop::kSlice = sc_time::from_value(1'000'000'000);  // 1 ms

sc_time slices_to_activity(const sc_time& slice) {
  const std::uint64_t gap = sc_core::sc_time_to_pending_activity().value();
  const std::uint64_t slices = gap / slice.value();
  // Beyond what SystemC can count: as far as it goes.
  return slices >= sc_core::sc_max_time().value() / slice.value() - 1
             ? sc_core::sc_max_time()
             : sc_time::from_value((slices + 1) * slice.value());
}

std::optional<std::string> RunLoop::advance(const sc_time& span) {
  const sc_time end = sc_time_stamp() + span;
  while (!ended_() && sc_time_stamp() < end) {
    const sc_time slice = std::min(span_, longest_);
    const auto begun = std::chrono::steady_clock::now();
    try {
      sc_core::sc_start(std::min(slices_to_activity(slice), end - sc_time_stamp()), sc_core::SC_RUN_TO_TIME);
    } catch (const sc_core::sc_report& report) {  // SystemC makes one of every exception that leaves a process
      return report.get_msg();
    }
    span_ = next_span(span_, std::chrono::steady_clock::now() - begun);
    if (!ended_()) look_();
  }
  return std::nullopt;
}

}  // namespace toroid
