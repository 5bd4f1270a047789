// SPDX-License-Identifier: Apache-2.0
//
// Whole programs made by the cross compilers: what libc, libstdc++ and libgfortran need of core and kernel.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

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

TEST(Programs, LanguageOfCpp) {
  GuestRun run;
  run.program = "language";
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, "one=1 two=2 998001\ncaught out_of_range\nderived 0.3\n");
  // The last exception is not caught.
  EXPECT_EQ(result.err,
            "terminate called after throwing an instance of 'std::runtime_error'\n  what():  nobody catches this\n");
  EXPECT_EQ(result.status, 134);
  EXPECT_EQ(result.report.substr(0, 28), "rank 0 (node 0,0,0): aborted") << result.report;
}

TEST(Programs, Fortran) {
  const std::string directory = testing::TempDir() + "toroid_fortran";
  std::filesystem::create_directories(directory);
  GuestRun run;
  run.program = "fortran";
  run.job_directory = directory;
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.report, "");
  EXPECT_EQ(result.out, "sum  837.000\n hello from Fortran          42\n  123\n");
  EXPECT_EQ(result.err, "STOP 5\n");
  EXPECT_EQ(result.status, 5);
  std::filesystem::remove_all(directory);
}

TEST(Programs, AreTheSameTwice) {
  GuestRun run;
  run.program = "hello";
  const GuestResult a = run_guest(run);
  run.core.quantum = 77;
  const GuestResult b = run_guest(run);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.system_calls, b.system_calls);
}

/// The line of a guest's source that a report names behind `before`.
std::string line_named(const std::string& report, const std::string& before, const std::string& source) {
  std::smatch found;
  if (!std::regex_search(report, found, std::regex(before + source + ":([0-9]+)\\)"))) return "none in " + report;
  std::ifstream file(TOROID_GUEST_SOURCES "/" + source);
  std::string line;
  for (int left = std::stoi(found[1]); left > 0; --left) std::getline(file, line);
  return line;
}

TEST(Programs, AreToldWithSourceLines) {
  GuestRun run;
  run.program = "faults";
  run.arguments = {"null-write"};
  const std::string report = run_guest(run).report;
  EXPECT_EQ(line_named(report, "write_word\\+0x[0-9a-f]+, ", "faults.c"), "  *to = 1;") << report;
  EXPECT_EQ(line_named(report, "called by main \\(", "faults.c"),
            "  if (strcmp(what, \"null-write\") == 0) write_word(NULL);")
      << report;
}

struct Fault {
  const char* what;
  int status;
  const char* report;  ///< a regular expression behind "rank 3 (node 3,0,0): "
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, EndTheProcessWithOneLine) {
  GuestRun run;
  run.program = "faults";
  run.arguments = {GetParam().what};
  run.rank = 3;
  run.ranks = 4;
  const GuestResult result = run_guest(run);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out, "before\n");
  EXPECT_EQ(result.status, GetParam().status);
  const std::string expected =
      *GetParam().report == 0 ? "" : std::string("rank 3 \\(node 3,0,0\\): ") + GetParam().report;
  // Lines have a test of their own.
  const std::string report = std::regex_replace(result.report, std::regex(", faults.c:[0-9]+\\)"), ")");
  const std::string without_lines = std::regex_replace(report, std::regex(" \\(faults.c:[0-9]+\\)"), "");
  EXPECT_TRUE(std::regex_match(without_lines, std::regex(expected))) << result.report;
}

