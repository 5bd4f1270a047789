// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <systemc>

namespace toroid {

/// Lets simulated time pass in slices, and looks at the outside between them: often enough for people, and seldom
/// enough to cost nothing.
class RunLoop {
 public:
  /// How often a run may have come to its end.
  static const sc_core::sc_time kSlice;

  /// `ended` tells whether the run is over, `look` is called between slices and may end it. No slice is longer than
  /// `longest`.
  RunLoop(std::function<bool()> ended, std::function<void()> look, const sc_core::sc_time& longest)
      : ended_(std::move(ended)), look_(std::move(look)), longest_(longest) {}

  /// Lets `span` pass, less if the run ends. The outside is looked at more often, which must not move the times at
  /// which a run can end by itself. Returns what an exception in a process of SystemC said: the run cannot go on.
  std::optional<std::string> advance(const sc_core::sc_time& span);

 private:
  const std::function<bool()> ended_;
  const std::function<void()> look_;
  const sc_core::sc_time longest_;
  sc_core::sc_time span_ = sc_core::sc_time::from_value(1'000'000);  ///< between two looks; at first 1 us
};

/// The time up to the end of the slice in which something is pending: nothing happens in those before it, however many
/// they are.
sc_core::sc_time slices_to_activity(const sc_core::sc_time& slice);

}  // namespace toroid
