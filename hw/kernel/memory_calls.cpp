// SPDX-License-Identifier: Apache-2.0
//
// System calls about memory.
#include <cerrno>

#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint32_t kProtRead = 1, kProtWrite = 2, kProtExecute = 4;
constexpr std::uint32_t kMapFixed = 0x10, kMapAnonymous = 0x20, kMapFixedNoReplace = 0x10'0000;

unsigned permissions_of(std::uint32_t protection) {
  return ((protection & kProtRead) ? kReadable : 0u) | ((protection & kProtWrite) ? kReadable | kWritable : 0u) |
         ((protection & kProtExecute) ? kReadable | kExecutable : 0u);
}

}  // namespace

Process::Result Process::do_brk(const Arguments& arguments) {
  return space_->set_break(arguments[0]);
}

/// mmap and mmap2: anonymous memory only; glibc reads files where it cannot map them.
Process::Result Process::do_mmap(const Arguments& arguments) {
  const std::uint32_t size = arguments[1];
  const std::uint32_t protection = arguments[2];
  const std::uint32_t flags = arguments[3];
  if (size == 0) return -EINVAL;
  if ((flags & kMapAnonymous) == 0) return -ENODEV;
  if ((flags & (kMapFixed | kMapFixedNoReplace)) != 0) return -ENOMEM;
  if ((protection & kProtExecute) != 0) return -EACCES;
  const auto address = space_->map_anonymous(size, permissions_of(protection));
  return address ? Result{*address} : -ENOMEM;
}

Process::Result Process::do_munmap(const Arguments& arguments) {
  return -space_->unmap(arguments[0], arguments[1]);
}

Process::Result Process::do_mprotect(const Arguments& arguments) {
  const std::uint32_t protection = arguments[2];
  if (arguments[0] % kPageSize != 0) return -EINVAL;
  if ((protection & kProtExecute) != 0) {
    const bool code = space_->is_executable(arguments[0], arguments[1]);
    if (!code || (protection & kProtWrite) != 0) return -EACCES;
  } else if ((protection & kProtWrite) != 0 && space_->is_executable(arguments[0], 1)) {
    return -EACCES;
  }
  return -space_->protect(arguments[0], arguments[1], permissions_of(protection));
}

Process::Result Process::do_watch_memory(const Arguments& arguments) {
  return watch(arguments[0], arguments[1]);
}

Process::Result Process::watch(std::uint32_t address, std::uint32_t size) {
  WatchedMemory* const memory = caller_->watched_memory();
  if (memory == nullptr) return -ENOSYS;
  if (space_->is_watched(address, size)) {
    // Structures may share a page.
    if (address % kPageSize != 0 || size % kPageSize != 0) return -EINVAL;
    if (size == kPageSize) return 0;
    for (std::uint32_t done = 0; done != size; done += kPageSize) {
      if (const Result error = watch(address + done, kPageSize)) return error;
    }
    return 0;
  }
  if (size / kPageSize > WatchedMemory::kMostPages - memory->pages()) return -ENOMEM;
  if (const int error = space_->watch(address, size)) return -error;
  for (std::uint32_t page = address; page != address + size; page += kPageSize) {
    const std::uint32_t physical = space_->view().physical(page);
    const WatchedDevice& device = *memory->watch(physical, page);
    for (Core* core : {first_, second_}) {
      if (core != nullptr) core->add_watched_page(page, physical, device);
    }
  }
  return 0;
}

}  // namespace toroid
