// SPDX-License-Identifier: Apache-2.0
//
// System calls about the cores of a process: the second one, and caches.
#include <cerrno>
#include <tuple>

#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"
#include "hw/memory/big_endian.h"

namespace toroid {

Process::Result Process::do_start_core(const Arguments& arguments) {
  constexpr std::uint32_t kBelow = 16, kAbove = 8;  // of the stack pointer: room that the first frames take for granted
  if (second_ == nullptr) return -ENOSYS;
  if (second_->state() != CoreState::idle) return -EBUSY;
  const auto [entry, stack, argument] = std::tie(arguments[0], arguments[1], arguments[2]);
  if (entry % 4 != 0 || !space_->is_executable(entry, 4)) return -EFAULT;
  if (stack % 16 != 0 || stack < kBelow || space_->writable(stack - kBelow, kBelow + kAbove) == nullptr) return -EFAULT;
  start_of_second_ = {entry, stack, argument, program_->isa().thread_registers(caller_->engine())};
  second_->start(*this, caller_->time());
  return 0;
}

/// Called where the second core begins to run.
std::uint64_t Process::start_second(Core& core) {
  Engine& engine = core.engine();
  if (!second_has_memory_) {
    core.set_view(space_->view());
    caller_ = &core;
    if (!space_->add_engine(engine)) {
      kill(128 + guest::kSigSegv, "the engine of the second core has no room for the memory of the process");
      return 0;
    }
    second_has_memory_ = true;
  }
  MemoryView memory = space_->view();
  program_->isa().enter_function(engine, memory, start_of_second_.stack, start_of_second_.argument);
  program_->isa().set_thread_registers(engine, start_of_second_.thread);
  return start_of_second_.entry;
}

Process::Result Process::do_stop_core(const Arguments&) {
  if (caller_ != second_) return -EINVAL;
  // An idle core holds nothing: whatever starts on it next finds clean caches.
  second_->flush_data_cache();
  second_->halt();
  return 0;
}

Process::Result Process::do_flush_l1(const Arguments&) {
  caller_->flush_data_cache();
  return 0;
}

}  // namespace toroid
