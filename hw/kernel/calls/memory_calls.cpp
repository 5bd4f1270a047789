// SPDX-License-Identifier: Apache-2.0
//
// System calls about memory.
#include <cerrno>
#include <optional>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/file_mapping.h"
#include "hw/kernel/calls/shared_memory_calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint32_t kProtRead = 1, kProtWrite = 2, kProtExecute = 4;
constexpr std::uint32_t kProtSemaphore = 8, kProtStrongOrder = 0x10, kProtGrows = 0x0300'0000;  // allowed, no meaning
constexpr std::uint32_t kMapShared = 1, kMapType = 0xF, kMapValidated = 3, kMapFixed = 0x10, kMapAnonymous = 0x20,
                        kMapFixedNoReplace = 0x10'0000;

unsigned permissions_of(std::uint32_t protection) {
  return ((protection & kProtRead) ? kReadable : 0u) | ((protection & kProtWrite) ? kReadable | kWritable : 0u) |
         ((protection & kProtExecute) ? kReadable | kExecutable : 0u);
}

/// Memory of the process's own, zeroed: its address, or a negative errno.
CallResult map_memory(const Call& call, std::uint64_t size, unsigned permissions, std::uint32_t flags) {
  AddressSpace& space = *call.process.memory();
  if ((flags & (kMapFixed | kMapFixedNoReplace)) != 0) {
    const int error = space.map_fixed(call[0], size, permissions, (flags & kMapFixedNoReplace) == 0);
    return error == 0 ? static_cast<CallResult>(call[0]) : -error;
  }
  const auto address = space.map_anonymous(size, permissions);
  return address ? static_cast<CallResult>(*address) : -ENOMEM;
}

CallResult map_file(const Call& call, std::int32_t descriptor, std::uint64_t size, std::uint64_t offset,
                    unsigned permissions) {
  const CallResult mapped = map_memory(call, size, kReadable | kWritable, call.word(3));
  if (mapped < 0) return mapped;
  const auto address = static_cast<std::uint64_t>(mapped);
  const std::uint64_t whole = (size + kPageSize - 1) & ~(kPageSize - 1);
  AddressSpace& space = *call.process.memory();
  CallResult error = read_mapping(call, descriptor, address, size, offset);
  if (error == 0 && permissions != (kReadable | kWritable)) error = -space.protect(address, whole, permissions);
  if (error != 0) {
    space.unmap(address, whole);
    return error;
  }
  space.add_copy(address, whole);
  return mapped;
}

}  // namespace

CallResult calls::brk(const Call& call) {
  return static_cast<CallResult>(call.process.memory()->set_break(call[0]));
}

/// Anonymous memory, copies of files, and objects of the node's shared memory.
CallResult calls::map_at(const Call& call, std::uint64_t offset) {
  const std::uint64_t size = call[1];
  const std::uint32_t protection = call.word(2);
  const std::uint32_t flags = call.word(3);
  const unsigned permissions = permissions_of(protection);
  if (size == 0 || (flags & kMapType) == 0 || (flags & kMapType) > kMapValidated) return -EINVAL;
  if ((flags & kMapAnonymous) != 0) {
    return (protection & kProtExecute) != 0 ? -EACCES : map_memory(call, size, permissions, flags);
  }
  const std::int32_t descriptor = call.integer(4);
  const bool is_shared = (flags & kMapShared) != 0;
  const std::optional<std::uint32_t> object = is_shared ? call.process.files().shared(descriptor) : std::nullopt;
  if (!object) {
    const bool written = is_shared && (protection & kProtWrite) != 0;
    if (const CallResult error = refuse_mapping(call, descriptor, offset, written)) return error;
  }
  if ((protection & kProtExecute) != 0) return -EACCES;
  // Shared memory has its address, whatever a program asks for.
  if (object) return map_shared(call, *object, size, offset, permissions);
  return map_file(call, descriptor, size, offset, permissions);
}

CallResult calls::mmap(const Call& call) {
  return map_at(call, call[5]);
}

CallResult calls::munmap(const Call& call) {
  return -call.process.memory()->unmap(call[0], call[1]);
}

/// Memory moves without being copied on the machine, so that it costs no more than the call.
CallResult calls::mremap(const Call& call) {
  constexpr std::uint32_t kMayMove = 1, kFixed = 2;
  const std::uint32_t flags = call.word(3);
  AddressSpace& space = *call.process.memory();
  std::uint64_t address = call[0];
  if ((flags & ~(kMayMove | kFixed)) != 0 || flags == kFixed) return -EINVAL;
  if ((flags & kFixed) != 0) {
    const std::uint64_t to = call[4];
    const int error = space.move(address, call[1], call[2], to);
    return error == 0 ? static_cast<CallResult>(to) : -error;
  }
  const int error = space.resize(address, call[1], call[2], flags == kMayMove);
  return error == 0 ? static_cast<CallResult>(address) : -error;
}

/// What a program does not need any more is zero afterwards. Other advice that Linux knows changes nothing here, but
/// for the removal of what a file has, which is refused.
CallResult calls::madvise(const Call& call) {
  constexpr std::uint32_t kDoNotNeed = 4, kFree = 8, kRemove = 9, kDoNotNeedLocked = 24, kLast = 25;
  const std::uint32_t advice = call.word(2);
  if (call[0] % kPageSize != 0 || (advice > kDoNotNeed && advice < kFree) || advice == kRemove || advice > kLast)
    return -EINVAL;
  return advice == kDoNotNeed || advice == kDoNotNeedLocked ? -call.process.memory()->clear(call[0], call[1]) : 0;
}

CallResult calls::mprotect(const Call& call) {
  AddressSpace& space = *call.process.memory();
  const std::uint32_t protection = call.word(2);
  const std::uint32_t known = kProtRead | kProtWrite | kProtExecute | kProtSemaphore | kProtStrongOrder | kProtGrows;
  if (call[0] % kPageSize != 0 || (protection & ~known) != 0) return -EINVAL;
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
    const WatchedDevice& device = *memory->watch(physical, page);
    for (const ProcessCore& each : call.process.cores()) each.core->add_watched_page(page, physical, device);
  }
  return 0;
}

CallResult calls::watch_memory(const Call& call) {
  return watch(call, call[0], call.word(1));
}

}  // namespace toroid
