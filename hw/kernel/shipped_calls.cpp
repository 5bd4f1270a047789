// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/shipped_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hw/core/core.h"

namespace toroid {

CallResult ShippedCalls::ship(const Call& call, IoRequest request, std::uint8_t* to, std::uint64_t room) {
  Core& core = call.core;
  request.rank = rank_;
  awaited_[&core] = call.name;
  const sc_core::sc_time begin = core.time();
  const std::optional<IoReply> reply = port_.call(core, request, traffic_);
  if (!reply) return -EINTR;  // not visible to the program: the core stops
  awaited_.erase(&core);
  if (CoreObserver* const observer = core.observer()) {
    observer->on_shipped_call(core, static_cast<unsigned>(request.operation), request.descriptor, request.data.size(),
                              reply->result, begin);
  }
  if (to != nullptr && !reply->data.empty())
    std::memcpy(to, reply->data.data(), std::min<std::size_t>(room, reply->data.size()));
  return reply->result;
}

const char* ShippedCalls::awaited(const Core& core) const {
  const auto found = awaited_.find(&core);
  return found == awaited_.end() ? nullptr : found->second;
}

}  // namespace toroid
