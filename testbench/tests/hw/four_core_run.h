// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "torus/base/time.h"

namespace toroid {

/// A program on a node of four cores, in a process mode.
struct FourCoreRun {
  std::string program = "threads";
  std::string subject;
  std::string mode = "smp";
  unsigned ranks = 1;
  CoreCycle quantum = 10000;
  CoreCycle apart = 100;
  bool park = true;
  bool tell_parked = false;  ///< adds "parked 3 times", of core 0
};

/// What the run prints, how it ends, and what each rank took; in a process of its own, because SystemC elaborates once
/// a process.
std::string run(const FourCoreRun& run);

/// Expects that the subject has no failures, and the same of it with any quantum and without parking.
void expect_the_same_results(const FourCoreRun& usual);

testing::AssertionResult contains(const std::string& text, const std::string& part);

}  // namespace toroid
