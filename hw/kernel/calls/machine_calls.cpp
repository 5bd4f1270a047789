// SPDX-License-Identifier: Apache-2.0
//
// System calls about the machine: hw/kernel/kernel_abi.h.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/process.h"

namespace toroid {

CallResult calls::get_personality(const Call& call) {
  Process& process = call.process;
  const MachineFacts& machine = process.machine();
  const ProcessPlace& place = process.place();
  toroid_personality personality{};
  const auto put = [order = process.words().order](std::uint32_t& field, std::uint32_t value) {
    store_u32(reinterpret_cast<std::uint8_t*>(&field), value, order);
  };
  put(personality.version, TOROID_PERSONALITY_VERSION);
  put(personality.size, sizeof personality);
  put(personality.dimensions, machine.dimensions);
  for (unsigned d = 0; d < TOROID_MAX_DIMENSIONS; ++d) {
    put(personality.shape[d], machine.shape[d]);
    put(personality.torus[d], machine.torus[d] ? 1 : 0);
    put(personality.coordinates[d], place.coordinates[d]);
  }
  put(personality.t, place.t);
  put(personality.rank, process.rank());
  put(personality.ranks, static_cast<std::uint32_t>(machine.ranks.size()));
  put(personality.processes_per_node, machine.processes_per_node);
  put(personality.core_mhz, call.core.config().clock_mhz);
  put(personality.memory_mib, static_cast<std::uint32_t>(call.core.memory().size() >> 20));
  put(personality.cores_per_process, static_cast<std::uint32_t>(process.cores().size()));
  put(personality.processing_set, place.processing_set);

  const std::uint64_t size = std::min<std::uint64_t>(call.word(1), sizeof personality);
  std::uint8_t* const to = process.memory()->writable(call[0], size);
  if (to == nullptr && size != 0) return -EFAULT;
  if (size != 0) std::memcpy(to, &personality, size);
  return static_cast<CallResult>(size);
}

CallResult calls::get_map(const Call& call) {
  const MachineFacts& machine = call.process.machine();
  const auto ranks = static_cast<std::uint32_t>(machine.ranks.size());
  const std::uint32_t first = call.word(1);
  if (first > ranks) return -EINVAL;
  const std::uint32_t count = std::min(call.word(2), ranks - first);
  if (count == 0) return 0;
  std::uint8_t* to = call.process.memory()->writable(call[0], std::uint64_t{count} * TOROID_MAP_WORDS * 4);
  if (to == nullptr) return -EFAULT;
  const ByteOrder order = call.process.words().order;
  for (std::uint32_t rank = first; rank < first + count; ++rank, to += TOROID_MAP_WORDS * 4) {
    const ProcessPlace& place = machine.ranks[rank];
    const auto& at = place.coordinates;
    static_assert(TOROID_MAX_DIMENSIONS == 5 && TOROID_MAP_WORDS == 2);
    store_u32(to, std::uint32_t{at[0]} << 24 | at[1] << 16 | at[2] << 8 | at[3], order);
    store_u32(to + 4, std::uint32_t{at[4]} << 24 | place.t, order);
  }
  return count;
}

/// Any word is a possible value, so the result does not go through the errno range.
CallResult calls::dcr_read(const Call& call) {
  DcrBus* const dcr = call.process.dcr();
  const auto value = dcr == nullptr ? std::nullopt : dcr->read_dcr(call.word(0));
  return value ? CallResult{*value} : -EINVAL;
}

CallResult calls::dcr_write(const Call& call) {
  DcrBus* const dcr = call.process.dcr();
  return dcr != nullptr && dcr->write_dcr(call.word(0), call.word(1)) ? 0 : -EINVAL;
}

}  // namespace toroid
