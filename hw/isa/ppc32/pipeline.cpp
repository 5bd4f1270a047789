// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/pipeline.h"

#include <algorithm>

#include "hw/isa/ppc32/instruction.h"

namespace toroid {
namespace {

using namespace scoreboard;

// Fields of an instruction word.
unsigned target(std::uint32_t word) {
  return word >> 21 & 31;
}
unsigned field_a(std::uint32_t word) {
  return word >> 16 & 31;
}
unsigned field_b(std::uint32_t word) {
  return word >> 11 & 31;
}
unsigned field_c(std::uint32_t word) {
  return word >> 6 & 31;
}
bool records(std::uint32_t word) {
  return word & 1;
}

/// Register A of an address or of addi, where 0 is the number zero.
void read_base(Set& set, unsigned number) {
  if (number != 0) set.set(number);
}

void all_conditions(Set& set) {
  for (unsigned i = 0; i < 8; ++i) set.set(kCondition + i);
}

/// An arithmetic or logical instruction that leaves the condition register and XER alone can go either way.
PipelineInstruction simple() {
  PipelineInstruction result;
  result.either = true;
  return result;
}

/// For the forms with a record bit: condition register updates belong to the complex pipe.
PipelineInstruction& record(PipelineInstruction& instruction, std::uint32_t word, unsigned compare_latency) {
  if (records(word)) {
    instruction.writes.set(kCondition);
    instruction.either = false;
    instruction.latency = std::max(instruction.latency, compare_latency);
  }
  return instruction;
}

}  // namespace

bool PipelineState::settled() const {
  const auto zero = [](std::uint8_t value) { return value == 0; };
  return std::all_of(ready.begin(), ready.end(), zero) && std::all_of(free.begin(), free.end(), zero);
}

PipelineInstruction Pipeline::analyse_access(std::uint32_t word) const {
  const MemoryAccess access = decode_instruction(word).memory;
  PipelineInstruction result;
  result.pipe = Pipe::simple_or_load;
  read_base(result.reads, access.base);
  if (access.indexed) result.reads.set(access.index);
  if (access.update) result.address_update.set(access.base);
  const unsigned bank = access.bank == RegisterBank::general    ? kGeneral
                        : access.bank == RegisterBank::floating ? kFloat
                                                                : kVector;
  Set& moved = access.load ? result.writes : result.stores;
  moved.set(bank + access.target);
  if (access.load) result.latency = bank == kGeneral ? config_.load_latency : config_.float_load_latency;
  if (access.words > 1) {  // a word a cycle
    for (unsigned i = 1; i < access.words; ++i) moved.set(kGeneral + (access.target + i) % 32);
    result.occupancy = access.words;
    result.latency += access.words - 1;
  }
  if (word >> 26 == 31 && (word >> 1 & 0x3FF) == 150) {  // stwcx.
    result.writes.set(kCondition);
    result.latency = config_.load_latency;
  }
  return result;
}

PipelineInstruction Pipeline::analyse_float(std::uint32_t word) const {
  PipelineInstruction result;
  result.pipe = Pipe::floating;
  result.latency = config_.float_latency;
  const unsigned short_form = word >> 1 & 31;
  const bool arithmetic = short_form >= 18 || word >> 26 == 59;
  if (arithmetic) {
    // Divide, subtract, add; select and the fused forms read all three; multiply reads A and C.
    if (short_form != 22 && short_form != 24 && short_form != 26) result.reads.set(kFloat + field_a(word));
    if (short_form != 25) result.reads.set(kFloat + field_b(word));
    if (short_form == 23 || short_form == 25 || short_form >= 28) result.reads.set(kFloat + field_c(word));
    result.writes.set(kFloat + target(word));
    if (short_form == 18 || short_form == 22) {  // divide, square root
      result.latency = result.occupancy =
          word >> 26 == 59 ? config_.float_divide_single_cycles : config_.float_divide_cycles;
    }
  } else {
    const unsigned extended = word >> 1 & 0x3FF;
    if (extended == 0 || extended == 32) {  // fcmpu, fcmpo
      result.reads.set(kFloat + field_a(word));
      result.reads.set(kFloat + field_b(word));
      result.writes.set(kCondition + target(word) / 4);
      result.latency = config_.float_compare_latency;
      return result;
    }
    result.reads.set(kFloat + field_b(word));
    if (extended != 711) result.writes.set(kFloat + target(word));  // all but mtfsf
  }
  if (records(word)) result.writes.set(kCondition + 1);
  return result;
}

PipelineInstruction Pipeline::analyse_31(std::uint32_t word) const {
  const unsigned extended = word >> 1 & 0x3FF;
  PipelineInstruction result;
  switch (extended) {
    case 0:
    case 32:  // cmp, cmpl
      result.reads.set(field_a(word)).set(field_b(word));
      result.writes.set(kCondition + target(word) / 4);
      result.latency = config_.compare_latency;
      return result;
    case 4:  // tw
      result.reads.set(field_a(word)).set(field_b(word));
      return result;
    case 19:  // mfcr
      all_conditions(result.reads);
      result.writes.set(target(word));
      result.latency = config_.move_from_special_latency;
      return result;
    case 144:  // mtcrf
      result.reads.set(target(word));
      for (unsigned i = 0; i < 8; ++i) {
        if (word >> (19 - i) & 1) result.writes.set(kCondition + i);
      }
      result.latency = config_.move_to_cr_latency;
      return result;
    case 512:  // mcrxr
      result.reads.set(kException);
      result.writes.set(kCondition + target(word) / 4).set(kException);
      result.latency = config_.compare_latency;
      return result;
    case 339:
    case 371: {  // mfspr, mftb
      const unsigned number = field_a(word) | field_b(word) << 5;
      if (number == 1) result.reads.set(kException);
      if (number == 8) result.reads.set(kLink);
      if (number == 9) result.reads.set(kCount);
      result.writes.set(target(word));
      result.latency = config_.move_from_special_latency;
      return result;
    }
    case 467: {  // mtspr
      const unsigned number = field_a(word) | field_b(word) << 5;
      result.reads.set(target(word));
      if (number == 1) result.writes.set(kException);
      if (number == 8) result.writes.set(kLink);
      if (number == 9) result.writes.set(kCount);
      result.latency = config_.move_to_branch_latency;
      return result;
    }
    case 83:   // mfmsr
    case 146:  // mtmsr
    case 598:  // sync
    case 854:  // eieio
      result.pipe = Pipe::simple_or_load;
      result.serialises = true;
      result.latency = config_.synchronise_cycles;
      return result;
    case 54:
    case 86:
    case 246:
    case 278:
    case 470:
    case 758:
    case 982:
    case 1014:  // cache management
      result.pipe = Pipe::simple_or_load;
      read_base(result.reads, field_a(word));
      result.reads.set(field_b(word));
      return result;
    case 6:
    case 38:  // lvsl, lvsr
      result.pipe = Pipe::simple_or_load;
      read_base(result.reads, field_a(word));
      result.reads.set(field_b(word));
      result.writes.set(kVector + target(word));
      result.latency = config_.float_load_latency;
      return result;
    // Logical: from the target and B field into A.
    case 28:
    case 60:
    case 124:
    case 284:
    case 316:
    case 412:
    case 444:
    case 476:
    case 24:
    case 536:
    case 26:
    case 922:
    case 954:
    case 792:
    case 824: {
      result = simple();
      result.reads.set(target(word));
      const bool unary = extended == 26 || extended == 922 || extended == 954 || extended == 824;
      if (!unary) result.reads.set(field_b(word));
      result.writes.set(field_a(word));
      if (extended == 792 || extended == 824) {  // the arithmetic right shifts set the carry
        result.writes.set(kException);
        result.either = false;
      }
      return record(result, word, config_.compare_latency);
    }
    default:
      break;
  }
  // Arithmetic: from A and B into the target; the overflow bit stands in front of the extended opcode.
  const unsigned arithmetic = extended & 0x1FF;
  result = simple();
  result.reads.set(field_a(word));
  const bool unary =
      arithmetic == 104 || arithmetic == 200 || arithmetic == 202 || arithmetic == 232 || arithmetic == 234;
  if (!unary) result.reads.set(field_b(word));
  result.writes.set(target(word));
  switch (arithmetic) {
    case 136:
    case 138:
    case 200:
    case 202:
    case 232:
    case 234:  // extended by the carry
      result.reads.set(kException);
      [[fallthrough]];
    case 8:
    case 10:  // subfc, addc
      result.writes.set(kException);
      result.either = false;
      break;
    case 11:
    case 75:
    case 235:  // mulhwu, mulhw, mullw
      result.either = false;
      result.latency = config_.multiply_latency;
      break;
    case 459:
    case 491:  // divwu, divw
      result.either = false;
      result.latency = result.occupancy = config_.divide_cycles;
      break;
    default:
      break;
  }
  if (extended & 0x200) {
    result.writes.set(kException);
    result.either = false;
  }
  return record(result, word, config_.compare_latency);
}

PipelineInstruction Pipeline::analyse(std::uint32_t word) const {
  if (decode_instruction(word).memory.any()) return analyse_access(word);
  PipelineInstruction result;
  const unsigned primary = word >> 26;
  switch (primary) {
    case 3:  // twi
      result.reads.set(field_a(word));
      return result;
    case 4:  // AltiVec arithmetic, for the double floating-point unit's
      result.pipe = Pipe::floating;
      result.reads.set(kVector + field_a(word)).set(kVector + field_b(word));
      if (word & 0x20) result.reads.set(kVector + field_c(word));
      result.writes.set(kVector + target(word));
      result.latency = config_.float_latency;
      return result;
    case 7:  // mulli
      result.reads.set(field_a(word));
      result.writes.set(target(word));
      result.latency = config_.multiply_short_latency;
      return result;
    case 8:
    case 12:
    case 13:  // subfic, addic, addic.
      result.reads.set(field_a(word));
      result.writes.set(target(word)).set(kException);
      if (primary == 13) {
        result.writes.set(kCondition);
        result.latency = config_.compare_latency;
      }
      return result;
    case 10:
    case 11:  // cmpli, cmpi
      result.reads.set(field_a(word));
      result.writes.set(kCondition + target(word) / 4);
      result.latency = config_.compare_latency;
      return result;
    case 14:
    case 15:  // addi, addis
      result = simple();
      read_base(result.reads, field_a(word));
      result.writes.set(target(word));
      return result;
    case 16:
    case 18:
    case 19: {  // branches, condition register logic
      const unsigned extended = word >> 1 & 0x3FF;
      if (primary == 19 && extended != 16 && extended != 528) {
        if (extended == 150 || extended == 50) {  // isync, rfi
          result.serialises = true;
          result.latency = config_.synchronise_cycles;
          return result;
        }
        const unsigned shift = extended == 0 ? 0 : 2;  // mcrf names fields, the logic names bits
        result.reads.set(kCondition + (field_a(word) >> 2));
        if (shift != 0) result.reads.set(kCondition + (field_b(word) >> 2));
        result.writes.set(kCondition + (target(word) >> 2));
        result.latency = config_.compare_latency;
        return result;
      }
      const bool conditional = primary != 18 && (target(word) & 0x14) != 0x14;
      result.afterwards = conditional ? config_.branch_conditional : config_.branch_taken;
      if (primary != 18) {
        if (!(target(word) & 0x10)) result.reads.set(kCondition + (field_a(word) >> 2));
        if (!(target(word) & 0x04)) {
          result.reads.set(kCount);
          result.writes.set(kCount);
        }
      }
      if (primary == 19) {
        result.reads.set(extended == 16 ? kLink : kCount);
        result.waits_for_target = true;
      }
      if (records(word)) result.writes.set(kLink);  // the same bit: link
      return result;
    }
    case 17:  // sc
      result.serialises = true;
      result.latency = config_.synchronise_cycles;
      return result;
    case 20:
    case 21:
    case 23:  // rlwimi, rlwinm, rlwnm
      result = simple();
      result.reads.set(target(word));
      if (primary == 20) result.reads.set(field_a(word));
      if (primary == 23) result.reads.set(field_b(word));
      result.writes.set(field_a(word));
      return record(result, word, config_.compare_latency);
    case 24:
    case 25:
    case 26:
    case 27:
    case 28:
    case 29:  // logic with an immediate; andi. and andis. set the condition register
      result = simple();
      result.reads.set(target(word));
      result.writes.set(field_a(word));
      if (primary >= 28) {
        result.either = false;
        result.writes.set(kCondition);
        result.latency = config_.compare_latency;
      }
      return result;
    case 31:
      return analyse_31(word);
    case 59:
    case 63:
      return analyse_float(word);
    default:
      return result;
  }
}

namespace {

/// The scoreboard while a block passes through it.
class Scoreboard {
 public:
  explicit Scoreboard(const PipelineState& entry) {
    std::copy(entry.ready.begin(), entry.ready.end(), ready_.begin());
    std::copy(entry.free.begin(), entry.free.end(), free_.begin());
  }

