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
  if (handler.running) return -EBUSY;
  if (mask != 0 && (!is_entry(process, entry) || !is_stack(process, stack))) return -EFAULT;
  InterruptLine* const line = call.core.interrupt_line();
  if (line == nullptr || !line->enable(call.core.number(), mask)) return -EINVAL;
  handler = {};
  if (mask != 0) {
    handler.entry = entry;
    handler.stack = stack;
  }
  call.core.accept_interrupts(mask != 0);
  return 0;
}

void enter_interrupt_handler(Process& process, ProcessCore& own, std::uint64_t pc) {
  Core& core = *own.core;
  InterruptHandler& handler = own.handler;
  Engine& engine = core.engine();
  engine.read_snapshot(handler.registers);
  handler.pc = pc;
  handler.running = true;
  core.accept_interrupts(false);
  process.count("interrupt");
  const std::uint32_t groups = core.interrupt_line()->interrupts(core.number());
  // The way back is a call, which takes the rest.
  const KernelConfig& config = process.config();
  core.spend(config.cost_interrupt - std::min(config.cost_system_call, config.cost_interrupt));
  MemoryView memory = process.memory()->view();
  process.isa().enter_function(engine, memory, handler.stack, {groups});
  engine.write(process.isa().roles().pc, handler.entry);
}

CallResult calls::interrupt_return(const Call& call) {
  return call.process.of(call.core).handler.running ? 0 : -EINVAL;
}

void restore_interrupted(ProcessCore& own) {
  Core& core = *own.core;
  own.handler.running = false;
  Engine& engine = core.engine();
  engine.write_snapshot(own.handler.registers);
  engine.write(core.config().isa->roles().pc, own.handler.pc);
  core.accept_interrupts(true);
}

}  // namespace toroid
