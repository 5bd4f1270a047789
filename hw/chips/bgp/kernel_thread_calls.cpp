// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about communication threads and interrupts.
#include <cerrno>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

constexpr CallResult kMinusOne = 0xFFFF'FFFF;
// The kernel's own line of those between cores.
constexpr unsigned kSignals = InterruptRouter::kLines - 1;

bool is_interrupt(std::uint32_t number) {
  return number < CommThreads::kInterrupts && number != kSignals;
}

}  // namespace

/// Does not return, but for -1 from another thread.
CallResult bgp_calls::poof(const Call& call) {
  return node_kernel(call.process).comm_threads().give_back(call.process, call.process.of(call.core)) ? 0 : kMinusOne;
}

/// (interrupt, opcode, counter, function, 4 arguments)
CallResult bgp_calls::set_comm_thread_config(const Call& call) {
  constexpr std::uint32_t kHighestRoute = 5;
  CommThreads::Config config;
  config.opcode = call.word(1);
  config.counter_address = call.word(2);
  config.function = call.word(3);
  for (unsigned i = 0; i < config.arguments.size(); ++i) config.arguments[i] = call.word(4 + i);
  if (!is_interrupt(call.word(0)) || (config.opcode & BGP_COMMTHREAD_ROUTE) > kHighestRoute) return -EINVAL;
  const bool calls = (config.opcode & BGP_COMMTHREAD_ROUTE) != 0 && (config.opcode & BGP_COMMTHREAD_CALLFUNC) != 0;
  if (calls && !is_function(call.process, config.function)) return -EINVAL;
  node_kernel(call.process).comm_threads().configure(call.process, call.word(0), config);
  return 0;
}

/// (interrupt, *opcode, *counter, *function, 4 x *argument)
CallResult bgp_calls::get_comm_thread_config(const Call& call) {
  if (!is_interrupt(call.word(0))) return -EINVAL;
  const CommThreads::Config& config = node_kernel(call.process).comm_threads().config(call.word(0));
  const std::uint32_t values[] = {config.opcode,       config.counter_address, config.function,    config.arguments[0],
                                  config.arguments[1], config.arguments[2],    config.arguments[3]};
  for (unsigned i = 0; i < std::size(values); ++i) {
    if (!GuestStructure::is_there(call.process, call[1 + i], 4)) return -EFAULT;
    GuestStructure(call.process, call[1 + i], 4).set_word(0, values[i]);
  }
  return 0;
}

CallResult bgp_calls::flush_interrupt_state(const Call& call) {
  node_kernel(call.process).comm_threads().flush();
  return 0;
}

/// (line, mask of cores)
CallResult bgp_calls::deliver_comm_signal(const Call& call) {
  constexpr std::uint32_t kCores = (1u << CommThreads::kCores) - 1;
  if (call.word(0) >= kSignals || (call.word(1) & ~kCores) != 0) return -EINVAL;
  node_kernel(call.process).comm_threads().signal(call.word(0), call.word(1));
  return 0;
}

}  // namespace toroid
