// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/x86_64/decoder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "hw/isa/x86_64/block_addresses.h"
#include "hw/isa/x86_64/registers.h"

namespace toroid::x86_64 {

const std::uint8_t* Decoder::code_at(std::uint64_t pc, std::uint64_t& size) const {
  const auto after = std::upper_bound(code_.begin(), code_.end(), pc,
                                      [](std::uint64_t value, const CodeSpan& span) { return value < span.address; });
  if (after == code_.begin()) return nullptr;
  const CodeSpan& span = *std::prev(after);
  const std::uint64_t offset = pc - span.address;
  if (offset >= span.size) return nullptr;
  size = span.size - offset;
  return span.bytes + offset;
}

bool Decoder::instruction_at(std::uint64_t pc, Instruction& instruction) const {
  std::uint64_t size = 0;
  const std::uint8_t* const bytes = code_at(pc, size);
  return bytes != nullptr && x86_64::decode(bytes, size, pc, instruction);
}

std::vector<Instruction> Decoder::instructions_of(const Block& block) const {
  std::vector<Instruction> instructions;
  std::uint64_t pc = block.address;
  while (pc < block.address + block.size) {
    Instruction& instruction = instructions.emplace_back();
    if (!instruction_at(pc, instruction)) {
      instructions.pop_back();
      break;
    }
    pc = instruction.next();
  }
  return instructions;
}

void Decoder::decode(Block& block) {
  const std::vector<Instruction> instructions = instructions_of(block);
  block.instructions = static_cast<std::uint32_t>(instructions.size());
  block.steady = true;
  for (const Instruction& instruction : instructions) {
    if (!is_steady(instruction)) block.steady = false;
    if (drains_stores(instruction)) block.fences.push_back(instruction.next());
    const std::vector<MemoryAccess> accesses = accesses_of(instruction);
    for (const MemoryAccess& access : accesses) {
      // The spin detector does not see what lies behind a segment's base.
      if (access.thread_local_storage) block.steady = false;
      // Of a load and a store at one place, one site stands for both.
      const bool again = access.kind == AccessKind::store && access.operand.load;
      if (is_cache_instruction(access.kind) || access.thread_local_storage || again) continue;
      block.accesses.push_back({instruction.address, instruction.next(), access.operand, std::nullopt});
    }
  }
  const Schedule schedule = pipeline_.schedule(instructions);
  block.cycles = schedule.cycles;
  block.plan = addresses_of(instructions);
  for (PlannedAccess& access : block.plan.accesses()) {
    access.issue = schedule.issue[access.instruction];
    access.use = static_cast<std::uint16_t>(std::min(schedule.cycles, 0xFFFFu));
    if (access.first != AddressPlan::kZero || access.second != AddressPlan::kZero) continue;
    for (AccessSite& site : block.accesses) {
      if (site.pc == instructions[access.instruction].address && !site.operand.several) site.constant = access.offset;
    }
  }
  delay_chains(block);
}

/// Of loads whose addresses come from loads before them in the block, each issues when the one before has come, and the
/// block takes as long as the longest such chain.
void Decoder::delay_chains(Block& block) const {
  std::array<std::uint16_t, AddressPlan::kValues> loads_before{};  // of a value
  for (const AddressPlan::Step& step : block.plan.steps()) {
    const std::uint16_t before = std::max(loads_before[step.first], loads_before[step.second]);
    loads_before[step.result] = static_cast<std::uint16_t>(before + (AddressPlan::loads(step.operation) ? 1 : 0));
  }
  const unsigned latency = pipeline_.load_latency();
  std::vector<bool> feeds(block.instructions);  // another access, by instruction
  for (const AddressPlan::Step& step : block.plan.steps()) {
    if (AddressPlan::loads(step.operation)) feeds[step.instruction] = true;
  }
  for (PlannedAccess& access : block.plan.accesses()) {
    const unsigned before = std::max(loads_before[access.first], loads_before[access.second]);
    const unsigned issue = std::max<unsigned>(access.issue, std::min(before * latency, 0xFFFFu));
    access.issue = static_cast<std::uint16_t>(issue);
    if (feeds[access.instruction] && access.kind == AccessKind::load)
      access.use = static_cast<std::uint16_t>(std::min(issue + latency, 0xFFFFu));
    if (before != 0) block.cycles = std::max(block.cycles, issue + latency);
  }
  for (PlannedAccess& access : block.plan.accesses()) {
    if (!feeds[access.instruction]) access.use = static_cast<std::uint16_t>(std::min(block.cycles, 0xFFFFu));
  }
}

std::optional<UpcomingAccess> Decoder::upcoming_access(std::uint64_t pc, const Engine& engine) const {
  Instruction instruction;
  if (!instruction_at(pc, instruction)) return std::nullopt;
  const std::vector<MemoryAccess> accesses = accesses_of(instruction);
  if (accesses.empty() || accesses.front().thread_local_storage) return std::nullopt;
  UpcomingAccess upcoming;
  upcoming.kind = accesses.front().kind;
  upcoming.address = effective_address<std::uint64_t>(accesses.front().operand,
                                                      [&engine](unsigned number) { return engine.read(gpr(number)); });
  upcoming.size = is_cache_instruction(upcoming.kind) ? 0 : accesses.front().operand.size;
  upcoming.hidden = is_cache_instruction(upcoming.kind);
  return upcoming;
}

std::string Decoder::encoding_at(std::uint64_t pc) const {
  std::uint64_t size = 0;
  const std::uint8_t* const bytes = code_at(pc, size);
  if (bytes == nullptr) return "0x00";
  Instruction instruction;
  if (x86_64::decode(bytes, size, pc, instruction)) size = instruction.code.length;
  std::string text = "0x";
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(size, ZYDIS_MAX_INSTRUCTION_LENGTH); ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", bytes[i]);
    text += byte;
  }
  return text;
}

/// A call or a push: whoever moves the stack pointer far down stores there only afterwards, mostly by a call.
bool Decoder::makes_frame(std::uint64_t pc) const {
  Instruction instruction;
  if (!instruction_at(pc, instruction)) return false;
  return instruction.code.mnemonic == ZYDIS_MNEMONIC_PUSH || instruction.code.mnemonic == ZYDIS_MNEMONIC_CALL;
}

}  // namespace toroid::x86_64
