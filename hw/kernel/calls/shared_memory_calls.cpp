// SPDX-License-Identifier: Apache-2.0
//
// What system calls do with objects of the memory that a node's processes share (shm_open() and the like).
#include "hw/kernel/calls/shared_memory_calls.h"

#include <cerrno>

#include "hw/kernel/process.h"
#include "hw/kernel/shared_memory.h"

namespace toroid {

SharedMemory* shared_memory_of(Process& process) {
  if (process.config().shared_memory == 0 || process.node() == nullptr) return nullptr;
  return process.node()->shared_memory();
}

std::optional<CallResult> open_shared(const Call& call, const std::string& path, std::uint32_t flags) {
  SharedMemory* const shared = shared_memory_of(call.process);
  if (shared == nullptr || !SharedMemory::is_path(path)) return std::nullopt;
  const CallResult object = shared->open(path, flags);
  return object < 0 ? object : call.process.files().opened_shared(static_cast<std::uint32_t>(object));
}

CallResult control_shared(const Call& call, std::uint32_t request) {
  return shared_memory_of(call.process)->control(request);
}

std::optional<CallResult> unlink_shared(const Call& call, const std::string& path) {
  SharedMemory* const shared = shared_memory_of(call.process);
  if (shared == nullptr || !SharedMemory::is_path(path)) return std::nullopt;
  return shared->unlink(path);
}

CallResult resize_shared(const Call& call, std::uint32_t object, std::int64_t size) {
  if (size < 0) return -EINVAL;
  return shared_memory_of(call.process)
      ->resize(object, static_cast<std::uint64_t>(size), call.process.config().shared_memory);
}

std::uint64_t size_of_shared(const Call& call, std::uint32_t object) {
  return shared_memory_of(call.process)->size(object);
}

CallResult map_shared(const Call& call, std::uint32_t object, std::uint64_t size, std::uint64_t offset,
                      unsigned permissions) {
  Process& process = call.process;
  const SharedMemory& shared = *shared_memory_of(process);
  const std::uint64_t whole = (shared.size(object) + kPageSize - 1) & ~(kPageSize - 1);
  if (offset % kPageSize != 0 || offset > whole || size > whole - offset) return -EINVAL;
  const std::uint64_t address = process.shared_base() + shared.offset(object) + offset;
  AddressSpace& space = *process.memory();
  // An object has one place: mapped once more, it is where it was.
  if (!space.map(address, size, permissions) && space.protect(address, size, permissions) != 0) return -ENOMEM;
  process.map_node_memory();
  return static_cast<CallResult>(address);
}

}  // namespace toroid
