// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/pipeline.h"

#include <algorithm>

namespace toroid::power {
namespace {

using namespace scoreboard;

constexpr std::uint32_t kOverflowBit = 0x400;

/// The registers that `operands` stand for in `instruction`.
Set registers_of(const Instruction& instruction, operand::Set operands) {
  Set set;
  const auto add = [&set, operands](operand::Set operand, unsigned number) {
    if ((operands & operand) != 0) set.set(number);
  };
  const unsigned t = instruction.t(), a = instruction.a(), b = instruction.b(), c = instruction.c();
  add(operand::kT, kGeneral + t);
  add(operand::kA, kGeneral + a);
  if (a != 0) add(operand::kA0, kGeneral + a);
  add(operand::kB, kGeneral + b);
  add(operand::kFloatT, kFloat + t);
  add(operand::kFloatA, kFloat + a);
  add(operand::kFloatB, kFloat + b);
  add(operand::kFloatC, kFloat + c);
  add(operand::kVectorT, kVector + t);
  add(operand::kVectorA, kVector + a);
  add(operand::kVectorB, kVector + b);
  add(operand::kVectorC, kVector + c);
  // Compares name fields in three bits, what works on bits of the register in five.
  add(operand::kConditionT, kCondition + t / 4);
  add(operand::kConditionA, kCondition + a / 4);
  add(operand::kConditionB, kCondition + b / 4);
  add(operand::kConditionC, kCondition + c / 4);
  add(operand::kCondition0, kCondition);
  add(operand::kCondition1, kCondition + 1);
  for (unsigned i = 0; i < 8; ++i) {
    add(operand::kConditions, kCondition + i);
    if (instruction.word() >> (19 - i) & 1) add(operand::kConditionMask, kCondition + i);
  }
  add(operand::kLink, kLink);
  add(operand::kCount, kCount);
  add(operand::kException, kException);
  if ((t & 0x10) == 0) add(operand::kTested, kCondition + a / 4);
  if ((t & 0x04) == 0) add(operand::kCounted, kCount);
  return set;
}

}  // namespace

bool PipelineState::settled() const {
  const auto zero = [](std::uint8_t value) { return value == 0; };
  return std::all_of(ready.begin(), ready.end(), zero) && std::all_of(free.begin(), free.end(), zero);
}

void Pipeline::set_access_timing(PipelineInstruction& result, const Instruction& instruction) const {
  const operand::Set moved = operand::kT | operand::kFloatT | operand::kVectorT;
  const bool store = instruction.opcode().access.kind == AccessKind::store;
  if (store) {
    result.stores = registers_of(instruction, instruction.opcode().reads & moved);
    result.reads = registers_of(instruction, instruction.opcode().reads & ~moved);
  }
  if (instruction.opcode().access.update) result.address_update.set(kGeneral + instruction.a());
  const unsigned registers = instruction.registers_moved();
  if (registers == 1) return;
  // A word a cycle.
  for (unsigned i = 1; i < registers; ++i)
    (store ? result.stores : result.writes).set(kGeneral + (instruction.t() + i) % 32);
  result.occupancy = registers;
  result.latency += registers - 1;
}

void Pipeline::set_branch(PipelineInstruction& result, const Instruction& instruction) const {
  const bool conditional = instruction.reads(operand::kTested) && (instruction.t() & 0x14) != 0x14;
  result.afterwards = conditional ? config_.branch_conditional : config_.branch_taken;
  if (instruction.last_bit()) result.writes.set(kLink);
}

void Pipeline::set_record(PipelineInstruction& result, const Instruction& instruction) const {
  const Record record = instruction.opcode().record;
  if (record == Record::never || (record != Record::always && !instruction.last_bit())) return;
  if (record == Record::floating) {
    result.writes.set(kCondition + 1);
    return;
  }
  // Updates of the condition register belong to the complex pipe.
  result.writes.set(kCondition);
  result.either = false;
  result.latency = std::max(result.latency, config_.compare_latency);
}

void Pipeline::set_timing(PipelineInstruction& result, const Instruction& instruction) const {
  switch (instruction.opcode().timing) {
    case Timing::simple:
      result.either = true;
      break;
    case Timing::complex:
      break;
    case Timing::compare:
      result.latency = config_.compare_latency;
      break;
    case Timing::multiply:
      result.multiplier = true;
      result.latency = config_.multiply_latency;
      break;
    case Timing::multiply_short:
      result.multiplier = true;
      result.latency = config_.multiply_short_latency;
      break;
    case Timing::multiply_double:
      result.multiplier = true;
      result.latency = config_.multiply_double_latency;
      result.occupancy = config_.multiply_double_cycles;
      break;
    case Timing::divide_double:
      result.multiplier = true;
      result.latency = result.occupancy = config_.divide_double_cycles;
      break;
    case Timing::divide:
      result.multiplier = true;
      result.latency = result.occupancy = config_.divide_cycles;
      break;
    case Timing::move_to_conditions:
      result.latency = config_.move_to_cr_latency;
      break;
    case Timing::move_to_branch_unit:
      result.latency = config_.move_to_branch_latency;
      break;
    case Timing::move_from_special:
      result.latency = config_.move_from_special_latency;
      break;
    case Timing::load:
    case Timing::store_conditional:
      result.pipe = Pipe::simple_or_load;
      result.latency = config_.load_latency;
      break;
    case Timing::float_load:
      result.pipe = Pipe::simple_or_load;
      result.latency = config_.float_load_latency;
      break;
    case Timing::store:
    case Timing::cache:
      result.pipe = Pipe::simple_or_load;
      break;
    case Timing::floating:
      result.pipe = Pipe::floating;
      result.latency = config_.float_latency;
      break;
    case Timing::float_compare:
      result.pipe = Pipe::floating;
      result.latency = config_.float_compare_latency;
      break;
    case Timing::float_divide:
      result.pipe = Pipe::floating;
      result.stalls_thread = true;
      result.latency = result.occupancy = config_.float_divide_cycles;
      break;
    case Timing::float_divide_single:
      result.pipe = Pipe::floating;
      result.stalls_thread = true;
      result.latency = result.occupancy = config_.float_divide_single_cycles;
      break;
    case Timing::branch:
      set_branch(result, instruction);
      break;
    case Timing::branch_to_register:
      set_branch(result, instruction);
      result.waits_for_target = true;
      break;
    case Timing::synchronise_memory:
      result.pipe = Pipe::simple_or_load;
      [[fallthrough]];
    case Timing::synchronise_pipes:
      result.serialises = true;
      result.latency = config_.synchronise_cycles;
      break;
  }
}

PipelineInstruction Pipeline::analyse(const Instruction& instruction) const {
  const Opcode& opcode = instruction.opcode();
  PipelineInstruction result;
  result.reads = registers_of(instruction, opcode.reads);
  result.writes = registers_of(instruction, opcode.writes);
  set_timing(result, instruction);
  set_record(result, instruction);
  if (instruction.accesses()) set_access_timing(result, instruction);
  if (opcode.overflow && (instruction.word() & kOverflowBit) != 0) {
    result.writes.set(kException);
    result.either = false;
  }
  return result;
}

namespace {

/// The scoreboard while a block passes through it.
class Scoreboard {
 public:
  Scoreboard(const PipelineState& entry, Dispatch dispatch) : dispatch_rule_(dispatch) {
    std::copy(entry.ready.begin(), entry.ready.end(), ready_.begin());
    std::copy(entry.free.begin(), entry.free.end(), free_.begin());
  }