INSTANTIATE_TEST_SUITE_P(
    All, Faults,
    testing::Values(
        Fault{"illegal", 132, "illegal instruction 0x00000000 at 0x1000.... \\(illegal\\+0x0\\), called by main"},
        Fault{"privileged", 132,
              "privileged instruction 0x7c6000a6 at 0x1000.... \\(privileged\\+0x0\\), called by main"},
        Fault{
            "invalidate", 132,
            "privileged instruction 0x7c00[0-9a-f]{2}ac at 0x1000.... \\(invalidate\\+0x[0-9a-f]+\\), called by main"},
        Fault{"trap", 133, "trap instruction 0x7fe00008 at 0x1000.... \\(trap\\+0x0\\), called by main"},
        Fault{"odd-atomic", 135,
              "misaligned read of 0x100....[159d] by instruction 0x7d[0-9a-f]{4}28: what it moves must lie at a "
              "multiple of its size, at 0x1000.... \\(add_atomically\\+0x0\\), called by main"},
        Fault{"null-read", 139, "read of 0x00000000 \\(NULL pointer\\), at 0x1000.... \\(read_word\\+0x0\\)"},
        Fault{"null-write", 139,
              "write to 0x00000000 \\(NULL pointer\\), at 0x1000.... \\(write_word\\+0x4\\), called by main"},
        Fault{"null-call", 139,
              "jump to 0x00000000 \\(NULL pointer\\), called from 0x1000.... \\(main\\+0x[0-9a-f]+\\)"},
        Fault{"wild-read", 139, "read of 0x70000000, which is not mapped, at 0x1000.... \\(read_word\\+0x0\\)"},
        Fault{"write-to-code", 139,
              "write to 0x1000...., which is read-only, at 0x1000.... \\(write_word\\+0x4\\), called by main"},
        Fault{
            "jump-to-data", 139,
            "jump to 0x100..... \\(data_word\\+0x0\\), which is data, called from 0x1000.... \\(main\\+0x[0-9a-f]+\\)"},
        Fault{"jump-away", 139,
              "jump to 0x70000000, which is not mapped, called from 0x1000.... \\(main\\+0x[0-9a-f]+\\)"},
        Fault{"overflow", 139,
              "stack overflow: write to 0x2f7f.{4}, below the stack of 8 MiB \\(node.stack_size\\), at 0x1000.... "
              "\\(overflow\\+0x[0-9a-f]+\\)"},
        Fault{"large-frame", 139,
              "stack overflow: write to 0x2[0-9a-f]{7}, below the stack of 8 MiB \\(node.stack_size\\), by a frame of "
              "503316[0-9]{2} bytes, at 0x1000.... \\(large_frame\\+0x[0-9a-f]+\\), called by main"},
        Fault{
            "frame-over-guard", 139,
            "stack overflow: write to 0x2f7[0-9a-f]{5}, below the stack of 8 MiB \\(node.stack_size\\), at 0x1000.... "
            "\\(frame_over_the_guard\\+0x[0-9a-f]+\\), called by fill_the_stack, "
            "main"},
        Fault{"protected", 139,
              "write to 0x100.{5}, which is read-only, at 0x1000.... \\(write_word\\+0x4\\), called by main"},
        Fault{"unmapped", 139,
              "write to 0x2[0-9a-f]{7}, which is not mapped, at 0x1000.... \\(write_word\\+0x4\\), called by main"},
        Fault{"abort", 134, "aborted, called by .*raise, abort, main.*"},
        Fault{"raise", 143, "killed itself with signal 15, called by .*raise, main.*"}, Fault{"exit", 42, ""},
        Fault{"pause", 134,
              "waits for ever for a signal with a handler \\(pause\\), and nothing can send one, called by .*pause.*"},
        Fault{"sigsuspend", 134,
              "waits for ever for a signal with a handler \\(sigsuspend\\), and nothing can send one, called by "
              ".*sigsuspend, .*main.*"},
        Fault{"sigwait-for-ever", 134,
              "waits for ever for a signal \\(sigwait\\), and no other thread can send one, called by "
              ".*sigwait, .*main.*"},
        Fault{"unblocked", 140, "killed itself with signal 12, called by .*sigprocmask, .*main.*"},
        Fault{"executable-heap", 7, ""}),
    [](const testing::TestParamInfo<Fault>& fault) {
      std::string name = fault.param.what;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace toroid
