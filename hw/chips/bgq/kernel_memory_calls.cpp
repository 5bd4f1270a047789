// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about memory and its physical addresses.
#include <cerrno>
#include <optional>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/chips/bgq/segments.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {

/// Only where the region begins is looked at, as on the machine.
CallResult bgq_calls::get_memory_region(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGQ_REGION_BYTES)) return EFAULT;
  const std::optional<Segment> segment = segment_at(call.process, call[1]);
  if (!segment) return EINVAL;
  GuestStructure region(call.process, call[0], BGQ_REGION_BYTES);
  region.set_wide(BGQ_REGION_BYTES_AT, segment->bytes);
  region.set_wide(BGQ_REGION_BASE_VA_AT, segment->va);
  region.set_wide(BGQ_REGION_BASE_PA_AT, segment->pa);
  return 0;
}

CallResult bgq_calls::get_memory_size(const Call& call) {
  AddressSpace& memory = *call.process.memory();
  const std::uint64_t heap_end = memory.set_break(0);  // moves nothing
  const auto answer = [&call](std::uint64_t bytes) -> CallResult {
    if (!GuestStructure::is_there(call.process, call[1], 8)) return EFAULT;
    GuestStructure(call.process, call[1], 8).set_wide(0, bytes);
    return 0;
  };
  switch (call.word(0)) {
    case BGQ_MEMSIZE_SHARED:
      return answer(call.process.config().shared_memory);
    case BGQ_MEMSIZE_PERSIST:
      return answer(0);
    case BGQ_MEMSIZE_HEAPAVAIL:
    case BGQ_MEMSIZE_ESTHEAPAVAIL:
    case BGQ_MEMSIZE_MMAP:
      return answer(memory.guard() - heap_end);
    case BGQ_MEMSIZE_STACKAVAIL:
    case BGQ_MEMSIZE_ESTSTACKAVAIL: {
      const std::uint64_t pointer = call.core.engine().read(call.process.isa().roles().stack_pointer);
      const bool inside = pointer >= memory.stack() && pointer < memory.stack_top();  // not so of further threads
      return inside ? answer(pointer - memory.stack()) : EINVAL;
    }
    case BGQ_MEMSIZE_STACK:
    case BGQ_MEMSIZE_ESTSTACK:
      return answer(memory.stack_top() - memory.stack());
    case BGQ_MEMSIZE_HEAP:
      return answer(heap_end - memory.heap());
    case BGQ_MEMSIZE_GUARD:
      return answer(AddressSpace::kGuardSize);
    case BGQ_MEMSIZE_HEAPMAX:
      return answer(memory.guard() - memory.heap());
    default:
      return EINVAL;
  }
}

CallResult bgq_calls::allocate_l2_atomic(const Call& call) {
  return bgq_node_kernel(call.process).alias(call.process, call[0], call[1]);
}

}  // namespace toroid
