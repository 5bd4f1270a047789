// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/dma_resources.h"

#include "nic/bgp/dma_regs.h"

namespace toroid {
namespace {

// Bits are counted from the most significant on.
std::uint32_t bit(unsigned number) {
  return 0x8000'0000u >> number;
}

/// Registers of one side of a group's counters.
struct CounterRegisters {
  unsigned disable, clear_hit_zero, value, stride, interrupt;
};
constexpr CounterRegisters kCounterRegisters[] = {
    {BGP_DMA_INJ_COUNTER_DISABLE_OFFSET, BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET, BGP_DMA_INJ_COUNTER_VALUE_OFFSET,
     BGP_DMA_INJ_COUNTER_VALUE_STRIDE, BGP_DMA_DCR_INJ_COUNTER_INTERRUPT_OFFSET},
    {BGP_DMA_REC_COUNTER_DISABLE_OFFSET, BGP_DMA_REC_COUNTER_CLEAR_HIT_ZERO_OFFSET, BGP_DMA_REC_COUNTER_VALUE_OFFSET,
     BGP_DMA_REC_COUNTER_VALUE_STRIDE, BGP_DMA_DCR_REC_COUNTER_INTERRUPT_OFFSET},
};
constexpr unsigned kCountersAWord = 32;

}  // namespace

void DmaResources::change_dcr(unsigned offset, std::uint32_t bits, bool set) {
  const unsigned number = BGP_DMA_DCR_BASE + offset;
  const std::uint32_t before = device_.dcr(number);
  device_.set_dcr(number, set ? before | bits : before & ~bits);
}

void DmaResources::set_up() {
  for (unsigned group = 0; group < kGroups; ++group)
    device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_CLEAR_MASK_OFFSET + group, 0xFF00'0000u >> (8 * group));
}

void DmaResources::allow(unsigned range, std::uint64_t address, std::uint64_t bytes) {
  constexpr unsigned kShift = 4;
  const auto first = static_cast<std::uint32_t>(address >> kShift);
  const auto last = static_cast<std::uint32_t>((address + bytes - 1) >> kShift);
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_INJ_RANGE_MIN_OFFSET + range * BGP_DMA_DCR_INJ_RANGE_MIN_STRIDE,
                  first);
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_INJ_RANGE_MAX_OFFSET + range * BGP_DMA_DCR_INJ_RANGE_MAX_STRIDE, last);
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_RANGE_MIN_OFFSET + range * BGP_DMA_DCR_REC_RANGE_MIN_STRIDE,
                  first);
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_RANGE_MAX_OFFSET + range * BGP_DMA_DCR_REC_RANGE_MAX_STRIDE, last);
}

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

void DmaResources::take_fifo(unsigned process, unsigned group, unsigned fifo, const FifoSettings& settings) {
  own_group(process, group);
  fifo_owner_[group][fifo] = process;
  change_dcr(BGP_DMA_DCR_INJ_FIFO_PRIORITY_OFFSET + group, bit(fifo), settings.priority);
  change_dcr(BGP_DMA_DCR_INJ_FIFO_LOCAL_OFFSET + group, bit(fifo), settings.local);
  constexpr unsigned kMapsAWord = 4, kMapBits = 8;
  const unsigned map = BGP_DMA_DCR_INJ_FIFO_MAP_OFFSET + (group * kInjectionFifos + fifo) / kMapsAWord;
  const unsigned shift = (kMapsAWord - 1 - fifo % kMapsAWord) * kMapBits;
  change_dcr(map, 0xFFu << shift, false);
  change_dcr(map, std::uint32_t{settings.map} << shift, true);
}

void DmaResources::free_fifo(unsigned group, unsigned fifo) {
  fifo_owner_[group][fifo] = std::nullopt;
  device_.set_register(group, BGP_DMA_INJ_DEACTIVATE_OFFSET, bit(fifo));
  change_dcr(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET + group, bit(fifo), false);
}

/// Deactivated while its registers change.
void DmaResources::begin_fifo(unsigned group, unsigned fifo, const Ring& ring) {
  const unsigned at = fifo * BGP_DMA_INJ_FIFO_START_STRIDE;
  device_.set_register(group, BGP_DMA_INJ_DEACTIVATE_OFFSET, bit(fifo));
  device_.set_register(group, BGP_DMA_INJ_FIFO_START_OFFSET + at, ring.start);
  device_.set_register(group, BGP_DMA_INJ_FIFO_END_OFFSET + at, ring.end);
  device_.set_register(group, BGP_DMA_INJ_FIFO_HEAD_OFFSET + at, ring.head);
  device_.set_register(group, BGP_DMA_INJ_FIFO_TAIL_OFFSET + at, ring.tail);
  change_dcr(BGP_DMA_DCR_INJ_FIFO_ENABLE_OFFSET + group, bit(fifo), true);
  device_.set_register(group, BGP_DMA_INJ_ACTIVATE_OFFSET, bit(fifo));
}

// Counters. -----------------------------------------------------------------------------------------------------------

