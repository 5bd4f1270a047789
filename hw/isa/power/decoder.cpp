// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/power/decoder.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "hw/isa/power/block_addresses.h"
#include "hw/isa/power/registers.h"
#include "hw/memory/big_endian.h"

namespace toroid::power {
namespace {

constexpr std::uint32_t kBytes = 4;  // of an instruction

/// A load or store as the engine delivers it: string moves come word by word.
MemoryOperand delivered(const Instruction& instruction) {
  MemoryOperand operand = instruction.memory();
  const Access::Many many = instruction.opcode().access.many;
  if (many == Access::Many::string || many == Access::Many::string_by_register) operand.size = kBytes;
  return operand;
}

}  // namespace

Decoder::Decoder(Pipeline pipeline, Width width, std::vector<CodeSpan> code)
    : pipeline_(std::move(pipeline)), width_(width), code_(std::move(code)) {}

std::uint32_t Decoder::word_at(std::uint64_t address) const {
  const auto after = std::upper_bound(code_.begin(), code_.end(), address,
                                      [](std::uint64_t value, const CodeSpan& span) { return value < span.address; });
  if (after == code_.begin()) return 0;
  const CodeSpan& span = *std::prev(after);
  const std::uint64_t offset = address - span.address;
  return offset < span.size && span.size - offset >= kBytes ? load_be32(span.bytes + offset) : 0;
}

std::vector<Instruction> Decoder::instructions_of(const Block& block) const {
  std::vector<Instruction> instructions;
  instructions.reserve(block.size / kBytes);
  for (std::uint32_t at = 0; at + kBytes <= block.size; at += kBytes)
    instructions.emplace_back(word_at(block.address + at), width_);
  return instructions;
}

std::vector<PipelineInstruction> Decoder::analyse(const std::vector<Instruction>& instructions) const {
  std::vector<PipelineInstruction> result;
  result.reserve(instructions.size());
  for (const Instruction& instruction : instructions) result.push_back(pipeline_.analyse(instruction));
  return result;
}

void Decoder::decode(Block& block) {
  const std::vector<Instruction> instructions = instructions_of(block);
  block.instructions = static_cast<std::uint32_t>(instructions.size());
  block.steady = true;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const std::uint64_t pc = block.address + kBytes * i;
    if (instructions[i].accesses() && !instructions[i].is_emulated())  // the engine makes none of these
      block.accesses.push_back({pc, pc + kBytes, delivered(instructions[i]), std::nullopt});
    if (!instructions[i].is_steady()) block.steady = false;
  }
  const std::vector<PipelineInstruction> analysed = analyse(instructions);
  for (const PipelineInstruction& each : analysed)
    ++block.issues[static_cast<unsigned>(each.pipe == Pipe::floating ? IssueUnit::floating : IssueUnit::integer)];
  const Schedule schedule = pipeline_.schedule(analysed, {});
  block.cycles = schedule.cycles;
  block.settled = schedule.exit.settled();
  exits_.resize(std::max<std::size_t>(exits_.size(), block.number + 1));
  exits_[block.number] = schedule.exit;
  // Whoever comes from a branch to the next instruction only to learn its address.
  const bool behind_own_address = word_at(block.address - kBytes) == kBranchToNext;
  block.plan = addresses_of(instructions, width_, behind_own_address ? std::optional(block.address) : std::nullopt);
  for (PlannedAccess& access : block.plan.accesses()) {
    access.issue = schedule.issue[access.instruction];
    access.use = schedule.use[access.instruction];
    if (access.first != AddressPlan::kZero || access.second != AddressPlan::kZero) continue;
    for (AccessSite& site : block.accesses) {
      if (site.pc != block.address + kBytes * access.instruction || site.operand.several) continue;
      site.constant = access.offset & ~std::uint64_t{site.operand.alignment - 1u};
    }
  }
}

std::uint32_t Decoder::cycles_behind(const Block& previous, const Block& block) const {
  return pipeline_.schedule(analyse(instructions_of(block)), exits_[previous.number]).cycles;
}

std::optional<UpcomingAccess> Decoder::upcoming_access(std::uint64_t pc, const Engine& engine) const {
  constexpr std::uint32_t kStringCount = 0x7F;  // in XER
  const Instruction instruction(word_at(pc), width_);
  const Access& access = instruction.opcode().access;
  if (!access.kind) return std::nullopt;
  const MemoryOperand operand = instruction.memory();
  UpcomingAccess upcoming;
  upcoming.kind = *access.kind;
  const auto general = [&engine](unsigned number) { return engine.read(gpr(number)); };
  upcoming.address = width_ == Width::wide ? effective_address<std::uint64_t>(operand, general)
                                           : effective_address<std::uint32_t>(operand, general);
  upcoming.size = operand.size;
  if (access.many == Access::Many::string_by_register)
    upcoming.size = static_cast<std::uint32_t>(engine.read(kXer)) & kStringCount;
  // The engine makes the accesses of dcbz and of the multiple and string moves on the side, and others not at all.
  upcoming.hidden = instruction.manages_cache() || operand.several || instruction.is_emulated();
  return upcoming;
}

std::string Decoder::encoding_at(std::uint64_t pc) const {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", word_at(pc));
  return text;
}

/// stwu rS,d(r1) or stwux rS,r1,rB, stdu and stdux. The word that it stores is r1 for a function's frame, and the
/// caller's frame in another register for arrays of variable length and alloca().
bool Decoder::makes_frame(std::uint64_t pc) const {
  const Instruction instruction(word_at(pc), width_);
  const Access& access = instruction.opcode().access;
  return access.kind == AccessKind::store && access.update && access.size == word_bytes(width_) &&
         instruction.reads(operand::kT) && instruction.a() == 1;
}

}  // namespace toroid::power
