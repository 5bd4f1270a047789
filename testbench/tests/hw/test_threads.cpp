// SPDX-License-Identifier: Apache-2.0
//
// Threads of a process: C programs with pthreads and OpenMP on nodes of four cores.
#include <gtest/gtest.h>

#include <sstream>

#include "child_process.h"
#include "four_core_machine.h"
#include "hw/machine/machine.h"
#include "torus/torus/mapping.h"

namespace toroid {
namespace {

struct ThreadRun {
  std::string program = "threads";
  std::string subject;
  std::string mode = "smp";
  unsigned ranks = 1;
  CoreCycle quantum = 10000;
  CoreCycle apart = 100;
  bool park = true;
};

class Capture : public OutputSink {
 public:
  void write(std::uint32_t, int, std::string_view text) override { all.append(text); }
  std::string all;
};

/// What the run prints, how it ends, and what each rank took.
std::string run_here(const ThreadRun& run) {
  const FourCoreModel model(run.quantum, run.apart);
  const Topology topology{Shape{}};
  JobRequest request;
  request.program = std::string(TOROID_GUESTS "/") + run.program;
  request.ranks = run.ranks;
  request.mode = mode_called(run.mode, model.modes(), model.name());
  request.kernel.arguments = {run.program, run.subject};
  request.timeout_ns = 5'000'000'000;
  request.park = run.park;
  Capture output;
  Machine machine(model, topology, Mapping::xyzt(topology, request.mode.processes), request, output);
  const RunReport report = machine.run([](const Machine&) { return true; });
  std::ostringstream text;
  text << output.all << name_of(report.ending) << " " << report.error.value_or("") << "\n";
  for (const RankReport& rank : report.ranks) {
    text << "rank " << rank.rank << ": " << rank.status.value_or(-1) << ", " << rank.instructions << " instructions, "
         << rank.cycles << " cycles";
    if (rank.second_core) text << "; second " << rank.second_core->instructions << ", " << rank.second_core->cycles;
    text << "\n";
  }
  text << report.simulated_ns << " ns\n";
  return text.str();
}

/// In a process of its own, because SystemC elaborates once a process.
std::string run(const ThreadRun& run) {
  std::string died;
  const std::string text = test::in_child(
      [&run]() -> std::string {
        try {
          return run_here(run);
        } catch (const std::exception& error) {
          return error.what();
        }
      },
      died);
  return died.empty() ? text : died;
}

std::string run_subject(const std::string& subject, const std::string& mode = "smp", unsigned ranks = 1) {
  ThreadRun each;
  each.subject = subject;
  each.mode = mode;
  each.ranks = ranks;
  return run(each);
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos ? testing::AssertionSuccess()
                                              : testing::AssertionFailure() << "no \"" << part << "\" in:\n"
                                                                            << text;
}

class Subject : public testing::TestWithParam<const char*> {};

TEST_P(Subject, WorksAndDependsOnNeitherQuantumNorParking) {
  ThreadRun usual;
  usual.subject = GetParam();
  const std::string result = run(usual);
  EXPECT_TRUE(contains(result, std::string(GetParam()) + ": 0 failures\ncompleted \n"));
  for (const unsigned quantum : {1u, 333u}) {
    ThreadRun other = usual;
    other.quantum = CoreCycle{quantum};
    EXPECT_EQ(run(other), result) << "quantum " << quantum;
  }
  ThreadRun other = usual;
  other.park = false;
  EXPECT_EQ(run(other), result) << "without parking";
}

INSTANTIATE_TEST_SUITE_P(Threads, Subject,
                         testing::Values("mutex", "spin", "turns", "device", "condition", "barrier", "local",
                                         "timeouts", "many", "limit", "identity", "futex"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(Threads, AreAsManyAsTheModeGivesTheProcessCores) {
  EXPECT_TRUE(contains(run_subject("limit", "smp"), "3 threads beside the first, then: Resource temp"));
  EXPECT_TRUE(contains(run_subject("limit", "dual", 2), "1 threads beside the first, then: Resource temp"));
  EXPECT_TRUE(contains(run_subject("limit", "vn", 4), "0 threads beside the first, then: Resource temp"));
  ThreadRun none;
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
  ThreadRun openmp;
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
