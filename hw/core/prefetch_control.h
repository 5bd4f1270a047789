// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace toroid {

/// What software says about the streams of a core's prefetch buffer (stream_buffer.h).
struct PrefetchControl {
  bool begins = true;             ///< streams may begin
  bool goes_on = true;            ///< streams that have begun read ahead
  bool optimistic = false;        ///< a stream begins at its first line; otherwise at the second
  std::optional<unsigned> depth;  ///< lines ahead; without it, MemoryConfig::prefetch_depth
};

}  // namespace toroid
