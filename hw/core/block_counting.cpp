// SPDX-License-Identifier: Apache-2.0
#include "hw/core/block_counting.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/core/access_code.h"
#include "hw/core/issue_group.h"
#include "hw/core/write_policy.h"

namespace toroid {

using Operation = BlockCode::Operation;
using Value = BlockCode::Value;

namespace {

std::uint64_t address_of(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

/// Not 0 unless the block begins before LocalTime needs a look at it.
Value comes_too_late(BlockCode& code) {
  Value early = code.load_ledger(offsetof(BlockLedger, done));
  early.apply(Operation::below, code.load_ledger(offsetof(BlockLedger, until)));
  early.apply(Operation::bit_xor, 1);
  return early;
}

/// What the block costs behind the one before, with everything in L1, and `least` at least: known where that one owes
/// nothing, and behind the first of Block::entries.
void look_up_cycles(const Block& block, std::uint32_t least, Value& calls, BlockCode& code) {
  const Value owing = code.load_ledger(offsetof(BlockLedger, owing));
  const Value entry = code.constant(address_of(&block.entries.front()));
  Value unknown = code.load(entry, offsetof(Block::Entry, from), 64);
  unknown.apply(Operation::not_equal, owing);
  Value owes = code.copy(owing);
  owes.apply(Operation::not_equal, 0);
  unknown.apply(Operation::bit_and, owes);
  calls.apply(Operation::bit_or, unknown);
  Value cycles = code.load(entry, offsetof(Block::Entry, cycles), 32);
  cycles.move_if_zero(owing, block.cycles);
  if (least != 0) {
    Value enough = code.copy(cycles);
    enough.apply(Operation::below, least);
    enough.apply(Operation::bit_xor, 1);
    cycles.move_if_zero(enough, least);
  }
  code.store_ledger(offsetof(BlockLedger, cycles), cycles);
}

/// The block takes at least as long as the slots that it needs of each unit (IssueShare::least_cycles()). Calls where
/// the others do not know yet that the core uses floating point.
void share_issue(const Block& block, Value& calls, BlockCode& code) {
  Value cycles = code.load_ledger(offsetof(BlockLedger, cycles));
  for (unsigned unit = 0; unit < kIssueUnits; ++unit) {
    if (block.issues[unit] == 0) continue;
    Value least = code.load_ledger(offsetof(BlockLedger, issue_costs) + unit * sizeof(std::uint64_t));
    least.apply(Operation::multiply, block.issues[unit]);
    least.apply(Operation::add, IssueShare::kOne - 1);
    least.apply(Operation::shift_right, IssueShare::kFractionBits);
    Value enough = code.copy(cycles);
    enough.apply(Operation::below, least);
    enough.apply(Operation::bit_xor, 1);
    cycles.move_if_zero(enough, least);
  }
  code.store_ledger(offsetof(BlockLedger, cycles), cycles);
  if (block.issues[static_cast<unsigned>(IssueUnit::floating)] != 0)
    calls.apply(Operation::bit_or, code.load_ledger(offsetof(BlockLedger, no_floating)));
}

void add_to_ledger(std::uint64_t place, std::uint64_t amount, BlockCode& code) {
  if (amount == 0) return;
  Value sum = code.load_ledger(place);
  sum.apply(Operation::add, amount);
  code.store_ledger(place, sum);
}

void enter(const Block& block, std::size_t lookups, BlockCode& code) {
  Value now = code.load_ledger(offsetof(BlockLedger, done));
  code.store_ledger(offsetof(BlockLedger, now), now);
  now.apply(Operation::add, code.load_ledger(offsetof(BlockLedger, cycles)));
  code.store_ledger(offsetof(BlockLedger, done), now);
  const Value place = code.constant(address_of(&block));
  code.store_ledger(offsetof(BlockLedger, block), place);
  if (block.settled) {
    code.store_ledger(offsetof(BlockLedger, owing), code.constant(0));
  } else {
    code.store_ledger(offsetof(BlockLedger, owing), place);
  }
  add_to_ledger(offsetof(BlockLedger, counters.instructions), block.instructions, code);
  add_to_ledger(offsetof(BlockLedger, counters.memory.l1_hits), lookups, code);
}

/// Code for BlockCounting::checked: it leaves what it would have done where Core compares it.
void only_tell(Value calls, BlockCode& code) {
  code.store_ledger(offsetof(BlockLedger, calls), calls);
  code.call_if(code.constant(1));
}

BlockCounting chosen() {
  const char* const given = std::getenv("TOROID_BLOCKS");  // NOLINT(concurrency-mt-unsafe)
  const std::string name = given == nullptr ? "translated" : given;
  if (name == "translated") return BlockCounting::translated;
  if (name == "called") return BlockCounting::called;
  if (name == "checked") return BlockCounting::checked;
  throw std::runtime_error("TOROID_BLOCKS is '" + name + "'; it must be translated, called or checked");
}

}  // namespace

BlockCounting block_counting() {
  static const BlockCounting counting = chosen();
  return counting;
}

void count_block(const Block& block, const CoreConfig& config, BlockCounting counting, BlockCode& code) {
  const bool caches = config.memory.modelled;
  const WritePolicy policy(config.memory);
  AccessCode accesses(block, *config.isa, LineSize(config.memory.l1_line), policy, code);
  if (counting == BlockCounting::called) return;
  if (caches && !accesses.can_tell()) {
    if (counting == BlockCounting::checked) only_tell(code.constant(1), code);
    return;
  }
  Value calls = comes_too_late(code);
  look_up_cycles(block, policy.least_cycles(block), calls, code);
  if (config.threads > 1) share_issue(block, calls, code);
  if (caches) accesses.compare(calls);
  if (counting == BlockCounting::checked) return only_tell(std::move(calls), code);
  code.call_if(std::move(calls));
  enter(block, caches ? policy.lookups(block) : 0, code);
  if (config.threads > 1 && block.issues[static_cast<unsigned>(IssueUnit::floating)] != 0)
    code.store_ledger(offsetof(BlockLedger, last_floating), code.load_ledger(offsetof(BlockLedger, now)));
}

}  // namespace toroid
