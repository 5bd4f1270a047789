// SPDX-License-Identifier: Apache-2.0
//
// System calls about the machine: hw/kernel/kernel_abi.h.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"

namespace toroid {

Process::Result Process::do_get_personality(const Arguments& arguments) {
  const ProcessPlace& place = machine_->ranks[rank_];
  toroid_personality personality{};
  const auto put = [](std::uint32_t& field, std::uint32_t value) {
    store_be32(reinterpret_cast<std::uint8_t*>(&field), value);
  };
  put(personality.version, TOROID_PERSONALITY_VERSION);
  put(personality.size, sizeof personality);
  put(personality.dimensions, machine_->dimensions);
  for (unsigned d = 0; d < TOROID_MAX_DIMENSIONS; ++d) {
    put(personality.shape[d], machine_->shape[d]);
    put(personality.torus[d], machine_->torus[d] ? 1 : 0);
    put(personality.coordinates[d], place.coordinates[d]);
  }
  put(personality.t, place.t);
  put(personality.rank, rank_);
  put(personality.ranks, static_cast<std::uint32_t>(machine_->ranks.size()));
  put(personality.processes_per_node, machine_->processes_per_node);
  put(personality.core_mhz, caller_->config().clock_mhz);
  put(personality.memory_mib, caller_->memory().size() >> 20);
  put(personality.cores_per_process, second_ == nullptr ? 1 : 2);
  put(personality.processing_set, place.processing_set);

  const std::uint32_t size = std::min<std::uint32_t>(arguments[1], sizeof personality);
  std::uint8_t* to = space_->writable(arguments[0], size);
  if (to == nullptr && size != 0) return -EFAULT;
  if (size != 0) std::memcpy(to, &personality, size);
  return size;
}

Process::Result Process::do_get_map(const Arguments& arguments) {
  const auto ranks = static_cast<std::uint32_t>(machine_->ranks.size());
  const std::uint32_t first = arguments[1];
  if (first > ranks) return -EINVAL;
  const std::uint32_t count = std::min(arguments[2], ranks - first);
  if (count == 0) return 0;
  std::uint8_t* to = space_->writable(arguments[0], count * TOROID_MAP_WORDS * 4);
  if (to == nullptr) return -EFAULT;
  for (std::uint32_t rank = first; rank < first + count; ++rank, to += TOROID_MAP_WORDS * 4) {
    const ProcessPlace& place = machine_->ranks[rank];
    std::memset(to, 0, TOROID_MAP_WORDS * 4);
    std::copy(place.coordinates.begin(), place.coordinates.end(), to);
    to[7] = place.t;
  }
  return count;
}

/// Any word is a possible value, so the result does not go through the errno range.
Process::Result Process::do_dcr_read(const Arguments& arguments) {
  const auto value = dcr_ == nullptr ? std::nullopt : dcr_->read_dcr(arguments[0]);
  return value ? Result{*value} : -EINVAL;
}

Process::Result Process::do_dcr_write(const Arguments& arguments) {
  return dcr_ != nullptr && dcr_->write_dcr(arguments[0], arguments[1]) ? 0 : -EINVAL;
}

}  // namespace toroid
