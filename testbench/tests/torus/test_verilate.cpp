// SPDX-License-Identifier: Apache-2.0
//
// How SystemVerilog comes into C++: assertions, what is printed, defects planted into copies, models side by side.
#include <Vtally.h>
#include <Vtally_planted.h>
#include <gtest/gtest.h>

#include <string>

#include "torus/rtl/fault.h"
#include "torus/rtl/verilated_hooks.h"

namespace {

using toroid::rtl::RtlFault;
using toroid::rtl::shared_context;

template <typename Model>
void clock(Model& model) {
  model.clk = 0;
  model.eval();
  model.clk = 1;
  model.eval();
}

template <typename Model>
void reset(Model& model) {
  model.rst = 1;
  clock(model);
  model.rst = 0;
}

template <typename Model>
std::string fault_of(Model& model) {
  try {
    for (int cycle = 0; cycle < 20; ++cycle) clock(model);
  } catch (const RtlFault& fault) {
    return fault.what();
  }
  return "none";
}

TEST(Verilate, counts) {
  Vtally model(&shared_context(), "tally");
  reset(model);
  model.add = 1;
  for (int cycle = 0; cycle < 5; ++cycle) clock(model);
  EXPECT_EQ(model.count, 5);
}

TEST(Verilate, a_failed_assertion_throws_with_file_line_module_and_message) {
  Vtally model(&shared_context(), "unit");
  reset(model);
  model.add = 1;
  EXPECT_EQ(fault_of(model), "tally.sv:23: Assertion failed in unit.tally: counted to 10");
}

TEST(Verilate, what_verilog_prints_goes_to_standard_error) {
  Vtally model(&shared_context(), "tally");
  reset(model);
  model.greet = 1;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  clock(model);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "count is 0\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Verilate, a_planted_copy_stands_beside_the_original) {
  Vtally right(&shared_context(), "right");
  Vtally_planted wrong(&shared_context(), "wrong");
  reset(right);
  reset(wrong);
  right.add = wrong.add = 1;
  for (int cycle = 0; cycle < 3; ++cycle) {
    clock(right);
    clock(wrong);
  }
  EXPECT_EQ(right.count, 3);
  EXPECT_EQ(wrong.count, 6);
}

}  // namespace
