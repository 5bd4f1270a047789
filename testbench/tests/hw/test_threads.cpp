// SPDX-License-Identifier: Apache-2.0
//
// Threads of a process: C programs with pthreads and OpenMP on nodes of four cores.
#include <gtest/gtest.h>

#include "four_core_run.h"

namespace toroid {
namespace {

std::string run_subject(const std::string& subject, const std::string& mode = "smp", unsigned ranks = 1) {
  FourCoreRun each;
  each.subject = subject;
  each.mode = mode;
  each.ranks = ranks;
  return run(each);
}

class Subject : public testing::TestWithParam<const char*> {};

TEST_P(Subject, WorksAndDependsOnNeitherQuantumNorParking) {
  FourCoreRun usual;
  usual.subject = GetParam();
  expect_the_same_results(usual);
}

INSTANTIATE_TEST_SUITE_P(Threads, Subject,
                         testing::Values("mutex", "spin", "turns", "device", "condition", "barrier", "local",
                                         "timeouts", "many", "limit", "identity", "futex"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(Threads, AreAsManyAsTheModeGivesTheProcessCores) {
  EXPECT_TRUE(contains(run_subject("limit", "smp"), "3 threads beside the first, then: Resource temp"));
  EXPECT_TRUE(contains(run_subject("limit", "dual", 2), "1 threads beside the first, then: Resource temp"));
  EXPECT_TRUE(contains(run_subject("limit", "vn", 4), "0 threads beside the first, then: Resource temp"));
  FourCoreRun none;
  none.subject = "limit";
  none.apart = 0;
  EXPECT_TRUE(contains(run(none), "0 threads beside the first, then: Resource temp"));
}

TEST(Threads, OfSeveralProcessesOnANode) {
  const std::string result = run_subject("mutex", "dual", 2);
  EXPECT_TRUE(contains(result, "2 threads counted to 400\n"));
  EXPECT_TRUE(contains(result, "completed \nrank 0: 0, "));
}

TEST(Threads, RunOpenMp) {
  FourCoreRun openmp;
  openmp.program = "openmp";
  const std::string result = run(openmp);
  EXPECT_TRUE(contains(result, "4 threads, sum 999500.0, 4 in the critical section, 1 single, 0 behind the barrier\n"));
  openmp.quantum = 1;
  EXPECT_EQ(run(openmp), result);
  openmp.apart = 0;
  EXPECT_TRUE(contains(run(openmp), "1 threads, sum 999500.0, 1 in the critical section"));
}

TEST(Threads, EndTheProcessByAFaultThatNamesThem) {
  const std::string result = run_subject("crash");
  EXPECT_TRUE(
      contains(result, "fault rank 0 (node 0,0,0), thread 3 on core 2: write to 0x00000000 (NULL pointer), at "));
  EXPECT_TRUE(contains(result, "(crash+0x"));
}

TEST(Threads, ThatAllWaitForEverAreReported) {
  const std::string result = run_subject("deadlock");
  EXPECT_TRUE(contains(result, "fault rank 0 (node 0,0,0)"));
  EXPECT_TRUE(contains(result, ": all threads wait for ever: "));
  EXPECT_TRUE(contains(result, "thread 3 on core 2 at "));
  EXPECT_TRUE(contains(result, "lock_for_ever (threads.c:"));
}

TEST(Threads, AllEndWithTheProcess) {
  const std::string result = run_subject("exit");
  EXPECT_TRUE(contains(result, "leaving\ncompleted \nrank 0: 3, "));
  EXPECT_EQ(run_subject("exit"), result);
}

TEST(Threads, OutliveTheFirst) {
  EXPECT_TRUE(contains(run_subject("main_ends"), "the last thread\ncompleted \nrank 0: 0, "));
}

}  // namespace
}  // namespace toroid
