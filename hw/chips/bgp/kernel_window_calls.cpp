// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about windows of a process to memory of the node's other processes.
#include <cerrno>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

/// Tells address, physical address and size of a window where three arguments from `first` on point.
CallResult answer(const Call& call, unsigned first, const ProcessWindows::Window& window) {
  AddressSpace& memory = *call.process.memory();
  std::uint8_t* const address = memory.writable(call[first], 4);
  std::uint8_t* const physical = memory.writable(call[first + 1], 8);
  std::uint8_t* const size = memory.writable(call[first + 2], 4);
  if (address == nullptr || physical == nullptr || size == nullptr) return -EFAULT;
  store_be32(address, static_cast<std::uint32_t>(window.address));
  store_be64(physical, window.physical);
  store_be32(size, static_cast<std::uint32_t>(window.size));
  return 0;
}

}  // namespace

/// (slot, physical address in two words, bytes, protection, *address, *physical, *bytes). All can be read and written.
CallResult bgp_calls::set_process_window(const Call& call) {
  NodeKernel& kernel = node_kernel(call.process);
  ProcessWindows& windows = kernel.windows();
  const std::uint64_t physical = std::uint64_t{call.word(1)} << 32 | call.word(2);
  const int error = windows.open(call.process, call.word(0), physical, call.word(3));
  // From now on the node's processes run close to each other: one may write what another one polls.
  for (unsigned core = 0; error == 0 && core < CommThreads::kCores; ++core) {
    if (Process* const process = kernel.process_of(core)) process->share_node_memory();
  }
  return error != 0 ? -error : answer(call, 5, *windows.window(call.process, call.word(0)));
}

/// (slot, *address, *physical, *bytes)
CallResult bgp_calls::get_process_window(const Call& call) {
  const auto* const window = node_kernel(call.process).windows().window(call.process, call.word(0));
  return window == nullptr ? -EINVAL : answer(call, 1, *window);
}

/// (*first, *last)
CallResult bgp_calls::get_process_window_slots(const Call& call) {
  AddressSpace& memory = *call.process.memory();
  std::uint8_t* const first = memory.writable(call[0], 4);
  std::uint8_t* const last = memory.writable(call[1], 4);
  if (first == nullptr || last == nullptr) return -EFAULT;
  store_be32(first, 0);
  store_be32(last, ProcessWindows::kSlots - 1);
  return 0;
}

}  // namespace toroid
