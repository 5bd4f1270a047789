// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "hw/kernel/system_call.h"

namespace toroid {

/// What a process's descriptors stand for. The files themselves are the I/O node's.
class FileTable {
 public:
  /// Standard input (the job's for rank 0, at its end for others), output or error; or a file.
  enum class Stream : std::uint8_t { input, output, error, file };

  bool is_open(std::int32_t descriptor) const { return open_.count(descriptor) != 0; }
  bool is_file(std::int32_t descriptor) const { return is_open(descriptor) && stream(descriptor) == Stream::file; }
  bool is_standard(std::int32_t descriptor) const { return is_open(descriptor) && !is_file(descriptor); }
  /// Of an open descriptor.
  Stream stream(std::int32_t descriptor) const { return open_.at(descriptor); }

  /// Keeps a new descriptor, unless it is an error.
  CallResult opened(CallResult descriptor, Stream stream) {
    if (descriptor >= 0) open_[static_cast<std::int32_t>(descriptor)] = stream;
    return descriptor;
  }
  void closed(std::int32_t descriptor) { open_.erase(descriptor); }

 private:
  std::map<std::int32_t, Stream> open_{{0, Stream::input}, {1, Stream::output}, {2, Stream::error}};
};

}  // namespace toroid
