// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/core_recorder.h"

#include <algorithm>

namespace toroid::trace {
namespace {

/// The state of a Wait, or 0.
std::uint8_t wait_of(CoreState state) {
  if (state == CoreState::parked) return Wait::kParked;
  if (state == CoreState::waiting) return Wait::kWaiting;
  return state == CoreState::sleeping ? Wait::kSleeping : 0;
}

}  // namespace

void CoreRecorder::on_block(Core& core, const Block& block, GeneralRegisters gpr) {
  if (!running_since_) running_since_ = now();
  const Isa& isa = *core.config().isa;
  const std::uint64_t stack = gpr[isa.roles().stack_pointer_number];
  for (std::size_t depth = frames_.size(); depth-- > 0;) {
    if (frames_[depth].caller != block.address || frames_[depth].stack != stack) continue;
    leave(depth, static_cast<std::uint32_t>(gpr[isa.roles().result_number]));
    break;
  }
  const std::uint32_t function = functions_.of(block);
  if (function == Functions::kNone) return;
  // A loop may begin where its function does.
  if (!frames_.empty() && frames_.back().function == function && frames_.back().stack == stack) return;
  Frame& frame = frames_.emplace_back();
  frame.entered = now();
  frame.function = function;
  frame.stack = stack;
  frame.caller = isa.return_address(core.engine(), core.view());
  // The file format has 32 bits for a value.
  for (std::size_t i = 0; i < frame.arguments.size(); ++i)
    frame.arguments[i] = static_cast<std::uint32_t>(gpr[isa.roles().argument_numbers[i]]);
}

/// The call at `depth` returns, and with it those above it.
void CoreRecorder::leave(std::size_t depth, std::uint32_t result) {
  const std::uint64_t end = now();
  while (frames_.size() > depth) {
    record(frames_.back(), frames_.size() - 1, end, result, false);
    frames_.pop_back();
  }
}

void CoreRecorder::record(const Frame& frame, std::size_t depth, std::uint64_t end, std::uint32_t result,
                          bool unfinished) {
  Call call{};
  call.time = frame.entered;
  call.end = end;
  call.rank = rank_;
  call.function = frame.function;
  call.core = static_cast<std::uint8_t>(core_.number());
  call.flags = unfinished ? Call::kUnfinished : 0;
  call.depth = static_cast<std::uint16_t>(depth);
  call.result = result;
  std::copy(frame.arguments.begin(), frame.arguments.end(), call.arguments);
  call.stack = static_cast<std::uint32_t>(frame.stack);
  call.caller = static_cast<std::uint32_t>(frame.caller);
  writer_.add(call);
}

void CoreRecorder::on_state(Core& core) {
  const CoreState state = core.state();
  if (const std::uint8_t how = wait_of(state); how != 0) {
    if (wait_) return;
    wait_.emplace();
    wait_->time = now();
    wait_->node = node_;
    wait_->rank = rank_;
    wait_->pc = static_cast<std::uint32_t>(core.pc());
    wait_->core = static_cast<std::uint8_t>(core.number());
    wait_->state = how;
    return;
  }
  end_wait(false);
  if (state != CoreState::idle) return;
  end_run(now(), false);
  for (std::size_t depth = frames_.size(); depth-- > 0;) record(frames_[depth], depth, now(), 0, true);
  frames_.clear();
}

void CoreRecorder::end_run(std::uint64_t end, bool unfinished) {
  if (!running_since_) return;
  Run run{};
  run.time = *running_since_;
  run.end = end;
  run.node = node_;
  run.rank = rank_;
  run.core = static_cast<std::uint8_t>(core_.number());
  run.flags = unfinished ? Run::kUnfinished : 0;
  writer_.add(run);
  running_since_.reset();
}

void CoreRecorder::end_wait(bool unfinished) {
  if (!wait_) return;
  wait_->end = std::max(now(), wait_->time);
  if (unfinished) {
    wait_->end = std::max<std::uint64_t>(wait_->end, sc_core::sc_time_stamp().value());
    wait_->flags = Wait::kUnfinished;
  }
  if (wait_->end > wait_->time) writer_.add(*wait_);
  wait_.reset();
}

void CoreRecorder::on_shipped_call(Core& core, unsigned operation, std::int32_t descriptor, std::uint64_t bytes,
                                   std::int64_t result, sc_core::sc_time begin) {
  IoCall call{};
  call.time = begin.value();
  call.end = now();
  call.rank = rank_;
  call.operation = static_cast<std::uint16_t>(operation);
  call.core = static_cast<std::uint8_t>(core.number());
  call.descriptor = descriptor;
  call.bytes = static_cast<std::uint32_t>(bytes);
  call.result = result;
  writer_.add(call);
}

void CoreRecorder::finish() {
  const bool waits = wait_.has_value();
  end_wait(true);
  const std::uint64_t end = waits ? std::max<std::uint64_t>(now(), sc_core::sc_time_stamp().value()) : now();
  end_run(end, true);
  for (std::size_t depth = frames_.size(); depth-- > 0;) record(frames_[depth], depth, end, 0, true);
  frames_.clear();
}

}  // namespace toroid::trace
