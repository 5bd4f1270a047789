// SPDX-License-Identifier: Apache-2.0
//
// The kernel call that allocates counters of the lockbox.
#include <cerrno>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {

/// (first, count, *addresses, flags)
CallResult bgp_calls::allocate_lockbox(const Call& call) {
  const std::uint32_t first = call.word(0), count = call.word(1), flags = call.word(3);
  const unsigned cores = flags & BGP_LOCKBOX_CORES, master = (flags & BGP_LOCKBOX_MASTER_CORE) >> 4;
  constexpr unsigned kMostCores = 4;
  if (count == 0 || first >= LockboxResources::kCounters || count > LockboxResources::kCounters - first || cores == 0 ||
      cores > kMostCores || master >= kMostCores)
    return -EINVAL;
  if (!GuestStructure::is_there(call.process, call[2], 4 * std::uint64_t{count})) return -EFAULT;
  LockboxResources& lockbox = node_kernel(call.process).lockbox();
  const unsigned core = call.core.number();
  for (std::uint32_t number = first; number < first + count; ++number) {
    if (!lockbox.is_free(number, core, cores)) return -EAGAIN;
  }
  if ((flags & BGP_LOCKBOX_ORDERED_ALLOC) != 0 && core != master) {
    const auto has_come = [&] { return lockbox.is_allocated_by(first, master); };
    if (!call.core.wait_for(lockbox.allocated(), has_come)) return -EINTR;  // not visible: the core stops
    if (!lockbox.is_free(first, core, cores)) return -EAGAIN;
  }
  GuestStructure addresses(call.process, call[2], 4 * std::uint64_t{count});
  for (std::uint32_t i = 0; i < count; ++i) {
    lockbox.allocate(first + i, core, cores);
    addresses.set_word(4 * i, BGP_VA_LOCKBOX + CounterLockbox::offset_of(first + i));
  }
  return 0;
}

}  // namespace toroid
