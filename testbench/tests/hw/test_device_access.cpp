// SPDX-License-Identifier: Apache-2.0
//
// Device accesses of a core: what transactions instructions become, and what they cost.
#include <gtest/gtest.h>

#include "guest_run.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

GuestResult run_device(const std::string& what, const CoreConfig& core = test_core(),
                       const DeviceCost& device = {51, 3}) {
  GuestRun run;
  run.program = "device";
  run.arguments = {what};
  run.core = core;
  run.device = device;
  return run_guest(run);
}

// The log without its times.
std::string accesses(const std::string& log) {
  std::string result;
  std::size_t at = 0;
  while (at < log.size()) {
    const std::size_t end = log.find('\n', at);
    std::string line = log.substr(at, end - at);
    const std::size_t time = line.find(" at ");
    const std::size_t bytes = line.find(' ', time + 4);
    result += line.substr(0, time) + (bytes == std::string::npos ? "" : line.substr(bytes)) + "\n";
    at = end + 1;
  }
  return result;
}

// A block takes its instructions' time or its device accesses', whichever is longer. The time base's read takes 5.
TEST(DeviceTiming, FollowsTheMicroFigures) {
  const GuestResult result = run_device("timing");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out,
            "nothing 5\n"
            "one load 51\n"
            "16 quad loads 204\n"       // four at a time
            "5 quad loads 102\n"        // 2 x 51
            "4 blocks of a load 209\n"  // 4 x 51 + 5: each block waits for its own
            "16 quad stores 48\n"       // 16 x 3
            "one slow load 58\n");      // 10 ns in the device + 51
}

TEST(DeviceTiming, FollowsTheConfiguration) {
  CoreConfig core = test_core();
  core.outstanding_reads = 8;
  const GuestResult result = run_device("timing", core, {100, 6});
  EXPECT_EQ(result.out,
            "nothing 5\none load 100\n16 quad loads 200\n5 quad loads 100\n4 blocks of a load 405\n16 quad stores 96\n"
            "one slow load 107\n");
}

TEST(DeviceTiming, DoesNotDependOnTheQuantum) {
  CoreConfig core = test_core();
  const GuestResult usual = run_device("timing", core);
  core.quantum = 10;
  const GuestResult small = run_device("timing", core);
  EXPECT_EQ(usual.out, small.out);
  EXPECT_EQ(usual.device_log, small.device_log);
  EXPECT_EQ(usual.cycles, small.cycles);
  EXPECT_EQ(usual.instructions, small.instructions);
}

/// A device may lie elsewhere on the bus than where programs see it, above 4 GB too.
TEST(DeviceWindow, HasAnAddressOfItsOwnOnTheBus) {
  for (const char* what : {"timing", "sizes", "read-broken"}) {
    GuestRun run;
    run.program = "device";
    run.arguments = {what};
    const GuestResult usual = run_guest(run);
    run.device_on_bus = 0x6'0000'0000;
    const GuestResult moved = run_guest(run);
    EXPECT_EQ(moved.error, usual.error);
    EXPECT_EQ(moved.report, usual.report);
    EXPECT_EQ(moved.out, usual.out);
    EXPECT_EQ(moved.device_log, usual.device_log);
    EXPECT_EQ(moved.cycles, usual.cycles);
  }
}

TEST(DeviceAccess, HasTheSizeOfTheInstruction) {
  const GuestResult result = run_device("sizes");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.report, "");
  EXPECT_EQ(result.out,
            "lvx 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n"
            "lfd 28 29 2a 2b 2c 2d 2e 2f\n"
            "lwz 30313233\n"
            "lhz 3637\n"
            "lbz 3b\n"
            "mixed 44454647 48494a4b\n"
            "mixed 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f\n"
            "chased 50 51 52 53 54 55 56 57 58 59 5a 5b 5c 5d 5e 5f\n"
            "behind lfd 64656667\n");
  EXPECT_EQ(accesses(result.device_log),
            "R 110 16\n"
            "R 128 8\n"
            "R 130 4\n"
            "R 136 2\n"
            "R 13b 1\n"
            "R 144 4\nR 140 16\nR 148 4\nR 140 16\n"
            "R 150 16\n"
            "R 160 8\nR 164 4\n"
            "W 210 16 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n"
            "W 250 4 12340000\n"
            "W 260 16 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n"
            "W 260 16 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n"
            "R 180 4\n"
            "R 190 16\n"
            "W 220 8 3ff8000000000000\n"
            "W 230 4 12345678\n"
            "W 236 2 abcd\n"
            "W 23b 1 ef\n"
            "R 170 4\nR 174 4\nR 178 4\n");
  EXPECT_EQ(result.device_reads, 17u);
  EXPECT_EQ(result.device_writes, 8u);
}

struct BadAccess {
  const char* what;
  const char* report;
};

class BadAccesses : public testing::TestWithParam<BadAccess> {};

TEST_P(BadAccesses, KillTheProcessWithAReport) {
  const GuestResult result = run_device(GetParam().what);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.status, 128 + 7);
  EXPECT_EQ(result.state, "faulted");
  EXPECT_EQ(result.out, "");
  const std::string expected =
      std::string("rank 0 (node 0,0,0): bad device access to ") + GetParam().report + ", at 0x";
  EXPECT_EQ(result.report.substr(0, expected.size()), expected) << result.report;
  EXPECT_NE(result.report.find("(main+0x"), std::string::npos) << result.report;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadAccesses,
    testing::Values(BadAccess{"word-to-quad", "0xb1140300: access of a size the register does not have"},
                    BadAccess{"word-from-quad", "0xb1140300: access of a size the register does not have"},
                    BadAccess{"hole", "0xb1140500: no such register"},
                    BadAccess{"undecoded", "0xb1149000: no such register"},
                    BadAccess{"misaligned", "0xb1140102: misaligned 4-byte access to a device"},
                    BadAccess{"misaligned-double", "0xb1140104: misaligned 8-byte access to a device"}));

/// Of the simulator's own mistakes, and of a host without memory: an exception comes out of the whole simulation, from
/// wherever it was thrown, the code that Unicorn makes of the program's in between.
TEST(Exceptions, ComeOutOfDevicesAndCalls) {
  for (const char* what : {"read-broken", "write-broken"}) {
    const GuestResult result = run_device(what);
    EXPECT_NE(result.error.find("the toy is broken"), std::string::npos) << what << ": " << result.error;
  }
  GuestRun print;
  print.program = "device";
  print.arguments = {"sizes"};
  print.output_throws = true;
  const GuestResult result = run_guest(print);
  EXPECT_NE(result.error.find("bad_alloc"), std::string::npos) << result.error;
}

}  // namespace
}  // namespace toroid
