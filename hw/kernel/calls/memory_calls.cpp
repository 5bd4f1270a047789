// SPDX-License-Identifier: Apache-2.0
//
// System calls about memory.
#include <cerrno>
#include <optional>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/shared_memory_calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint32_t kProtRead = 1, kProtWrite = 2, kProtExecute = 4;
constexpr std::uint32_t kMapShared = 1, kMapFixed = 0x10, kMapAnonymous = 0x20, kMapFixedNoReplace = 0x10'0000;

unsigned permissions_of(std::uint32_t protection) {
  return ((protection & kProtRead) ? kReadable : 0u) | ((protection & kProtWrite) ? kReadable | kWritable : 0u) |
         ((protection & kProtExecute) ? kReadable | kExecutable : 0u);
}

}  // namespace

CallResult calls::brk(const Call& call) {
  return static_cast<CallResult>(call.process.memory()->set_break(call[0]));
}

/// Anonymous memory, and objects of the node's shared memory; glibc reads files where it cannot map them.
CallResult calls::map_at(const Call& call, std::uint64_t offset) {
  const std::uint64_t size = call[1];
  const std::uint32_t protection = call.word(2);
  const std::uint32_t flags = call.word(3);
  if (size == 0) return -EINVAL;
  const std::optional<std::uint32_t> object =
      (flags & kMapAnonymous) == 0 ? call.process.files().shared(call.integer(4)) : std::nullopt;
  if ((flags & kMapAnonymous) == 0 && (!object || (flags & kMapShared) == 0)) return -ENODEV;
  if ((protection & kProtExecute) != 0) return -EACCES;
  // Shared memory has its address, whatever a program asks for.
  if (object) return map_shared(call, *object, size, offset, permissions_of(protection));
  if ((flags & (kMapFixed | kMapFixedNoReplace)) != 0) {
    const bool replace = (flags & kMapFixedNoReplace) == 0;
    const int error = call.process.memory()->map_fixed(call[0], size, permissions_of(protection), replace);
    return error == 0 ? static_cast<CallResult>(call[0]) : -error;
  }
  const auto address = call.process.memory()->map_anonymous(size, permissions_of(protection));
  return address ? static_cast<CallResult>(*address) : -ENOMEM;
}

CallResult calls::mmap(const Call& call) {
  return map_at(call, call[5]);
}

CallResult calls::munmap(const Call& call) {
  return -call.process.memory()->unmap(call[0], call[1]);
}

CallResult calls::mprotect(const Call& call) {
  AddressSpace& space = *call.process.memory();
  const std::uint32_t protection = call.word(2);
  if (call[0] % kPageSize != 0) return -EINVAL;
  if ((protection & kProtExecute) != 0) {
    if (!space.is_executable(call[0], call[1]) || (protection & kProtWrite) != 0) return -EACCES;
  } else if ((protection & kProtWrite) != 0 && space.is_executable(call[0], 1)) {
    return -EACCES;
  }
  return -space.protect(call[0], call[1], permissions_of(protection));
}

CallResult calls::watch(const Call& call, std::uint64_t address, std::uint64_t size) {
  AddressSpace& space = *call.process.memory();
  WatchedMemory* const memory = call.core.watched_memory();
  if (memory == nullptr) return -ENOSYS;
  if (space.is_watched(address, size)) {
    // Structures may share a page.
    if (address % kPageSize != 0 || size % kPageSize != 0) return -EINVAL;
    if (size == kPageSize) return 0;
    for (std::uint64_t done = 0; done != size; done += kPageSize) {
      if (const CallResult error = watch(call, address + done, kPageSize)) return error;
    }
    return 0;
  }
  if (size / kPageSize > WatchedMemory::kMostPages - memory->pages()) return -ENOMEM;
  if (const int error = space.watch(address, size)) return -error;
  for (std::uint64_t page = address; page != address + size; page += kPageSize) {
    const std::uint64_t physical = space.view().physical(page);
    const WatchedDevice& device =
        *memory->watch(static_cast<std::uint32_t>(physical), static_cast<std::uint32_t>(page));
    for (const ProcessCore& each : call.process.cores()) each.core->add_watched_page(page, physical, device);
  }
  return 0;
}

CallResult calls::watch_memory(const Call& call) {
  return watch(call, call[0], call.word(1));
}

}  // namespace toroid
