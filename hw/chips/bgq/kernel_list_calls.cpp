// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the lists of the L1 prefetcher, whose places programs cannot write themselves. No list is recorded
// or read, so a current address moves only when software moves it.
#include <cerrno>
#include <optional>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/chips/bgq/segments.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint64_t kLine = 64, kLeast = 128;  // bytes

std::optional<L1pUnit::Lists>& lists_of(const Call& call) {
  return bgq_node_kernel(call.process).l1p().lists(call.core.number());
}

/// By the process's addresses.
bool is_there(const Call& call, std::uint64_t va, std::uint64_t bytes) {
  return segment_at(call.process, va).has_value() && GuestStructure::is_there(call.process, va, bytes);
}

}  // namespace

CallResult bgq_calls::set_list_addresses(const Call& call) {
  const std::uint64_t read = call[0], write = call[1], bytes = call[2];
  if (read == 0 && write == 0) {
    lists_of(call).reset();
    return 0;
  }
  if (bytes < kLeast) return EINVAL;
  if (!is_there(call, read, bytes) || !is_there(call, write, bytes)) return EFAULT;
  lists_of(call) = {(read + kLine - 1) & ~(kLine - 1), (write + kLine - 1) & ~(kLine - 1)};
  return 0;
}

CallResult bgq_calls::get_current_list_addresses(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], 8) || !GuestStructure::is_there(call.process, call[1], 8))
    return EFAULT;
  const std::optional<L1pUnit::Lists>& lists = lists_of(call);
  if (!lists) return EINVAL;
  GuestStructure(call.process, call[0], 8).set_wide(0, lists->read);
  GuestStructure(call.process, call[1], 8).set_wide(0, lists->write);
  return 0;
}

CallResult bgq_calls::set_current_list_addresses(const Call& call) {
  if (!is_there(call, call[0], 1) || !is_there(call, call[1], 1)) return EFAULT;
  lists_of(call) = {call[0], call[1]};
  return 0;
}

}  // namespace toroid
