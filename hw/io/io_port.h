// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hw/io/io_call.h"

namespace toroid {

class Core;

/// A kernel's way to the I/O node. One call at a time is under way; a second core that calls meanwhile waits its turn.
class IoPort {
 public:
  virtual ~IoPort() = default;
  /// Ships a call that `core` makes, and waits for the answer; adds what went over the network to `traffic`. nullopt:
  /// the core has stopped meanwhile, at its limit or by another core.
  virtual std::optional<IoReply> call(Core& core, const IoRequest& request, IoTraffic& traffic) = 0;
  /// Waits until no call of the node is under way, and lets none begin. False as above.
  virtual bool close(Core& core) = 0;
  /// The end of that, when the process that has closed it has stopped: the node's other processes go on.
  virtual void open() = 0;
};

}  // namespace toroid
