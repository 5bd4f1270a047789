// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/pipeline.h"

#include <algorithm>

namespace toroid::x86_64 {
namespace {

constexpr unsigned kPortBytes = 8;  // that a store moves at once

unsigned rounded_up(unsigned amount, unsigned per_cycle) {
  return (amount + per_cycle - 1) / per_cycle;
}

/// Macro-operations: one ("DirectPath single"), two ("double"); more is microcode ("VectorPath").
unsigned operations_of(const Instruction& instruction) {
  switch (instruction.code.mnemonic) {
    case ZYDIS_MNEMONIC_CALL:
    case ZYDIS_MNEMONIC_RET:
    case ZYDIS_MNEMONIC_LEAVE:
    case ZYDIS_MNEMONIC_MUL:
    case ZYDIS_MNEMONIC_CVTSD2SI:
    case ZYDIS_MNEMONIC_CVTTSD2SI:
    case ZYDIS_MNEMONIC_CVTPD2PS:
      return 2;
    case ZYDIS_MNEMONIC_XCHG:
      return 3;
    default:
      return 1;
  }
}

bool is_microcode(const Instruction& instruction) {
  switch (instruction.code.meta.category) {
    case ZYDIS_CATEGORY_STRINGOP:
    case ZYDIS_CATEGORY_FLAGOP:
      return instruction.code.mnemonic != ZYDIS_MNEMONIC_CLC && instruction.code.mnemonic != ZYDIS_MNEMONIC_STC &&
             instruction.code.mnemonic != ZYDIS_MNEMONIC_CMC && !instruction.repeats();
    default:
      break;
  }
  switch (instruction.code.mnemonic) {
    case ZYDIS_MNEMONIC_SHLD:
    case ZYDIS_MNEMONIC_SHRD:
    case ZYDIS_MNEMONIC_BTS:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTC:
    case ZYDIS_MNEMONIC_CMPXCHG:
    case ZYDIS_MNEMONIC_CMPXCHG16B:
    case ZYDIS_MNEMONIC_XADD:
    case ZYDIS_MNEMONIC_CVTSI2SD:
    case ZYDIS_MNEMONIC_CVTSI2SS:
    case ZYDIS_MNEMONIC_CVTSD2SS:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// Of the resources, in what each counts.
struct Pipeline::Use {
  unsigned operations = 0, accesses = 0;
  unsigned adds = 0, multiplies = 0;     ///< cycles of the floating-point pipes; divisions are the second one's
  unsigned multiplier = 0, divider = 0;  ///< cycles
  unsigned alone = 0;                    ///< cycles
};

void Pipeline::add_floating(const Instruction& instruction, Use& use) const {
  switch (instruction.code.mnemonic) {
    case ZYDIS_MNEMONIC_DIVSD:
    case ZYDIS_MNEMONIC_DIVPD:
    case ZYDIS_MNEMONIC_FDIV:
    case ZYDIS_MNEMONIC_FDIVP:
    case ZYDIS_MNEMONIC_FDIVR:
    case ZYDIS_MNEMONIC_FDIVRP:
      use.multiplies += config_.float_divide_cycles;
      return;
    case ZYDIS_MNEMONIC_DIVSS:
    case ZYDIS_MNEMONIC_DIVPS:
      use.multiplies += config_.float_divide_single_cycles;
      return;
    case ZYDIS_MNEMONIC_SQRTSD:
    case ZYDIS_MNEMONIC_SQRTPD:
    case ZYDIS_MNEMONIC_FSQRT:
      use.multiplies += config_.float_root_cycles;
      return;
    case ZYDIS_MNEMONIC_SQRTSS:
    case ZYDIS_MNEMONIC_SQRTPS:
      use.multiplies += config_.float_root_single_cycles;
      return;
    case ZYDIS_MNEMONIC_MULSD:
    case ZYDIS_MNEMONIC_MULSS:
    case ZYDIS_MNEMONIC_MULPD:
    case ZYDIS_MNEMONIC_MULPS:
    case ZYDIS_MNEMONIC_FMUL:
    case ZYDIS_MNEMONIC_FMULP:
      ++use.multiplies;
      return;
    case ZYDIS_MNEMONIC_ADDSD:
    case ZYDIS_MNEMONIC_ADDSS:
    case ZYDIS_MNEMONIC_ADDPD:
    case ZYDIS_MNEMONIC_ADDPS:
    case ZYDIS_MNEMONIC_SUBSD:
    case ZYDIS_MNEMONIC_SUBSS:
    case ZYDIS_MNEMONIC_SUBPD:
    case ZYDIS_MNEMONIC_SUBPS:
    case ZYDIS_MNEMONIC_COMISD:
    case ZYDIS_MNEMONIC_COMISS:
    case ZYDIS_MNEMONIC_UCOMISD:
    case ZYDIS_MNEMONIC_UCOMISS:
    case ZYDIS_MNEMONIC_FADD:
    case ZYDIS_MNEMONIC_FADDP:
    case ZYDIS_MNEMONIC_FSUB:
    case ZYDIS_MNEMONIC_FSUBP:
      ++use.adds;
      return;
    default:
      return;
  }
}

void Pipeline::add(const Instruction& instruction, Use& use) const {
  use.operations += operations_of(instruction);
  for (const MemoryAccess& access : accesses_of(instruction)) {
    const unsigned moved = access.operand.size;
    use.accesses += access.kind == AccessKind::store ? std::max(1u, rounded_up(moved, kPortBytes)) : 1u;
  }
  const bool wide = instruction.code.operand_width == 64;
  if (is_microcode(instruction)) use.alone += config_.microcode_cycles;
  if (instruction.locked()) use.alone += config_.lock_cycles;
  switch (instruction.code.mnemonic) {
    case ZYDIS_MNEMONIC_IMUL:
    case ZYDIS_MNEMONIC_MUL:
      use.multiplier += wide ? config_.multiply_wide_cycles : 1;
      return;
    case ZYDIS_MNEMONIC_DIV:
    case ZYDIS_MNEMONIC_IDIV:
      use.divider += wide ? config_.divide_wide_cycles : config_.divide_cycles;
      return;
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_LFENCE:
      use.alone += config_.fence_cycles;
      return;
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_CPUID:
      use.alone += config_.time_cycles;
      return;
    default:
      break;
  }
  switch (instruction.code.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      use.alone += config_.branch_conditional;
      return;
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
      use.alone += config_.branch_taken;
      return;
    default:
      add_floating(instruction, use);
  }
}

Schedule Pipeline::schedule(const std::vector<Instruction>& block) const {
  Schedule schedule;
  Use use;
  for (const Instruction& instruction : block) {
    schedule.issue.push_back(static_cast<std::uint16_t>(std::min(use.operations / config_.width, 0xFFFFu)));
    add(instruction, use);
  }
  schedule.cycles =
      use.alone + std::max({rounded_up(use.operations, config_.width), rounded_up(use.accesses, config_.accesses),
                            use.adds, use.multiplies, use.multiplier, use.divider});
  return schedule;
}

void PipelineConfig::visit_parameters(ParameterVisitor& visitor) {
  visitor.count(width, "core.width", "operations", {1, 16}, "macro-operations that are decoded in a cycle");
  visitor.count(accesses, "core.accesses", "operations", {1, 16},
                "loads, and stores of 8 bytes, that the first level takes in a cycle");
  visitor.count(load_latency, "core.load_latency", "cycles", {1, 100}, "from a load to the use of it");
  visitor.count(multiply_wide_cycles, "core.multiply_wide_cycles", "cycles", {1, 100},
                "between multiplications of 64 bits; narrower ones follow each other");
  visitor.count(divide_cycles, "core.divide_cycles", "cycles", {1, 1000}, "of an integer division of 32 bits or less");
  visitor.count(divide_wide_cycles, "core.divide_wide_cycles", "cycles", {1, 1000}, "the same of 64 bits");
  visitor.count(float_divide_cycles, "core.float_divide_cycles", "cycles", {1, 1000},
                "between divisions of double precision");
  visitor.count(float_divide_single_cycles, "core.float_divide_single_cycles", "cycles", {1, 1000},
                "the same, of single precision");
  visitor.count(float_root_cycles, "core.float_root_cycles", "cycles", {1, 1000},
                "between square roots of double precision");
  visitor.count(float_root_single_cycles, "core.float_root_single_cycles", "cycles", {1, 1000},
                "the same, of single precision");
  visitor.count(microcode_cycles, "core.microcode_cycles", "cycles", {0, 1000},
                "of an instruction that is done in microcode, beyond an ordinary one");
  visitor.count(lock_cycles, "core.lock_cycles", "cycles", {0, 1000}, "of a locked access, beyond an ordinary one");
  visitor.count(fence_cycles, "core.fence_cycles", "cycles", {0, 1000}, "of a fence with nothing to wait for");
  visitor.count(time_cycles, "core.time_cycles", "cycles", {0, 1000},
                "of reading the time-stamp counter, and of cpuid");
  visitor.count(branch_taken, "core.branch_taken", "cycles", {0, 100},
                "that the front end loses by a branch that is always taken, on average");
  visitor.count(branch_conditional, "core.branch_conditional", "cycles", {0, 100},
                "the same of a conditional branch, mispredicted ones included");
}

}  // namespace toroid::x86_64
