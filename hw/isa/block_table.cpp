// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/block_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr std::uint32_t kCodeLineBytes = 32;
constexpr std::uint32_t kBranchToNext = 0x429F'0005;  // bcl 20,31,.+4: the idiom of position-independent code

/// A vector instruction whose result is the same whatever the registers hold: vxor of a register with itself (compilers
/// clear a register so), vspltisb, vspltish, vspltisw.
bool is_vector_constant(std::uint32_t word) {
  if (word >> 26 != 4) return false;
  switch (word & 0x7FF) {
    case 780:
    case 844:
    case 908:
      return true;
    case 1220:
      return (word >> 16 & 31) == (word >> 11 & 31);
    default:
      return false;
  }
}

/// Instructions whose whole effect shows in general purpose, link, count and condition registers and memory.
///
/// Floating point and vector arithmetic are left out because the engine does not show their registers; plain loads into
/// those registers, and constants, are fine: what is loaded is memory or a device answer, and both are compared.
/// Reservations, string moves, cache management (dcbz stores), and special registers other than LR, CTR and XER are
/// left out as well.
bool is_steady(std::uint32_t word, const Instruction& instruction) {
  const MemoryAccess& memory = instruction.memory;
  if (memory.any()) return memory.size != 0;
  if (is_vector_constant(word)) return true;
  switch (instruction.kind) {
    case InstructionClass::integer:
    case InstructionClass::branch:
    case InstructionClass::multiply:
    case InstructionClass::divide:
      return true;
    case InstructionClass::system:
      break;
    default:
      return false;
  }
  if (word >> 26 == 19) return true;  // isync
  if (word >> 26 != 31) return false;
  switch (word >> 1 & 0x3FF) {
    case 19:
    case 144:
    case 512:
    case 598:
    case 854:
    case 246:
    case 278:
      return true;  // mfcr, mtcrf, mcrxr, sync, eieio, dcbtst, dcbt
    case 339:
    case 467: {
      const unsigned spr = (word >> 16 & 31) | (word >> 11 & 31) << 5;
      return spr == 1 || spr == 8 || spr == 9;  // XER, LR, CTR
    }
    default:
      return false;
  }
}

}  // namespace

BlockTable::BlockTable(const PipelineConfig& config, std::vector<CodeSpan> code)
    : pipeline_(config), code_(std::move(code)), cache_(kCacheSize, &empty_) {}

std::uint32_t BlockTable::word_at(std::uint32_t address) const {
  const auto after = std::upper_bound(code_.begin(), code_.end(), address,
                                      [](std::uint32_t value, const CodeSpan& span) { return value < span.address; });
  if (after == code_.begin()) return 0;
  const CodeSpan& span = *std::prev(after);
  const std::uint32_t offset = address - span.address;
  return offset < span.size && span.size - offset >= 4 ? load_be32(span.bytes + offset) : 0;
}

std::vector<std::uint32_t> BlockTable::words_of(std::uint32_t address, std::uint32_t size) const {
  std::vector<std::uint32_t> words(size / 4);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = word_at(address + 4 * i);
  return words;
}

std::vector<PipelineInstruction> BlockTable::analyse(const std::vector<std::uint32_t>& words) const {
  std::vector<PipelineInstruction> result;
  result.reserve(words.size());
  for (const std::uint32_t word : words) result.push_back(pipeline_.analyse(word));
  return result;
}

Block BlockTable::decode(std::uint32_t address, std::uint32_t size) const {
  const std::vector<std::uint32_t> words = words_of(address, size);
  Block block;
  block.address = address;
  block.size = size;
  block.instructions = static_cast<std::uint32_t>(words.size());
  block.first_line = address / kCodeLineBytes;
  block.last_line = (address + std::max(size, 1u) - 1) / kCodeLineBytes;
  block.steady = true;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const Instruction instruction = decode_instruction(words[i]);
    if (instruction.memory.any()) block.accesses.push_back({address + 4 * i, instruction.memory, std::nullopt});
    if (!is_steady(words[i], instruction)) block.steady = false;
  }
  const Schedule schedule = pipeline_.schedule(analyse(words), {});
  block.cycles = schedule.cycles;
  block.exit = schedule.exit;
  block.settled = schedule.exit.settled();
  // Whoever comes from a branch to the next instruction only to learn its address.
  const bool behind_own_address = word_at(address - 4) == kBranchToNext;
  block.plan = AddressPlan(words, behind_own_address ? std::optional<std::uint32_t>(address) : std::nullopt);
  for (PlannedAccess& access : block.plan.accesses()) {
    access.issue = schedule.issue[access.instruction];
    access.use = schedule.use[access.instruction];
    if (access.first != AddressPlan::kZero || access.second != AddressPlan::kZero) continue;
    for (AccessSite& site : block.accesses) {
      if (site.pc != address + 4 * access.instruction || site.memory.many) continue;
      site.constant = site.memory.quad ? access.offset & ~15u : access.offset;
    }
  }
  return block;
}

const Block& BlockTable::find_slowly(std::uint32_t address, std::uint32_t size) {
  std::unique_ptr<Block>& block = blocks_[std::uint64_t{address} << 32 | size];
  if (!block) {
    block = std::make_unique<Block>(decode(address, size));
    block->number = static_cast<std::uint32_t>(blocks_.size());
  }
  cache_[(address >> 2) & (kCacheSize - 1)] = block.get();
  return *block;
}

std::uint32_t BlockTable::cycles_behind_slowly(const Block& previous, const Block& block) {
  const auto [entry, fresh] = entries_.try_emplace(std::uint64_t{previous.number} << 32 | block.number);
  if (fresh) entry->second = pipeline_.schedule(analyse(words_of(block.address, block.size)), previous.exit).cycles;
  block.entries[1] = block.entries[0];
  block.entries[0] = {&previous, entry->second};
  return entry->second;
}

}  // namespace toroid