  /// Returns the cycle in which the instruction leaves its operand stage.
  unsigned issue(const PipelineInstruction& instruction, bool next_wants_simple) {
    if (dispatch_rule_ == Dispatch::one_when_ready) return issue_when_ready(instruction);
    Pipe pipe = instruction.pipe;
    if (instruction.either) {
      // Left to itself it goes where it waits least, and makes room for a load beside it.
      const unsigned complex = std::max(dispatch_, at(Pipe::complex_integer));
      const unsigned simple = std::max(dispatch_, at(Pipe::simple_or_load));
      pipe =
          simple < complex || (simple == complex && !next_wants_simple) ? Pipe::simple_or_load : Pipe::complex_integer;
    }
    const unsigned operands = operands_of(instruction);
    const unsigned enter = std::max(dispatch_, at(pipe));
    if (enter > dispatch_) {
      dispatch_ = enter;
      beside_ = 0;
    }
    if (beside_ == 2) {
      ++dispatch_;
      beside_ = 0;
    }
    ++beside_;
    const unsigned begin = std::max(dispatch_, operands);
    at(pipe) = begin + instruction.occupancy;
    write_results(instruction, begin);
    if (instruction.serialises) {
      dispatch_ = begin + instruction.latency;
      beside_ = 0;
    }
    if (instruction.waits_for_target && begin > dispatch_) {
      dispatch_ = begin;
      beside_ = 1;
    }
    lost_ += instruction.afterwards;
    return begin;
  }

  unsigned end() const { return std::max(1u, dispatch_ + (beside_ != 0 ? 1 : 0) + lost_); }

  PipelineState exit() const {
    PipelineState state;
    const auto left = [end = end()](unsigned cycle) {
      return static_cast<std::uint8_t>(std::min(255u, cycle > end ? cycle - end : 0));
    };
    std::transform(ready_.begin(), ready_.end(), state.ready.begin(), left);
    std::transform(free_.begin(), free_.end(), state.free.begin(), left);
    return state;
  }

