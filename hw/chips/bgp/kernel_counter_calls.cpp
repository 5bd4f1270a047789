// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the DMA's counters, which are allocated by subgroups.
#include <bitset>
#include <cerrno>
#include <optional>
#include <vector>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgp/dma_regs.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

using Side = DmaResources::Side;
constexpr unsigned kCounters = DmaResources::kSubgroups * DmaResources::kSubgroupCounters;

std::optional<Side> side_of(std::uint32_t type) {
  if (type > 1) return std::nullopt;
  return type == 0 ? Side::injection : Side::reception;
}

/// A list of different subgroups, or an errno.
struct Subgroups {
  CallResult error = 0;
  std::vector<unsigned> numbers;
};

Subgroups read_subgroups(const Call& call, std::uint64_t address, std::uint32_t count) {
  if (count == 0 || count > DmaResources::kSubgroups) return {-EINVAL, {}};
  const std::uint8_t* const from = call.process.memory()->readable(address, std::uint64_t{count} * 4);
  if (from == nullptr) return {-EFAULT, {}};
  Subgroups found;
  std::bitset<DmaResources::kSubgroups> seen;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t subgroup = load_be32(from + 4 * i);
    if (subgroup >= DmaResources::kSubgroups || seen[subgroup]) return {-EINVAL, {}};
    seen[subgroup] = true;
    found.numbers.push_back(subgroup);
  }
  return found;
}

/// Permission bits of a structure: those of a subgroup's counters, and of the subgroup.
void permit(GuestStructure& group, unsigned number, unsigned subgroup, bool permit) {
  const unsigned first = subgroup * DmaResources::kSubgroupCounters;
  const auto change = [&group, permit](unsigned at, std::uint32_t bits) {
    group.set_word(at, permit ? group.word(at) | bits : group.word(at) & ~bits);
  };
  change(BGP_SPI_COUNTER_GROUP_PERMISSIONS + first / 32 * 4, 0xFF00'0000u >> first % 32);
  change(BGP_SPI_COUNTER_GROUP_GRP_PERMISSIONS, 0x8000'0000u >> (DmaResources::kSubgroups * number + subgroup));
}

}  // namespace

/// (type, group, *count, *subgroups)
CallResult bgp_calls::counter_query_free(const Call& call) {
  const std::optional<Side> side = side_of(call.word(0));
  const unsigned group = call.word(1);
  if (!side || group >= DmaResources::kGroups) return -EINVAL;
  const DmaResources& dma = node_kernel(call.process).dma();
  std::vector<unsigned> free;
  for (unsigned subgroup = 0; subgroup < DmaResources::kSubgroups; ++subgroup) {
    if (dma.subgroup_is_free(*side, group, subgroup)) free.push_back(subgroup);
  }
  if (!GuestStructure::is_there(call.process, call[2], 4)) return -EFAULT;
  if (!free.empty() && !GuestStructure::is_there(call.process, call[3], 4 * free.size())) return -EFAULT;
  GuestStructure(call.process, call[2], 4).set_word(0, static_cast<std::uint32_t>(free.size()));
  for (unsigned i = 0; i < free.size(); ++i) GuestStructure(call.process, call[3] + 4 * i, 4).set_word(0, free[i]);
  return 0;
}

/// (type, group, count, *subgroups, target, handler, *handler_parm, interrupt_group, *counter_group)
CallResult bgp_calls::counter_allocate(const Call& call) {
  Process& process = call.process;
  const std::optional<Side> side = side_of(call.word(0));
  const unsigned group = call.word(1);
  if (!side || group >= DmaResources::kGroups) return -EINVAL;
  const Subgroups subgroups = read_subgroups(call, call[3], call.word(2));
  if (subgroups.error != 0) return subgroups.error;
  if (!GuestStructure::is_there(process, call[8], BGP_SPI_COUNTER_GROUP_BYTES)) return -EFAULT;
  DmaResources& dma = node_kernel(process).dma();
  for (const unsigned subgroup : subgroups.numbers) {
    if (!dma.subgroup_is_free(*side, group, subgroup)) return -EBUSY;
  }

  const bool injection = *side == Side::injection;
  const std::uint32_t page = BGP_VA_DMA + group * BGP_VA_DMA_GROUP_STRIDE;
  const std::uint32_t status =
      page + (injection ? BGP_DMA_INJ_COUNTER_ENABLED_OFFSET : BGP_DMA_REC_COUNTER_ENABLED_OFFSET);
  const std::uint32_t counters =
      page + (injection ? BGP_DMA_INJ_COUNTER_VALUE_OFFSET : BGP_DMA_REC_COUNTER_VALUE_OFFSET);
  GuestStructure to(process, call[8], BGP_SPI_COUNTER_GROUP_BYTES);
  // The first word tells group and side.
  if (to.word(BGP_SPI_COUNTER_GROUP_STATUS_PTR) != status) to.clear(BGP_SPI_COUNTER_GROUP_BYTES);
  to.set_word(BGP_SPI_COUNTER_GROUP_STATUS_PTR, status);
  to.set_word(BGP_SPI_COUNTER_GROUP_GROUP_ID, group);
  to.set_word(BGP_SPI_COUNTER_GROUP_TYPE, call.word(0));
  for (const unsigned subgroup : subgroups.numbers) {
    dma.take_subgroup(process.place().t, *side, group, subgroup, call.word(5) != 0);
    permit(to, group, subgroup, true);
    const unsigned first = subgroup * DmaResources::kSubgroupCounters;
    for (unsigned id = first; id < first + DmaResources::kSubgroupCounters; ++id) {
      static_assert(kCounters == BGP_DMA_INJ_COUNTER_VALUE_COUNT && kCounters == BGP_DMA_REC_COUNTER_VALUE_COUNT);
      to.set_word(BGP_SPI_COUNTER_GROUP_COUNTERS + id * BGP_SPI_COUNTER_BYTES + BGP_SPI_COUNTER_HW_PTR,
                  counters + id * BGP_DMA_INJ_COUNTER_VALUE_STRIDE);
    }
  }
  return 0;
}

/// (group, count, *subgroups, *counter_group)
CallResult bgp_calls::counter_free(const Call& call) {
  const unsigned group = call.word(0);
  if (group >= DmaResources::kGroups) return -EINVAL;
  const Subgroups subgroups = read_subgroups(call, call[2], call.word(1));
  if (subgroups.error != 0) return subgroups.error;
  if (!GuestStructure::is_there(call.process, call[3], BGP_SPI_COUNTER_GROUP_BYTES)) return -EFAULT;
  GuestStructure from(call.process, call[3], BGP_SPI_COUNTER_GROUP_BYTES);
  const std::optional<Side> side = side_of(from.word(BGP_SPI_COUNTER_GROUP_TYPE));
  if (!side) return -EINVAL;
  DmaResources& dma = node_kernel(call.process).dma();
  for (const unsigned subgroup : subgroups.numbers) {
    if (!dma.has_subgroup(call.process.place().t, *side, group, subgroup)) return -EINVAL;
  }
  for (const unsigned subgroup : subgroups.numbers) {
    dma.free_subgroup(*side, group, subgroup);
    permit(from, group, subgroup, false);
  }
  return 0;
}

/// (enable)
CallResult bgp_calls::change_counter_interrupt(const Call& call) {
  node_kernel(call.process).dma().enable_interrupts(call.process.place().t, call.word(0) != 0);
  return 0;
}

}  // namespace toroid
