// SPDX-License-Identifier: Apache-2.0
//
// Whole programs made by the cross compilers: what libc, libstdc++ and libgfortran need of core and kernel.
#include <gtest/gtest.h>

#include "guest_run.h"

namespace toroid {
namespace {

TEST(Programs, HelloInC) {
  GuestRun run;
  run.program = "hello";
  run.arguments = {"one", "two words"};
  run.environment = {"TOROID_TEST=set"};
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.report, "");
  EXPECT_EQ(result.out,
            "hello from hello\nargument 1: one\nargument 2: two words\nenvironment: TOROID_TEST=set\n"
            "TOROID_TEST is set, 4.500\n");
  EXPECT_EQ(result.err, "sum 14\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.state, "finished");
  EXPECT_GT(result.instructions, 10'000u);
  EXPECT_GT(result.cycles, result.instructions / 2);
}

}  // namespace
}  // namespace toroid

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

int sc_main(int, char**) {
  return 0;
}