 private:
  unsigned issue_when_ready(const PipelineInstruction& instruction) {
    const unsigned next = dispatch_ + beside_;
    unsigned begin = std::max(next, operands_of(instruction));
    if (instruction.multiplier) {
      begin = std::max(begin, at(Pipe::complex_integer));
      at(Pipe::complex_integer) = begin + instruction.occupancy;
    }
    dispatch_ = begin;
    beside_ = 1;
    write_results(instruction, begin);
    if (instruction.serialises || instruction.stalls_thread) {
      dispatch_ = begin + instruction.latency;
      beside_ = 0;
    }
    lost_ += instruction.afterwards;
    return begin;
  }

  /// When all that it reads is there.
  unsigned operands_of(const PipelineInstruction& instruction) const {
    unsigned operands = 0;
    for (unsigned i = 0; i < kRegisters; ++i) {
      if (instruction.reads[i]) operands = std::max(operands, ready_[i]);
      if (instruction.stores[i] && ready_[i] > 0) operands = std::max(operands, ready_[i] - 1);
      if (instruction.serialises) operands = std::max(operands, ready_[i]);
    }
    return operands;
  }
  void write_results(const PipelineInstruction& instruction, unsigned begin) {
    for (unsigned i = 0; i < kRegisters; ++i) {
      if (instruction.writes[i]) ready_[i] = begin + instruction.latency;
      if (instruction.address_update[i]) ready_[i] = begin + 1;
    }
  }

  unsigned& at(Pipe pipe) { return free_[static_cast<unsigned>(pipe)]; }

  const Dispatch dispatch_rule_;
  std::array<unsigned, kRegisters> ready_{};
  std::array<unsigned, kPipes> free_{};
  unsigned dispatch_ = 0;  ///< cycle of the instruction dispatched last
  unsigned beside_ = 0;    ///< how many were dispatched in it
  unsigned lost_ = 0;      ///< to branches
};

}  // namespace

Schedule Pipeline::schedule(const std::vector<PipelineInstruction>& block, const PipelineState& entry) const {
  Schedule result;
  Scoreboard board(entry, dispatch_);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool next_wants_simple =
        i + 1 < block.size() && block[i + 1].pipe == Pipe::simple_or_load && !block[i + 1].either;
    result.issue.push_back(static_cast<std::uint16_t>(std::min(0xFFFFu, board.issue(block[i], next_wants_simple))));
  }
  result.cycles = board.end();
  result.exit = board.exit();
  result.use.assign(block.size(), static_cast<std::uint16_t>(std::min(0xFFFFu, result.cycles)));
  for (std::size_t i = 0; i < block.size(); ++i) {
    Set pending = block[i].writes;
    for (std::size_t later = i + 1; later < block.size() && pending.any(); ++later) {
      if (((block[later].reads | block[later].stores) & pending).any()) {
        result.use[i] = std::min(result.use[i], result.issue[later]);
        break;
      }
      pending &= ~(block[later].writes | block[later].address_update);
    }
  }
  return result;
}

void PipelineConfig::visit_parameters(ParameterVisitor& visitor) {
  const auto cycles = [&visitor](unsigned& field, const char* name, const char* meaning) {
    visitor.count(field, name, "cycles", {0, 200}, meaning);
  };
  cycles(load_latency, "core.load_latency", "of a load to a general purpose register, L1 hit");
  cycles(float_load_latency, "core.float_load_latency", "of a load to a floating-point or vector register, L1 hit");
  cycles(multiply_latency, "core.multiply_latency", "of two words; one can begin each cycle");
  cycles(multiply_short_latency, "core.multiply_short_latency", "of a word by an immediate");
  cycles(divide_cycles, "core.divide_cycles", "that a division occupies the complex integer pipe");
  cycles(compare_latency, "core.compare_latency", "of what writes the condition register, to its reader");
  cycles(move_to_cr_latency, "core.move_to_cr_latency", "of mtcrf, to the branch");
  cycles(move_to_branch_latency, "core.move_to_branch_latency", "of mtlr and mtctr, to the branch that reads them");
  cycles(move_from_special_latency, "core.move_from_special_latency", "of mflr, mfctr");
  cycles(float_latency, "core.float_latency", "of floating-point operations");
  cycles(float_compare_latency, "core.float_compare_latency", "of floating-point comparisons");
  cycles(float_divide_cycles, "core.float_divide_cycles",
         "that a division of doubles occupies the floating-point pipe");
  cycles(float_divide_single_cycles, "core.float_divide_single_cycles", "the same of single precision");
  cycles(synchronise_cycles, "core.synchronise_cycles",
         "of sync, isync, sc and the like: nothing begins before they are through");
  cycles(branch_taken, "core.branch_taken", "fetch bubble of an unconditional branch");
  cycles(branch_conditional, "core.branch_conditional",
         "of a conditional branch: mean of fetch bubbles and mispredictions");
}

}  // namespace toroid::power
