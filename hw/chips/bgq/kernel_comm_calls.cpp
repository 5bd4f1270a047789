// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls of communication threads: they give up their hardware thread until an interrupt of the Messaging Unit
// calls a function on it.
#include <algorithm>
#include <array>
#include <cerrno>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/isa/power/registers.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {
namespace {

CommHandlers& handlers_of(const Call& call) {
  return bgq_node_kernel(call.process).comm_handlers(call.core.number());
}

/// The first handler that is enabled and whose interrupt is up; nullptr if there is none.
CommHandlers::Handler* due(MuDevice& mu, CommHandlers& handlers, unsigned core) {
  for (unsigned number = 0; number < CommHandlers::kInterrupts; ++number) {
    CommHandlers::Handler& each = handlers.handlers[number];
    if (!each.enabled) continue;
    bool up = false;
    if (number < CommHandlers::kOfSubgroups) {
      up = (mu.interrupts(core) >> number & 1) != 0;
    } else {
      for (unsigned group = 0; group < kMuGroups && !up; ++group) up = mu.aggregated(group) != 0;
    }
    if (up) return &each;
  }
  return nullptr;
}

/// Its function begins where the thread stands: on the frame of what has given up the processor, to whose caller it
/// returns if it does.
void enter(const Call& call, const CommHandlers::Handler& handler) {
  const Isa& isa = call.process.isa();
  Engine& engine = call.core.engine();
  MemoryView memory = call.process.memory()->view();
  const std::uint64_t stack = engine.read(isa.roles().stack_pointer), back = engine.read(power::kLr);
  std::array<std::uint8_t, 24> frame{};  // what a function that begins anew finds there
  std::copy_n(memory.host(stack), frame.size(), frame.begin());
  const auto& arguments = handler.arguments;
  const std::uint64_t entry = isa.enter_function(engine, memory, handler.function, stack,
                                                 {arguments[0], arguments[1], arguments[2], arguments[3]});
  std::copy(frame.begin(), frame.end(), memory.host(stack));
  engine.write(power::kLr, back);
  engine.write(isa.roles().pc, entry);
}

}  // namespace

/// What the caller did is not gone on with.
CallResult bgq_calls::comm_poof(const Call& call) {
  Process& process = call.process;
  MuDevice& mu = bgq_node_kernel(process).unit();
  CommHandlers& handlers = handlers_of(call);
  const unsigned core = call.core.number() / BgqNodeKernel::kThreadsOfACore;
  if (!is_stack(process, call.core.engine().read(process.isa().roles().stack_pointer))) return EFAULT;
  handlers.enable(true);
  CommHandlers::Handler* handler = nullptr;
  const bool goes_on = call.core.wait_for(mu.interrupt_source().changed(),
                                          [&] { return (handler = due(mu, handlers, core)) != nullptr; });
  if (!goes_on || handler == nullptr) return 0;  // the process has ended
  // What was a function when the handler was installed may have been written over since.
  if (!is_function(process, handler->function)) return EFAULT;
  handler->enabled = false;
  call.core.spend(process.config().cost_interrupt);
  enter(call, *handler);
  process.of(call.core).resumed = true;
  return 0;
}

CallResult bgq_calls::comm_install_handler(const Call& call) {
  if (call[0] >= CommHandlers::kInterrupts) return EINVAL;
  if (call[1] != 0 && !is_function(call.process, call[1])) return EFAULT;
  CommHandlers::Handler& handler = handlers_of(call).handlers[call[0]];
  handler = {call[1], {call[2], call[3], call[4], call[5]}, call[1] != 0};
  return 0;
}

CallResult bgq_calls::comm_enable_interrupts(const Call& call) {
  handlers_of(call).enable(true);
  return 0;
}

CallResult bgq_calls::comm_disable_interrupts(const Call& call) {
  handlers_of(call).enable(false);
  return 0;
}

}  // namespace toroid
