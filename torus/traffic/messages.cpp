// SPDX-License-Identifier: Apache-2.0
#include "torus/traffic/messages.h"

#include <limits>
#include <stdexcept>

#include "torus/torus/network.h"
#include "torus/traffic/families.h"

namespace toroid {

MessagePackets message_packets(const MessageTraffic& config, const RouterFamily& family) {
  const auto require = [](bool good, const std::string& what) {
    if (!good) throw std::invalid_argument("messages: " + what);
  };
  const std::uint64_t largest = std::uint64_t{family.chunk_bytes} * family.max_chunks;
  require(config.header_bytes < largest, "a packet of up to " + std::to_string(largest) +
                                             " bytes has no room for payload beside a header of " +
                                             std::to_string(config.header_bytes));
  require(config.bytes > 0 && config.count > 0, "a source must have a message of at least a byte");
  const std::uint64_t payload = largest - config.header_bytes;
  const std::uint64_t packets = (config.bytes - 1) / payload + 1;
  require(packets <= std::numeric_limits<std::uint32_t>::max() / config.count,
          std::to_string(config.count) + " messages of " + std::to_string(config.bytes) +
              " bytes are more than 2^32 packets of a source");
  const std::uint64_t filled = packets > 1 ? largest : config.bytes + config.header_bytes;
  const auto chunks = static_cast<unsigned>((filled + family.chunk_bytes - 1) / family.chunk_bytes);
  return {chunks, static_cast<std::uint32_t>(packets)};
}

void check_messages(const MessageTraffic& config) {
  message_packets(config, router_family(config));
  check_network(config);
}

MessageResult run_messages(const MessageTraffic& config) {
  check_messages(config);
  return traffic_family(config.torus.router, config.shape.dimensions).run_messages(config);
}

}  // namespace toroid
