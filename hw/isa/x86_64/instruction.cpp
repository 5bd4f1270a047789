// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/instruction.h"

#include <algorithm>
#include <optional>

#include "hw/isa/x86_64/registers.h"

namespace toroid::x86_64 {
namespace {

constexpr unsigned kWord = 8, kVector = 16;

const ZydisDecoder& decoder() {
  static const ZydisDecoder made = [] {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return decoder;
  }();
  return made;
}

/// The kind of an access that is none of data; nullopt if it is one of data or none at all.
std::optional<AccessKind> cache_kind(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_CLFLUSH:
      return AccessKind::flush;
    case ZYDIS_MNEMONIC_PREFETCH:
    case ZYDIS_MNEMONIC_PREFETCHW:
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
      return AccessKind::touch;
    default:
      return std::nullopt;
  }
}

MemoryOperand operand_of(const Instruction& instruction, const ZydisDecodedOperand& from) {
  MemoryOperand operand;
  const auto& memory = from.mem;
  operand.base = general_number(memory.base);
  operand.index = general_number(memory.index);
  operand.scale = static_cast<std::uint8_t>(memory.scale > 1 ? __builtin_ctz(memory.scale) : 0);
  operand.displacement = memory.disp.has_displacement ? memory.disp.value : 0;
  if (memory.base == ZYDIS_REGISTER_RIP) operand.displacement += static_cast<std::int64_t>(instruction.next());
  operand.size = static_cast<std::uint16_t>(from.size / 8);
  operand.vector = operand.size == kVector;
  operand.several = operand.size > kVector;
  if (instruction.code.mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU || instruction.code.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ) {
    // Single bytes, and not all of them.
    operand.size = 1;
    operand.vector = false;
    operand.several = true;
  }
  // A push stores below the stack pointer that it finds.
  const bool pushes = from.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && memory.base == ZYDIS_REGISTER_RSP &&
                      (from.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  if (pushes) operand.displacement -= static_cast<std::int64_t>(kWord);
  return operand;
}

}  // namespace

bool Instruction::locked() const {
  if (has(ZYDIS_ATTRIB_HAS_LOCK)) return true;
  return code.mnemonic == ZYDIS_MNEMONIC_XCHG &&
         (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY || operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
}

std::uint8_t general_number(ZydisRegister which) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, which);
  if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15) return MemoryOperand::kNoRegister;
  return static_cast<std::uint8_t>(whole - ZYDIS_REGISTER_RAX);
}

bool decode(const std::uint8_t* bytes, std::uint64_t most, std::uint64_t address, Instruction& instruction) {
  instruction.address = address;
  return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), bytes, most, &instruction.code, instruction.operands.data()));
}

std::vector<MemoryAccess> accesses_of(const Instruction& instruction) {
  std::vector<MemoryAccess> accesses;
  if (instruction.code.mnemonic == ZYDIS_MNEMONIC_NOP) return accesses;
  const std::optional<AccessKind> cache = cache_kind(instruction.code.mnemonic);
  for (unsigned i = 0; i < instruction.code.operand_count; ++i) {
    const ZydisDecodedOperand& from = instruction.operands[i];
    if (from.type != ZYDIS_OPERAND_TYPE_MEMORY || from.mem.type == ZYDIS_MEMOP_TYPE_AGEN) continue;
    MemoryAccess access;
    access.operand = operand_of(instruction, from);
    access.thread_local_storage = from.mem.segment == ZYDIS_REGISTER_FS || from.mem.segment == ZYDIS_REGISTER_GS;
    if (cache) {
      access.kind = *cache;
      accesses.push_back(access);
      continue;
    }
    access.operand.load = (from.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    access.operand.store = (from.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (access.operand.load) accesses.push_back(access);
    access.kind = AccessKind::store;
    if (access.operand.store) accesses.push_back(access);
  }
  // An instruction that moves from memory to memory loads first.
  std::stable_sort(accesses.begin(), accesses.end(),
                   [](const MemoryAccess& a, const MemoryAccess& b) { return a.kind < b.kind; });
  return accesses;
}

bool is_steady(const Instruction& instruction) {
  switch (instruction.code.meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_BITBYTE:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_CONVERT:
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_MISC:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_POP:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_ROTATE:
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_WIDENOP:
      break;
    default:
      return false;
  }
  if (instruction.locked() || instruction.code.mnemonic == ZYDIS_MNEMONIC_CPUID) return false;
  // Categories name vector instructions as well.
  return std::none_of(instruction.operands.begin(), instruction.operands.begin() + instruction.code.operand_count,
                      [](const ZydisDecodedOperand& operand) {
                        return operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
                               general_number(operand.reg.value) == MemoryOperand::kNoRegister &&
                               operand.reg.value != ZYDIS_REGISTER_RIP && operand.reg.value != ZYDIS_REGISTER_RFLAGS;
                      });
}

bool drains_stores(const Instruction& instruction) {
  switch (instruction.code.mnemonic) {
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_SYSCALL:
      return true;
    default:
      return instruction.locked();
  }
}

}  // namespace toroid::x86_64
