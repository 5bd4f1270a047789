// SPDX-License-Identifier: Apache-2.0
#include "four_core_run.h"

#include <sstream>

#include "child_process.h"
#include "four_core_machine.h"
#include "hw/machine/machine.h"
#include "torus/torus/mapping.h"

namespace toroid {
namespace {

class Capture : public OutputSink {
 public:
  void write(std::uint32_t, int, std::string_view text) override { all.append(text); }
  std::string all;
};

/// What the run prints, how it ends, and what each rank took.
std::string run_here(const FourCoreRun& run) {
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
  if (run.tell_parked) text << "parked " << machine.hardware().node(0)->core(0).times_parked() << " times\n";
  return text.str();
}

}  // namespace

std::string run(const FourCoreRun& run) {
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

void expect_the_same_results(const FourCoreRun& usual) {
  const std::string result = run(usual);
  EXPECT_TRUE(contains(result, usual.subject + ": 0 failures\ncompleted \n"));
  for (const unsigned quantum : {1u, 333u}) {
    FourCoreRun other = usual;
    other.quantum = CoreCycle{quantum};
    EXPECT_EQ(run(other), result) << "quantum " << quantum;
  }
  FourCoreRun other = usual;
  other.park = false;
  EXPECT_EQ(run(other), result) << "without parking";
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos ? testing::AssertionSuccess()
                                              : testing::AssertionFailure() << "no \"" << part << "\" in:\n"
                                                                            << text;
}

}  // namespace toroid
