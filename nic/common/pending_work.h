// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

namespace toroid {

/// What software has left in a device and has not come back to: a packet of which it has written a part, packets that
/// it does not read, a lock that it waits for. A run that cannot go on is often explained by it.
struct PendingWork {
  /// In the order in which a report names them.
  enum class Kind : std::uint8_t {
    unfinished,  ///< software has begun something and not completed it
    awaited,     ///< software waits for something in the device that does not come
    unread,      ///< something waits for software
    refused,     ///< software asked for something that the device does not do, and was told so
  };
  Kind kind = Kind::unfinished;
  std::string text;        ///< one clause, with the node, without a full stop
  sc_core::sc_time since;  ///< when software or the network last did something about it
};

/// A device that can tell what is pending in it.
class PendingWorkSource {
 public:
  /// As of SystemC's present time, with the network run up to it. `node` is how the text names the device's node.
  virtual std::vector<PendingWork> pending_work(const std::string& node) const = 0;

 protected:
  ~PendingWorkSource() = default;
};

/// "1 packet", "2 packets".
std::string counted(std::uint64_t number, const std::string& noun);
/// ", and 2 packets behind it"; empty for none.
std::string behind_text(std::uint64_t packets);
/// "device control register 0x28e".
std::string dcr_text(unsigned number);

}  // namespace toroid
