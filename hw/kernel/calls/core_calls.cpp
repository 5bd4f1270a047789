// SPDX-License-Identifier: Apache-2.0
//
// System calls about the cores of a process: those beside the first, and caches.
#include <cerrno>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {

CallResult calls::start_core(const Call& call) {
  Process& process = call.process;
  if (process.cores().size() < 2) return -ENOSYS;
  ProcessCore& second = process.cores()[1];
  if (second.core->state() != CoreState::idle) return -EBUSY;
  const std::uint64_t entry = call[0], stack = call[1];
  if (!is_function(process, entry) || !is_stack(process, stack)) return -EFAULT;
  second.start = {entry, stack, call[2], process.isa().thread_registers(call.core.engine())};
  second.core->start(process, call.core.time());
  process.threads().adjust_cores();
  return 0;
}

std::uint64_t start_further_core(Process& process, Core& core) {
  ProcessCore& own = process.of(core);
  Engine& engine = core.engine();
  AddressSpace& space = *process.memory();
  if (!own.has_memory) {
    core.set_view(space.view());
    if (!space.add_engine(engine)) {
      process.kill(core, 128 + guest::kSigSegv, "the engine of the core has no room for the memory of the process");
      return 0;
    }
    own.has_memory = true;
  }
  if (own.thread.id != 0) return process.threads().enter(own);
  MemoryView memory = space.view();
  process.isa().reset_control(engine);
  process.isa().set_thread_registers(engine, own.start.thread);
  return process.isa().enter_function(engine, memory, own.start.entry, own.start.stack, {own.start.argument});
}

CallResult calls::stop_core(const Call& call) {
  // A thread's core stops at its end alone, of which others may be waiting to be told.
  if (call.process.of(call.core).thread.id != 0) return -EINVAL;
  // An idle core holds nothing: whatever starts on it next finds clean caches.
  call.core.flush_data_cache();
  call.core.share_memory({}, false);
  call.core.halt();
  call.process.threads().adjust_cores();
  return 0;
}

CallResult calls::flush_l1(const Call& call) {
  call.core.flush_data_cache();
  return 0;
}

}  // namespace toroid
