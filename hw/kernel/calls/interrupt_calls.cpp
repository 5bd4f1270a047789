// SPDX-License-Identifier: Apache-2.0
//
// Interrupts: delivered to the process by the kernel, and the calls for that.
#include <algorithm>
#include <cerrno>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/interrupts.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/process.h"

namespace toroid {

CallResult calls::set_interrupt_handler(const Call& call) {
  Process& process = call.process;
  const std::uint64_t entry = call[0], stack = call[1];
  const std::uint32_t mask = call.word(2);
  InterruptHandler& handler = process.of(call.core).handler;
  if (handler.running && mask != 0) return -EBUSY;
  if (mask != 0 && (!is_function(process, entry) || !is_stack(process, stack))) return -EFAULT;
  InterruptLine* const line = call.core.interrupt_line();
  if (line == nullptr || !line->enable(call.core.number(), mask)) return -EINVAL;
  if (handler.running) return 0;  // it still has to return
  handler = {};
  if (mask != 0) {
    handler.entry = entry;
    handler.stack = stack;
  }
  call.core.accept_interrupts(mask != 0);
  return 0;
}

void begin_interrupt(Process& process, ProcessCore& own, std::uint64_t pc) {
  InterruptHandler& handler = own.handler;
  own.core->engine().read_snapshot(handler.registers);
  handler.pc = pc;
  handler.running = true;
  own.core->accept_interrupts(false);
  process.count("interrupt");
  // The way back is a call, which takes the rest.
  const KernelConfig& config = process.config();
  own.core->spend(config.cost_interrupt - std::min(config.cost_system_call, config.cost_interrupt));
}

void enter_interrupt_handler(Process& process, ProcessCore& own, std::uint64_t pc) {
  begin_interrupt(process, own, pc);
  Core& core = *own.core;
  const std::uint32_t groups = core.interrupt_line()->interrupts(core.number());
  MemoryView memory = process.memory()->view();
  const Isa& isa = process.isa();
  core.engine().write(isa.roles().pc,
                      isa.enter_function(core.engine(), memory, own.handler.entry, own.handler.stack, {groups}));
}

CallResult calls::interrupt_return(const Call& call) {
  ProcessCore& own = call.process.of(call.core);
  if (!own.handler.running) return -EINVAL;
  restore_interrupted(own);  // nothing of what the handler leaves in registers stays
  return 0;
}

void restore_interrupted(ProcessCore& own) {
  Core& core = *own.core;
  own.handler.running = false;
  Engine& engine = core.engine();
  engine.write_snapshot(own.handler.registers);
  engine.write(core.config().isa->roles().pc, own.handler.pc);
  own.resumed = true;
  core.accept_interrupts(true);
  if (own.thread.pending != 0) core.call_at(core.now());  // signals that have come meanwhile
}

}  // namespace toroid
