// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/personality.h"

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {

Personality personality_of(Process& process) {
  Personality to{};
  const MachineFacts& machine = process.machine();
  const ProcessPlace& place = process.place();
  const Core& core = *process.cores().front().core;
  to[BGQ_PERSONALITY_VERSION_AT] = BGQ_PERSONALITY_VERSION;
  to[BGQ_PERSONALITY_SIZE_WORDS_AT] = BGQ_PERSONALITY_BYTES / 4;
  store_be32(&to[BGQ_PERSONALITY_FREQ_MHZ_AT], core.config().clock_mhz);
  store_be32(&to[BGQ_PERSONALITY_DDR_SIZE_MB_AT],
             static_cast<std::uint32_t>(process.cores().front().core->memory().size() >> 20));
  std::uint64_t flags = 0, links = 0;
  for (unsigned d = 0; d < machine.dimensions; ++d) {
    to[BGQ_PERSONALITY_NODES_AT + d] = static_cast<std::uint8_t>(machine.shape[d]);
    to[BGQ_PERSONALITY_COORDS_AT + d] = place.coordinates[d];
    if (machine.torus[d]) flags |= BGQ_NET_TORUS(d);
    const bool last = place.coordinates[d] + 1u == machine.shape[d];
    if (machine.shape[d] > 1 && (machine.torus[d] || place.coordinates[d] != 0)) links |= BGQ_NET2_LINK(2 * d);
    if (machine.shape[d] > 1 && (machine.torus[d] || !last)) links |= BGQ_NET2_LINK(2 * d + 1);
  }
  store_be64(&to[BGQ_PERSONALITY_NET_FLAGS_AT], flags);
  store_be64(&to[BGQ_PERSONALITY_NET_FLAGS2_AT], links);
  return to;
}

}  // namespace toroid
