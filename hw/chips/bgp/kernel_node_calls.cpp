// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the node, the job and its ranks.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/chips/bgp/segments.h"
#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

/// Stores a word where an argument points. False if the process may not write there.
bool put_word(const Call& call, unsigned argument, std::uint32_t value) {
  std::uint8_t* const to = call.process.memory()->writable(call[argument], 4);
  if (to == nullptr) return false;
  store_be32(to, value);
  return true;
}

}  // namespace

/// Fewer bytes than the personality has are an error on the machine, and get nothing.
CallResult bgp_calls::get_personality(const Call& call) {
  const Personality personality = personality_of(call.process, node_kernel(call.process).facts());
  const std::uint64_t bytes = std::min<std::uint64_t>(call.word(1), personality.size());
  if (bytes == 0) return -EINVAL;
  std::uint8_t* const to = call.process.memory()->writable(call[0], bytes);
  if (to == nullptr) return -EFAULT;
  std::memcpy(to, personality.data(), bytes);
  return 0;
}

CallResult bgp_calls::get_processor_id(const Call& call) {
  return call.core.number();
}

CallResult bgp_calls::get_processor_version(const Call& call) {
  return call.core.config().processor_version;
}

CallResult bgp_calls::coord2rank(const Call& call) {
  const MachineFacts& machine = call.process.machine();
  const std::optional<std::uint32_t> rank =
      node_kernel(call.process).ranks().rank_at(machine, {call.word(0), call.word(1), call.word(2), call.word(3)});
  if (!rank) return -EINVAL;
  const bool stored = put_word(call, 4, *rank) && put_word(call, 5, static_cast<std::uint32_t>(machine.ranks.size()));
  return stored ? 0 : -EFAULT;
}

CallResult bgp_calls::rank2coord(const Call& call) {
  const MachineFacts& machine = call.process.machine();
  if (call.word(0) >= machine.ranks.size()) return -EINVAL;
  const RankIndex::Place place = RankIndex::place_of(machine, call.word(0));
  for (unsigned i = 0; i < place.size(); ++i) {
    if (!put_word(call, 1 + i, place[i])) return -EFAULT;
  }
  return 0;
}

CallResult bgp_calls::ranks2coords(const Call& call) {
  constexpr std::uint8_t kNoRank = 0xFF;
  const MachineFacts& machine = call.process.machine();
  const std::uint64_t count = call.word(1);
  if (count == 0) return 0;
  std::uint8_t* to = call.process.memory()->writable(call[0], count * BGP_SPI_COORDS_BYTES);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t ranks = std::min<std::uint64_t>(count, machine.ranks.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (const std::uint32_t each : RankIndex::place_of(machine, rank)) *to++ = static_cast<std::uint8_t>(each);
  }
  std::memset(to, kNoRank, (count - ranks) * BGP_SPI_COORDS_BYTES);
  return 0;
}

/// A run has one job.
CallResult bgp_calls::get_job_id(const Call&) {
  return 1;
}

CallResult bgp_calls::read_dcr(const Call& call) {
  const std::optional<std::uint32_t> value = call.process.dcr()->read_dcr(call.word(0));
  if (!value) return -EINVAL;
  return put_word(call, 1, *value) ? 0 : -EFAULT;
}

CallResult bgp_calls::write_dcr(const Call& call) {
  return call.process.dcr()->write_dcr(call.word(0), call.word(1)) ? 0 : -EINVAL;
}

/// All cores of a process see the same; a core of another process what that one sees.
CallResult bgp_calls::get_app_segment_mapping(const Call& call) {
  constexpr std::uint32_t kSegments = 4;
  Process* const process = node_kernel(call.process).process_of(call.word(1));
  if (call.word(0) >= kSegments || process == nullptr) return -EINVAL;
  const std::optional<Segment> segment = segment_of(*process, static_cast<SegmentKind>(call.word(0)));
  if (!segment) return -EINVAL;
  std::uint8_t* const pa = call.process.memory()->writable(call[3], 8);
  if (pa == nullptr || !put_word(call, 2, segment->va) || !put_word(call, 4, segment->bytes)) return -EFAULT;
  store_be64(pa, segment->pa);
  return 0;
}

CallResult bgp_calls::get_memory_size(const Call& call) {
  AddressSpace& memory = *call.process.memory();
  const std::uint64_t heap_end = memory.set_break(0);  // moves nothing
  const auto answer = [&call](std::uint64_t bytes) -> CallResult {
    return put_word(call, 1, static_cast<std::uint32_t>(bytes)) ? 0 : -EFAULT;
  };
  switch (call.word(0)) {
    case BGP_MEMSIZE_SHARED:
      return answer(call.process.config().shared_memory);
    case BGP_MEMSIZE_PERSIST:
      return answer(0);
    case BGP_MEMSIZE_HEAPAVAIL:
    case BGP_MEMSIZE_ESTHEAPAVAIL:
      return answer(memory.guard() - heap_end);
    case BGP_MEMSIZE_STACKAVAIL:
    case BGP_MEMSIZE_ESTSTACKAVAIL: {
      const std::uint64_t pointer = call.core.engine().read(call.process.isa().roles().stack_pointer);
      const bool inside = pointer >= memory.stack() && pointer < memory.stack_top();  // not so of further threads
      return inside ? answer(pointer - memory.stack()) : -EINVAL;
    }
    case BGP_MEMSIZE_STACK:
    case BGP_MEMSIZE_ESTSTACK:
      return answer(memory.stack_top() - memory.stack());
    case BGP_MEMSIZE_HEAP:
      return answer(heap_end - memory.heap());
    case BGP_MEMSIZE_GUARD:
      return answer(AddressSpace::kGuardSize);
    case BGP_MEMSIZE_HEAPMAX:
      return answer(memory.guard() - memory.heap());
    default:
      return -EINVAL;
  }
}

CallResult bgp_calls::active_process_count(const Call& call) {
  return call.process.machine().processes_per_node;
}

}  // namespace toroid
