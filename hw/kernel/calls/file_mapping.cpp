// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/calls/file_mapping.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include "hw/kernel/process.h"

namespace toroid {

CallResult refuse_mapping(const Call& call, std::int32_t descriptor, std::uint64_t offset, bool shared_and_written) {
  const FileTable& files = call.process.files();
  if (!files.is_open(descriptor)) return -EBADF;
  if (!files.is_file(descriptor) || shared_and_written) return -ENODEV;
  const bool too_far = offset > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return too_far || offset % kPageSize != 0 ? -EINVAL : 0;
}

CallResult read_mapping(const Call& call, std::int32_t descriptor, std::uint64_t address, std::uint64_t size,
                        std::uint64_t offset) {
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t piece = std::min<std::uint64_t>(size - done, kIoPiece);
    std::uint8_t* const to = call.process.memory()->writable(address + done, piece);
    if (to == nullptr) return -ENOMEM;  // another thread has unmapped it meanwhile
    const CallResult got =
        call.process.shipped().ship(call,
                                    {IoOperation::read_at,
                                     call.process.rank(),
                                     descriptor,
                                     {static_cast<std::int64_t>(piece), static_cast<std::int64_t>(offset + done)},
                                     {}},
                                    to, piece);
    // What cannot be read cannot be mapped: a directory, or a file that is open for writing only.
    if (got < 0) return got == -EBADF ? -EACCES : got == -EISDIR ? -ENODEV : got;
    done += static_cast<std::uint64_t>(got);
    if (static_cast<std::uint64_t>(got) < piece) break;
  }
  return 0;
}

}  // namespace toroid
