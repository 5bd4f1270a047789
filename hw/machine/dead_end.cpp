// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/dead_end.h"

namespace toroid {

void DeadEnd::packet_received(Packet& packet, unsigned, Cycle at) {
  if (packets_++ == 0) first_source_ = packet.source;
  last_ = at;
}

std::vector<PendingWork> DeadEnd::pending_work(const std::string& node) const {
  if (packets_ == 0) return {};
  return {{PendingWork::Kind::unread,
           node + ", on which no process runs, has " + counted(packets_, "packet") +
               " that no process will read, the first from " +
               coordinates_text(topology_.coordinates(first_source_), topology_.dimensions()),
           clock_.time_of(last_)}};
}

}  // namespace toroid
