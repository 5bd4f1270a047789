// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/kernel/system_call.h"

namespace toroid {

/// The memory that the processes of a node share: objects by name, as shm_open() makes them. They lie in a part of the
/// node's memory that no process has for itself, at the same addresses for all (KernelConfig::shared_memory).
///
/// An object gets its memory when it is first given a size, and keeps it to the end of the job. All of it is zero.
class SharedMemory {
 public:
  static constexpr std::size_t kMostObjects = 1024;

  /// What a machine's kernel has of its own.
  struct Rules {
    std::string absent;                          ///< a path at which nothing is, and can be made
    std::optional<std::uint32_t> empty_request;  ///< of ioctl(), which succeeds without effect
  };
  SharedMemory() = default;
  explicit SharedMemory(Rules rules) : rules_(std::move(rules)) {}

  /// Whether a path names such an object: in /dev/shm or /dev/persist.
  static bool is_path(const std::string& path);

  /// A new object, or one that there is: its number, or a negative errno. `flags` are Linux's of open().
  CallResult open(const std::string& path, std::uint32_t flags);
  /// ioctl() of an object.
  CallResult control(std::uint32_t request) const;
  /// Nobody finds it by its name any more.
  CallResult unlink(const std::string& path);
  /// Of an object, in bytes. `room`: of all of them.
  CallResult resize(std::uint32_t object, std::uint64_t bytes, std::uint64_t room);
  std::uint64_t size(std::uint32_t object) const { return objects_[object].size; }
  /// Where the object's memory begins in the shared part; it has a size.
  std::uint64_t offset(std::uint32_t object) const { return objects_[object].offset; }

 private:
  struct Object {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t reserved = 0;  ///< whole pages
  };

  const Rules rules_;
  std::vector<Object> objects_;
  std::map<std::string, std::uint32_t> by_path_;
  std::uint64_t used_ = 0;
};

}  // namespace toroid
