// SPDX-License-Identifier: Apache-2.0
//
// What a core does at a basic block. The block's own code does the same where all is plain (block_counting.h).
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/core/core.h"

namespace toroid {

void Core::on_block(const Block& block) {
  counting_ == BlockCounting::checked ? check_block(block) : enter_block(block);
}

void Core::enter_block(const Block& block) {
  time_.stop_code();
  // Where device loads are waited for, everything else has come as well.
  const Block* const previous = time_.loads_in_flight() ? nullptr : ledger_.block;
  end_block();
  end_block_stores();
  const bool due = time_.is_due();
  if (due && ends_quantum()) return;
  if (reservation_) reservation_->look();
  if (time_.now() >= time_.called_at() && take_call(block.address)) return;
  if (interrupts_.accepts() && take_interrupt(block.address)) return;
  if (issue_ && issue_->begin_block(block)) parking_.forget_loop();
  if (parking_.wants_block(due)) {
    parking_.at_block(block.address, previous, cache_changes(), *engine_);
    if (run_.stopping) return;
  }
  const CoreCycle cycles{blocks_->cycles_behind(previous, block)};
  ledger_.enter(block);
  access_.begin_block();
  fences_passed_ = 0;
  const CoreCycle missed = path_ ? path_->enter(block, registers_.of(*engine_), time_.now(), cycles) : CoreCycle{0};
  if (issue_ && missed != CoreCycle{0}) issue_->wait_for_memory(missed);
  CoreCycle least{write_policy_.least_cycles(block)};
  if (issue_) least = std::max(least, issue_->least_cycles(block));
  time_.begin_block(std::max(cycles + missed, least));
  counters_.instructions += block.instructions;
  if (observers_.accesses() != nullptr || run_.observer != nullptr || parking_.verifies()) {
    tell_of_block(block);
  } else if (holds_stores()) {
    // The next block must look at them.
  } else {
    let_code_count();
  }
}

void Core::end_block() {
  const CoreCycle issued = ledger_.done;
  time_.end_block();
  // A poll is as if it did not wait: what its loop costs may not depend on the steps of the grid that it is parked in.
  if (std::exchange(awaits_device_, false) && issue_ && time_.now() > issued) issue_->has_waited(issued);
}

void Core::check_block(const Block& block) {
  const bool counts = std::exchange(ledger_.calls, 1) == 0;
  if (!counts) return enter_block(block);
  BlockLedger counted = ledger_;
  counted.now = counted.done;
  counted.done += counted.cycles;
  counted.enter(block);
  counted.counters.instructions += block.instructions;
  if (issue_ && block.issues[static_cast<unsigned>(IssueUnit::floating)] != 0) counted.last_floating = counted.now;
  if (path_) counted.counters.memory.l1_hits += write_policy_.lookups(block);
  const std::uint64_t changes = cache_changes();
  enter_block(block);
  if (!ledger_.is_same(counted) || cache_changes() != changes)
    throw std::logic_error("the code of the block at " + std::to_string(block.address) + " counts wrongly");
}

void Core::let_code_count() {
  if (run_.stopping) return;
  CoreCycle until = interrupts_.accepts() ? interrupts_.next_look(time_.now()) : LocalTime::kForever;
  if (issue_) until = std::min(until, issue_->next_look());
  time_.let_code_count(until);
}

void Core::leave_block() {
  ledger_.leave_block();
  access_.begin_block();
}

bool Core::ends_quantum() {
  if (time_.is_over()) {
    if (!run_.stopping) {
      run_.state = CoreState::timed_out;
      run_.stopping = true;
      engine_->stop();
    }
    return true;
  }
  synchronise();
  return run_.stopping;  // by another core, meanwhile
}

bool Core::take_interrupt(std::uint64_t pc) {
  if (!interrupts_.is_due(time_.now()) || parking_.replays()) return false;
  synchronise();
  if (run_.stopping || !interrupts_.interrupted()) return run_.stopping;
  stand_before_block();
  return software_->on_interrupt(*this, pc) ? go_elsewhere() : run_.stopping;
}

bool Core::take_call(std::uint64_t pc) {
  synchronise();
  if (run_.stopping) return true;
  time_.call_at(LocalTime::kForever);
  stand_before_block();
  return software_->on_call(*this, pc) ? go_elsewhere() : run_.stopping;
}

void Core::stand_before_block() {
  mark();
  drain_stores();
  parking_.forget_loop();
  time_.begin_block(0);
}

bool Core::go_elsewhere() {
  leave_block();
  time_.begin_block(0);
  return true;
}

void Core::tell_of_block(const Block& block) {
  if (observers_.accesses() != nullptr) observers_.accesses()->on_block(*this, block);
  if (run_.observer != nullptr) run_.observer->on_block(*this, block, registers_.of(*engine_));
  if (!parking_.verifies()) return;
  RegisterSnapshot registers;
  engine_->read_snapshot(registers);
  parking_.on_block(block, registers);
}

}  // namespace toroid
