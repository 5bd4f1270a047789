// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about routes of classes: of collectives and of global interrupts.
#include <cerrno>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {
namespace {

using Of = ClassRoutes::Of;

ClassRoutes& routes_of(const Call& call) {
  return bgq_node_kernel(call.process).routes();
}

CallResult query(const Call& call, Of of) {
  constexpr std::uint64_t kMostBytes = kClassRoutes * 4;
  const std::uint64_t bytes = call[2] < kMostBytes ? call[2] : kMostBytes;
  if (!GuestStructure::is_there(call.process, call[0], 4)) return EFAULT;
  if (bytes != 0 && !GuestStructure::is_there(call.process, call[1], bytes)) return EFAULT;
  std::uint32_t count = 0;
  for (unsigned number = 0; number < kClassRoutes && (count + 1) * 4 <= bytes; ++number) {
    if (!routes_of(call).is_free(of, number)) continue;
    GuestStructure(call.process, call[1], bytes).set_word(4 * count++, number);
  }
  GuestStructure(call.process, call[0], 4).set_word(0, count);
  return 0;
}

CallResult allocate(const Call& call, Of of) {
  if (call.word(0) >= kClassRoutes) return EINVAL;
  if (!routes_of(call).is_free(of, call.word(0))) return EAGAIN;
  routes_of(call).take(of, call.word(0));
  return 0;
}

CallResult set(const Call& call, Of of) {
  if (call.word(0) >= kClassRoutes) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], BGQ_CLASS_ROUTE_BYTES)) return EFAULT;
  const GuestStructure route(call.process, call[1], BGQ_CLASS_ROUTE_BYTES);
  return routes_of(call).set(of, call.word(0), route.half(BGQ_CLASS_ROUTE_INPUT_AT),
                             route.half(BGQ_CLASS_ROUTE_OUTPUT_AT));
}

CallResult release(const Call& call, Of of) {
  if (call.word(0) >= kClassRoutes) return EINVAL;
  routes_of(call).release(of, call.word(0));
  return 0;
}

}  // namespace

CallResult bgq_calls::query_collective_routes(const Call& call) {
  return query(call, Of::collectives);
}

CallResult bgq_calls::allocate_collective_route(const Call& call) {
  return allocate(call, Of::collectives);
}

CallResult bgq_calls::set_collective_route(const Call& call) {
  return set(call, Of::collectives);
}

CallResult bgq_calls::deallocate_collective_route(const Call& call) {
  return release(call, Of::collectives);
}

CallResult bgq_calls::query_interrupt_routes(const Call& call) {
  return query(call, Of::interrupts);
}

CallResult bgq_calls::allocate_interrupt_route(const Call& call) {
  if (call[1] != 0) {
    if (!GuestStructure::is_there(call.process, call[1], 4)) return EFAULT;
    if ((GuestStructure(call.process, call[1], 4).word(0) & BGQ_ATTRIBUTE_REC_SYSTEM) != 0) return EACCES;
  }
  return allocate(call, Of::interrupts);
}

CallResult bgq_calls::set_interrupt_route(const Call& call) {
  return set(call, Of::interrupts);
}

CallResult bgq_calls::deallocate_interrupt_route(const Call& call) {
  return release(call, Of::interrupts);
}

CallResult bgq_calls::configure_barrier_interrupts(const Call& call) {
  constexpr unsigned kBits = InterruptClasses::kBits;
  if (call.word(0) >= kClassRoutes || call.word(1) >= kBits) return EINVAL;
  bgq_node_kernel(call.process).mu().set_barrier_interrupt(call.word(0), call.word(1), call.word(2) != 0);
  return 0;
}

}  // namespace toroid
