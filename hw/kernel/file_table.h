// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "hw/io/io_call.h"
#include "hw/kernel/system_call.h"

namespace toroid {

/// What a process's descriptors stand for. The files themselves are the I/O node's.
class FileTable {
 public:
  /// Standard input (the job's for rank 0, at its end for others), output or error; a file; or an object of the memory
  /// that the processes of the node share.
  enum class Stream : std::uint8_t { input, output, error, file, shared };

  bool is_open(std::int32_t descriptor) const { return open_.count(descriptor) != 0; }
  bool is_file(std::int32_t descriptor) const { return is_open(descriptor) && stream(descriptor) == Stream::file; }
  bool is_standard(std::int32_t descriptor) const {
    return is_open(descriptor) && stream(descriptor) != Stream::file && stream(descriptor) != Stream::shared;
  }
  /// The number of the object that the descriptor stands for; nullopt if it is none.
  std::optional<std::uint32_t> shared(std::int32_t descriptor) const {
    const auto found = shared_.find(descriptor);
    return found == shared_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Of an open descriptor.
  Stream stream(std::int32_t descriptor) const { return open_.at(descriptor); }

  /// Keeps a new descriptor, unless it is an error.
  CallResult opened(CallResult descriptor, Stream stream) {
    if (descriptor >= 0) open_[static_cast<std::int32_t>(descriptor)] = stream;
    return descriptor;
  }
  /// A new descriptor for a shared object; they are numbered beyond those of the I/O node.
  CallResult opened_shared(std::uint32_t object) {
    std::int32_t descriptor = kMostDescriptors;
    while (shared_.count(descriptor) != 0) ++descriptor;
    if (descriptor >= 2 * static_cast<std::int32_t>(kMostDescriptors)) return -EMFILE;
    shared_[descriptor] = object;
    open_[descriptor] = Stream::shared;
    return descriptor;
  }
  /// Permissions that new files and directories do not get.
  std::uint32_t withheld() const { return withheld_; }
  /// Sets them; returns those of before.
  std::uint32_t withhold(std::uint32_t permissions) { return std::exchange(withheld_, permissions & 0777); }
  /// Where relative paths begin: absolute, without a slash at its end; empty: the root.
  const std::string& directory() const { return directory_; }
  void change_directory(std::string directory) { directory_ = std::move(directory); }
  void closed(std::int32_t descriptor) {
    open_.erase(descriptor);
    shared_.erase(descriptor);
  }

 private:
  std::uint32_t withheld_ = 022;
  std::string directory_;
  std::map<std::int32_t, std::uint32_t> shared_;
  std::map<std::int32_t, Stream> open_{{0, Stream::input}, {1, Stream::output}, {2, Stream::error}};
};

}  // namespace toroid
