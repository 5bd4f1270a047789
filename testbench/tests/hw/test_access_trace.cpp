// SPDX-License-Identifier: Apache-2.0
//
// Real programs on a small machine, with the engine's own word for each access: the addresses that are told at a
// block's entry are those that come, and watching changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "child_process.h"
#include "hw/chips/bgl/bgl_model.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/machine/machine.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

constexpr std::uint32_t kLine = 32;

class NoOutput : public OutputSink {
 public:
  void write(std::uint32_t, int, std::string_view) override {}
};

struct Outcome {
  std::uint64_t accesses = 0;    ///< instructions that accessed memory or a device
  std::uint64_t as_told = 0;     ///< of these: in the lines that were told ahead
  std::uint64_t unresolved = 0;  ///< of the others: nothing was told
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t misses = 0;
  Ending ending = Ending::stuck;
  char log[1024] = {};  ///< of the first line that dcbst is used on
};

/// Compares, block by block and instruction by instruction, the lines told with the lines accessed.
class Comparison : public AccessObserver {
 public:
  explicit Comparison(Outcome& outcome) : outcome_(outcome) {}

  void on_block(const Core& core, const Block& block) override {
    State& state = states_[&core];
    finish(state);
    AddressPlan::Values<std::uint32_t> values{};
    RegisterSnapshot registers;
    const_cast<Core&>(core).engine().read_snapshot(registers);
    std::transform(registers.values.begin(), registers.values.begin() + AddressPlan::kRegisters, values.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    const bool complete = block.plan.evaluate(values, core.view());
    for (const PlannedAccess& access : block.plan.accesses()) {
      if (access.behind_load && !complete) continue;
      const std::uint32_t address = AddressPlan::address(access, values);
      std::set<std::uint64_t>& lines = state.told[block.address + 4 * access.instruction];
      for (std::uint64_t line = address / kLine; line <= (address + access.bytes - 1) / kLine; ++line)
        lines.insert(line);
    }
  }
  void on_access(const Core& core, std::uint64_t pc, std::uint64_t address, unsigned size, bool store) override {
    if (address - logged_ < 2 * kLine) log(store ? "store" : "load", address, size);
    for (std::uint64_t line = address / kLine; line <= (address + size - 1) / kLine; ++line)
      states_[&core].accessed[pc].insert(line);
  }
  void on_cache_instruction(const Core& core, std::uint64_t pc, std::uint64_t address, AccessKind kind) override {
    static const char* const names[] = {"", "", "zero", "flush", "write_back", "touch", "invalidate"};
    if (kind == AccessKind::write_back && logged_ == 0) logged_ = address;
    if (address - logged_ < 2 * kLine) log(names[static_cast<unsigned>(kind)], address, 0);
    states_[&core].accessed[pc].insert(address / kLine);
  }
  void on_flush(const Core&) override {}

 private:
  using Lines = std::map<std::uint64_t, std::set<std::uint64_t>>;  // by instruction
  struct State {
    Lines told;
    Lines accessed;
  };

  void finish(State& state) {
    for (const auto& [pc, lines] : state.accessed) {
      ++outcome_.accesses;
      const auto told = state.told.find(pc);
      if (told == state.told.end()) {
        ++outcome_.unresolved;
      } else if (told->second == lines) {
        ++outcome_.as_told;
      }
    }
    state = {};
  }

  void log(const char* what, std::uint32_t address, unsigned size) {
    const std::string text =
        what + (" " + std::to_string(address - logged_)) + (size == 0 ? "" : "/" + std::to_string(size)) + "\n";
    if (logged_ != 0 && std::strlen(outcome_.log) + text.size() < sizeof outcome_.log)
      std::strcat(outcome_.log, text.c_str());
  }

  Outcome& outcome_;
  std::uint32_t logged_ = 0;
  std::map<const Core*, State> states_;
};

struct Program {
  const char* path;
  std::vector<std::string> arguments;
  std::vector<std::uint16_t> shape;
  Ending ending = Ending::completed;
};

Outcome run_here(const Program& program, bool watched) {
  const BglConfig config = describe(test::shipped_parameters());
  Shape shape;
  shape.dimensions = 3;
  std::uint32_t ranks = 1;
  for (unsigned d = 0; d < 3; ++d) {
    shape.extent[d] = program.shape[d];
    ranks *= program.shape[d];
  }
  const Topology topology(shape);
  const BglModel model(config, {{"co", "coprocessor mode", 1, 2}});
  JobRequest job;
  job.mode = model.modes().front();
  job.kernel.seed = 1;
  job.program = program.path;
  job.ranks = ranks;
  job.kernel.arguments = {"program"};
  job.kernel.arguments.insert(job.kernel.arguments.end(), program.arguments.begin(), program.arguments.end());
  NoOutput output;
  Machine machine(model, topology, Mapping::xyzt(topology), job, output);
  Outcome outcome;
  Comparison comparison(outcome);
  if (watched) machine.observe(comparison);
  const RunReport report = machine.run([](const Machine&) { return true; });
  outcome.ending = report.ending;
  for (const RankReport& rank : report.ranks) {
    outcome.cycles += rank.cycles;
    outcome.instructions += rank.instructions;
    outcome.misses += rank.memory.at("l1_misses");
  }
  return outcome;
}

/// In a process of its own, because SystemC elaborates once a process.
Outcome run(const Program& program, bool watched) {
  std::string died;
  const std::string bytes = test::in_child(
      [&]() -> std::string {
        Outcome outcome;
        try {
          outcome = run_here(program, watched);
        } catch (const std::exception& error) {
          std::fprintf(stderr, "%s\n", error.what());
        }
        return {reinterpret_cast<const char*>(&outcome), sizeof outcome};
      },
      died);
  Outcome outcome;
  EXPECT_EQ(died, "");
  if (bytes.size() == sizeof outcome) std::memcpy(&outcome, bytes.data(), sizeof outcome);
  return outcome;
}

class Programs : public testing::TestWithParam<Program> {};

TEST_P(Programs, AccessWhatWasTold) {
  const Outcome watched = run(GetParam(), true);
  EXPECT_EQ(watched.ending, GetParam().ending);
  EXPECT_GT(watched.accesses, 4000u);
  const double share = static_cast<double>(watched.as_told) / static_cast<double>(watched.accesses);
  std::printf("%.4f of %llu accesses as told; %llu of the others not told at all\n", share,
              static_cast<unsigned long long>(watched.accesses), static_cast<unsigned long long>(watched.unresolved));
  EXPECT_GE(share, 0.99);
  const Outcome alone = run(GetParam(), false);
  EXPECT_EQ(alone.ending, GetParam().ending);
  EXPECT_EQ(alone.cycles, watched.cycles);
  EXPECT_EQ(alone.instructions, watched.instructions);
  EXPECT_EQ(alone.misses, watched.misses);
}

INSTANTIATE_TEST_SUITE_P(
    All, Programs,
    testing::Values(Program{TOROID_GUESTS "/hello", {}, {1, 1, 1}},
                    Program{TOROID_GUESTS "/language", {}, {1, 1, 1}, Ending::fault},
                    Program{TOROID_GUESTS "/fortran", {}, {1, 1, 1}},
                    Program{TOROID_PROGRAMS "/pingpong", {"--size", "1000", "--iterations", "4"}, {2, 1, 1}},
                    Program{TOROID_PROGRAMS "/stress", {"--messages", "20"}, {2, 2, 1}}),
    [](const testing::TestParamInfo<Program>& program) {
      const std::string path = program.param.path;
      return path.substr(path.rfind('/') + 1);
    });

TEST(AccessObserver, SeesEachAccessAndCacheInstruction) {
  const Outcome outcome = run({TOROID_GUESTS "/caches", {}, {1, 1, 1}}, true);
  EXPECT_EQ(outcome.ending, Ending::completed);
  EXPECT_STREQ(outcome.log,
               "write_back 0\n"
               "zero 0\n"
               "store 4/4\n"
               "write_back 0\n"
               "store 8/2\n"
               "flush 0\n"
               "touch 0\n"
               "load 31/1\n"
               "load 16/8\n"
               "load 0/8\nload 8/8\n"
               "store 32/8\n"
               "flush 32\n");
}

}  // namespace
}  // namespace toroid