  /// Returns the cycle in which the instruction leaves its operand stage.
  unsigned issue(const PipelineInstruction& instruction, bool next_wants_simple) {
    Pipe pipe = instruction.pipe;
    if (instruction.either) {
      // Left to itself it goes where it waits least, and makes room for a load beside it.
      const unsigned complex = std::max(dispatch_, at(Pipe::complex_integer));
      const unsigned simple = std::max(dispatch_, at(Pipe::simple_or_load));
      pipe =
          simple < complex || (simple == complex && !next_wants_simple) ? Pipe::simple_or_load : Pipe::complex_integer;
    }
    unsigned operands = 0;
    for (unsigned i = 0; i < kRegisters; ++i) {
      if (instruction.reads[i]) operands = std::max(operands, ready_[i]);
      if (instruction.stores[i] && ready_[i] > 0) operands = std::max(operands, ready_[i] - 1);
      if (instruction.serialises) operands = std::max(operands, ready_[i]);
    }
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
    for (unsigned i = 0; i < kRegisters; ++i) {
      if (instruction.writes[i]) ready_[i] = begin + instruction.latency;
      if (instruction.address_update[i]) ready_[i] = begin + 1;
    }
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
  unsigned& at(Pipe pipe) { return free_[static_cast<unsigned>(pipe)]; }

  std::array<unsigned, kRegisters> ready_{};
  std::array<unsigned, kPipes> free_{};
  unsigned dispatch_ = 0;  ///< cycle of the instruction dispatched last
  unsigned beside_ = 0;    ///< how many were dispatched in it
  unsigned lost_ = 0;      ///< to branches
};

}  // namespace

Schedule Pipeline::schedule(const std::vector<PipelineInstruction>& block, const PipelineState& entry) const {
  Schedule result;
  Scoreboard board(entry);
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

}  // namespace toroid
