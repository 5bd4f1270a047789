// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/shared_memory.h"

#include <algorithm>
#include <cerrno>

#include "hw/kernel/address_space.h"

namespace toroid {
namespace {

constexpr std::uint32_t kCreate = 0100, kExclusive = 0200;  // O_CREAT, O_EXCL

}  // namespace

bool SharedMemory::is_path(const std::string& path) {
  for (const std::string folder : {"/dev/shm/", "/dev/persist/"}) {
    if (path.compare(0, folder.size(), folder) == 0) return path.size() > folder.size();
  }
  return false;
}

CallResult SharedMemory::open(const std::string& path, std::uint32_t flags) {
  if (!rules_.absent.empty() && path == rules_.absent) return -ENOENT;
  const auto found = by_path_.find(path);
  if (found != by_path_.end()) {
    if ((flags & kCreate) != 0 && (flags & kExclusive) != 0) return -EEXIST;
    return found->second;
  }
  if ((flags & kCreate) == 0) return -ENOENT;
  if (objects_.size() == kMostObjects) return -ENFILE;
  const auto number = static_cast<std::uint32_t>(objects_.size());
  objects_.emplace_back();
  by_path_.emplace(path, number);
  return number;
}

CallResult SharedMemory::control(std::uint32_t request) const {
  return request == rules_.empty_request ? 0 : -ENOTTY;
}

CallResult SharedMemory::unlink(const std::string& path) {
  return by_path_.erase(path) == 0 ? -ENOENT : 0;
}

CallResult SharedMemory::resize(std::uint32_t object, std::uint64_t bytes, std::uint64_t room) {
  Object& own = objects_[object];
  const std::uint64_t pages = (std::min(bytes, room + 1) + kPageSize - 1) & ~(kPageSize - 1);
  if (pages > own.reserved) {
    // One that others lie behind cannot grow: processes may have mapped it.
    const bool last = own.reserved != 0 && own.offset + own.reserved == used_;
    if (own.reserved != 0 && !last) return -ENOMEM;
    const std::uint64_t offset = last ? own.offset : used_;
    if (pages > room - offset) return -ENOMEM;
    own.offset = offset;
    own.reserved = pages;
    used_ = offset + pages;
  }
  own.size = bytes;
  return 0;
}

}  // namespace toroid