void DmaResources::take_subgroup(unsigned process, Side side, unsigned group, unsigned subgroup, bool interrupts) {
  own_group(process, group);
  subgroup_owner_[number(side)][group][subgroup] = process;
  interrupts_[number(side)][group][subgroup] = interrupts;
  const CounterRegisters& registers = kCounterRegisters[number(side)];
  const unsigned first = subgroup * kSubgroupCounters;
  const unsigned word = first / kCountersAWord * 4;
  const std::uint32_t bits = 0xFF00'0000u >> first % kCountersAWord;
  device_.set_register(group, registers.disable + word, bits);
  for (unsigned counter = first; counter < first + kSubgroupCounters; ++counter)
    device_.set_register(group, registers.value + counter * registers.stride, 0);
  device_.set_register(group, registers.clear_hit_zero + word, bits);
  update_interrupts();
}

void DmaResources::free_subgroup(Side side, unsigned group, unsigned subgroup) {
  subgroup_owner_[number(side)][group][subgroup] = std::nullopt;
  interrupts_[number(side)][group][subgroup] = false;
  const unsigned first = subgroup * kSubgroupCounters;
  device_.set_register(group, kCounterRegisters[number(side)].disable + first / kCountersAWord * 4,
                       0xFF00'0000u >> first % kCountersAWord);
  update_interrupts();
}

void DmaResources::enable_interrupts(unsigned process, bool enable) {
  interrupts_off_[process] = !enable;
  update_interrupts();
}

/// A line for each group, for its own subgroups.
void DmaResources::update_interrupts() {
  for (unsigned side = 0; side < 2; ++side) {
    for (unsigned group = 0; group < kGroups; ++group) {
      std::uint32_t bits = 0;
      for (unsigned subgroup = 0; subgroup < kSubgroups; ++subgroup) {
        const std::optional<unsigned> owner = subgroup_owner_[side][group][subgroup];
        if (owner && interrupts_[side][group][subgroup] && !interrupts_off_[*owner])
          bits |= bit(group * kSubgroups + subgroup);
      }
      device_.set_dcr(BGP_DMA_DCR_BASE + kCounterRegisters[side].interrupt + group, bits);
    }
  }
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

void DmaResources::set_map(const ReceptionMap& map) {
  map_ = map;
  std::uint32_t types = 0, header_types = 0;
  for (unsigned fifo = 0; fifo < map.types.size(); ++fifo) types |= map.types[fifo] != 0 ? bit(fifo) : 0;
  // The header FIFO of a group has the last bit of each byte.
  for (unsigned group = 0; group < kGroups; ++group)
    header_types |= map.header_types[group] != 0 ? bit(8 * group + 7) : 0;
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_FIFO_TYPE_OFFSET, types);
  device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_HEADER_FIFO_TYPE_OFFSET, header_types);
  // A line for each group, for its own FIFOs; the interrupt controller decides whether it goes anywhere.
  for (unsigned group = 0; group < kGroups; ++group)
    device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_THRESHOLD_INTERRUPT_OFFSET + group, 0xFF00'0000u >> 8 * group);
  for (unsigned type = 0; type < map.thresholds.size(); ++type)
    device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_FIFO_THRESHOLD_OFFSET + type, map.thresholds[type]);
  for (unsigned word = 0; word < BGP_DMA_DCR_REC_FIFO_MAP_COUNT; ++word) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value = value << 8 | map.fifo_of[word / 2][word % 2 * 4 + i];
    device_.set_dcr(BGP_DMA_DCR_BASE + BGP_DMA_DCR_REC_FIFO_MAP_OFFSET + word, value);
  }
  change_dcr(BGP_DMA_DCR_BASE_CONTROL_OFFSET, BGP_DMA_DCR_BASE_CONTROL_STORE_HEADERS_MASK, map.save_headers);
}

std::uint32_t DmaResources::mapped_fifos(unsigned group) const {
  std::uint32_t found = 0;
  if (!map_) return found;
  for (const auto& row : map_->fifo_of) {
    for (const std::uint8_t fifo : row) {
      if (fifo / kReceptionFifos == group) found |= 1u << fifo % kReceptionFifos;
    }
  }
  return found;
}

void DmaResources::begin_reception(unsigned process, unsigned group, unsigned fifo, const Ring& ring) {
  own_group(process, group);
  begun_[group][fifo] = true;
  const bool header = fifo == kHeaderFifo;
  const unsigned at = header ? BGP_DMA_REC_HEADER_FIFO_START_OFFSET
                             : BGP_DMA_REC_FIFO_START_OFFSET + fifo * BGP_DMA_REC_FIFO_START_STRIDE;
  device_.set_register(group, at, ring.start);
  device_.set_register(group, at + 4, ring.end);
  device_.set_register(group, at + 8, ring.head);
  device_.set_register(group, at + 12, ring.tail);
  if (header) {
    change_dcr(BGP_DMA_DCR_REC_HEADER_FIFO_ENABLE_OFFSET, bit(8 * group + 7), true);
  } else {
    change_dcr(BGP_DMA_DCR_REC_FIFO_ENABLE_OFFSET, bit(8 * group + fifo), true);
  }
}

}  // namespace toroid
