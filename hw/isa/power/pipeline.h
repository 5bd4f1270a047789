// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "hw/isa/power/instruction.h"
#include "torus/base/parameter.h"

namespace toroid::power {

/// Latencies and penalties of a processor's pipelines, in core cycles; a latency is the distance at which a
/// dependent instruction can begin without waiting. What each is: visit_parameters();
/// values and sources: the section core of hw/machines/*.yaml.
struct PipelineConfig {
  unsigned load_latency;
  unsigned float_load_latency;
  unsigned multiply_latency;
  unsigned multiply_short_latency;
  unsigned divide_cycles;
  unsigned compare_latency;
  unsigned move_to_cr_latency;
  unsigned move_to_branch_latency;
  unsigned move_from_special_latency;
  unsigned float_latency;
  unsigned float_compare_latency;
  unsigned float_divide_cycles;
  unsigned float_divide_single_cycles;
  unsigned synchronise_cycles;
  unsigned branch_taken;
  unsigned branch_conditional;
  // Of 64-bit processors alone (ppc64::PipelineConfig).
  unsigned multiply_double_latency = 0;
  unsigned multiply_double_cycles = 0;
  unsigned divide_double_cycles = 0;

  void visit_parameters(ParameterVisitor& visitor);
};

/// Registers that carry a dependence from one instruction to another.
namespace scoreboard {
inline constexpr unsigned kGeneral = 0, kFloat = 32, kVector = 64, kCondition = 96, kCount = 104, kLink = 105,
                          kException = 106, kRegisters = 107;
using Set = std::bitset<kRegisters>;
}  // namespace scoreboard

/// Pipes, named as in the 440's manual. The simple integer pipe (J) and the load/store pipe (L) share the stage
/// in which an instruction waits for its operands, so one instruction a cycle can enter either.
enum class Pipe : std::uint8_t { complex_integer, simple_or_load, floating };
inline constexpr unsigned kPipes = 3;

/// What the scoreboard knows of an instruction.
struct PipelineInstruction {
  scoreboard::Set reads;
  scoreboard::Set writes;
  scoreboard::Set stores;          ///< read a cycle later than the other operands: what a store stores
  scoreboard::Set address_update;  ///< written with a latency of 1, whatever the instruction's own
  Pipe pipe = Pipe::complex_integer;
  bool either = false;  ///< may take the simple integer pipe as well as the complex one
  unsigned latency = 1;
  unsigned occupancy = 1;         ///< cycles before the next instruction can follow in its pipe
  unsigned afterwards = 0;        ///< cycles the front end loses behind it: a branch's mean cost
  bool waits_for_target = false;  ///< the front end cannot go on before the operands are there: blr, bctr
  bool multiplier = false;        ///< goes through the multiplier, which divides as well
  bool stalls_thread = false;     ///< the A2: nothing begins before its result is there
  bool serialises = false;        ///< begins when all before it are through; nothing begins before it is
};

/// What a block leaves to the one behind it, in cycles from that one's first.
struct PipelineState {
  std::array<std::uint8_t, scoreboard::kRegisters> ready{};  ///< when a result can be used
  std::array<std::uint8_t, kPipes> free{};                   ///< when a pipe takes the next instruction
  bool settled() const;                                      ///< nothing is owed
};

/// When a block's instructions issue, with everything in the first level cache.
struct Schedule {
  unsigned cycles = 0;               ///< until the next block can begin
  std::vector<std::uint16_t> issue;  ///< of each instruction, in cycles from the block's beginning
  std::vector<std::uint16_t> use;    ///< when its result is first read in the block; the block's end where it is not
  PipelineState exit;
};

/// How instructions leave the front end, in program order.
enum class Dispatch : std::uint8_t {
  /// The 440's: two a cycle, each into the operand stage of its pipe, where it waits for its operands; a pipe that
  /// waits
  /// does not hold up the others until an instruction wants to enter it.
  two_to_their_pipes,
  /// The A2's, of one thread: one a cycle, which waits for its operands before any other; multiplications and divisions
  /// wait for the multiplier too.
  one_when_ready,
};

/// A scoreboard of a processor's front end and pipes, for straight-line code.
///
/// Branches are predicted: what follows does not wait for them, but pays their mean cost.
class Pipeline {
 public:
  Pipeline(const PipelineConfig& config, Dispatch dispatch) : config_(config), dispatch_(dispatch) {}

  PipelineInstruction analyse(const Instruction& instruction) const;
  Schedule schedule(const std::vector<PipelineInstruction>& block, const PipelineState& entry) const;

 private:
  void set_timing(PipelineInstruction& result, const Instruction& instruction) const;
  void set_access_timing(PipelineInstruction& result, const Instruction& instruction) const;
  void set_branch(PipelineInstruction& result, const Instruction& instruction) const;
  void set_record(PipelineInstruction& result, const Instruction& instruction) const;

  PipelineConfig config_;
  Dispatch dispatch_;
};

}  // namespace toroid::power
