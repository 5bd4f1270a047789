// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_message.h"

namespace toroid {

void MuMessage::decode() {
  descriptor = bgq_descriptor_decode(bytes.data());
  network = bgq_network_decode(header());
  if (descriptor.prefetch_only != 0) {
    kind = Kind::prefetch;
  } else if (network.mu_type == BGQ_MU_PUT) {
    kind = Kind::put;
  } else if (network.mu_type == BGQ_MU_GET) {
    kind = Kind::remote_get;
  } else {
    kind = Kind::memory_fifo;
  }
}

std::string MuMessage::text() const {
  static constexpr const char* kKinds[] = {"memory FIFO message", "put", "remote get", "prefetch"};
  std::string text =
      std::string("a ") + kKinds[static_cast<unsigned>(kind)] + " of " + std::to_string(length()) + " bytes";
  if (kind == Kind::prefetch) return text;
  if (network.type == BGQ_TYPE_COLLECTIVE) return text + " on class route " + std::to_string(network.class_route);
  text += " to (";
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) text += (d == 0 ? "" : ",") + std::to_string(network.destination[d]);
  return text + ")";
}

MuMessage& MuMessagePool::allocate() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<MuMessage>());
    return *all_.back();
  }
  MuMessage& message = *free_.back();
  free_.pop_back();
  message = MuMessage{};
  return message;
}

}  // namespace toroid
