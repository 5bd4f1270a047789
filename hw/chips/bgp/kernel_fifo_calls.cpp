// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the DMA's injection and reception FIFOs. They fill in structures of the SPI, which hold addresses
// of registers as the process sees them.
#include <array>
#include <bitset>
#include <cerrno>
#include <optional>
#include <vector>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_regs.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

using Side = DmaResources::Side;
constexpr unsigned kQuad = 16, kFifoAlignment = 32;

std::uint32_t page_of(unsigned group) {
  return BGP_VA_DMA + group * BGP_VA_DMA_GROUP_STRIDE;
}

/// `count` different FIFO numbers; nullopt if that is not what stands there.
std::optional<std::vector<unsigned>> read_ids(const Call& call, std::uint64_t address, std::uint32_t count) {
  const std::uint8_t* const ids = call.process.memory()->readable(address, std::uint64_t{count} * 4);
  std::vector<unsigned> found;
  std::bitset<DmaResources::kInjectionFifos> seen;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t id = load_be32(ids + 4 * i);
    if (id >= DmaResources::kInjectionFifos || seen[id]) return std::nullopt;
    seen[id] = true;
    found.push_back(id);
  }
  return found;
}

bool can_read(const Call& call, std::uint64_t address, std::uint64_t bytes) {
  return call.process.memory()->readable(address, bytes) != nullptr;
}

/// The addresses of a ring that the process passes, in its memory; or an errno.
struct Ring {
  CallResult error = 0;
  std::uint32_t start = 0, head = 0, end = 0;
  DmaResources::Ring physical{};
};

Ring read_ring(const Call& call, unsigned first_argument, std::uint32_t least) {
  Ring ring;
  ring.start = call.word(first_argument);
  ring.head = call.word(first_argument + 1);
  ring.end = call.word(first_argument + 2);
  const bool aligned = ring.start % kFifoAlignment == 0 && ring.end % kFifoAlignment == 0 && ring.head % kQuad == 0;
  if (!aligned || ring.end < ring.start || ring.end - ring.start < least || ring.head < ring.start ||
      ring.head >= ring.end) {
    ring.error = -EINVAL;
    return ring;
  }
  if (!GuestStructure::is_there(call.process, ring.start, ring.end - ring.start)) {
    ring.error = -EFAULT;
    return ring;
  }
  const MemoryView& view = call.process.memory()->view();
  const auto quad = [&view](std::uint32_t address) {
    return static_cast<std::uint32_t>(view.physical(address) / kQuad);
  };
  const std::uint32_t start = quad(ring.start);
  const auto behind = [&](std::uint32_t address) { return start + (address - ring.start) / kQuad; };
  ring.physical = {start, behind(ring.end), behind(ring.head), behind(ring.head)};
  return ring;
}

/// DMA_Fifo_t of an empty ring.
void fill_fifo(GuestStructure& fifo, unsigned at, const Ring& ring) {
  fifo.set_word(at + BGP_SPI_FIFO_FREE_SPACE, (ring.end - ring.start) / kQuad);
  fifo.set_word(at + BGP_SPI_FIFO_FIFO_SIZE, (ring.end - ring.start) / kQuad);
  fifo.set_word(at + BGP_SPI_FIFO_PA_START, ring.physical.start);
  fifo.set_word(at + BGP_SPI_FIFO_VA_START, ring.start);
  fifo.set_word(at + BGP_SPI_FIFO_VA_HEAD, ring.head);
  fifo.set_word(at + BGP_SPI_FIFO_VA_TAIL, ring.head);
  fifo.set_word(at + BGP_SPI_FIFO_VA_END, ring.end);
}

}  // namespace

// Injection. ----------------------------------------------------------------------------------------------------------

/// (group, *count, *ids)
CallResult bgp_calls::injection_query_free(const Call& call) {
  const unsigned group = call.word(0);
  if (group >= DmaResources::kGroups) return -EINVAL;
  const DmaResources& dma = node_kernel(call.process).dma();
  std::vector<unsigned> free;
  for (unsigned fifo = 0; fifo < DmaResources::kInjectionFifos; ++fifo) {
    if (dma.fifo_is_free(group, fifo)) free.push_back(fifo);
  }
  if (!GuestStructure::is_there(call.process, call[1], 4)) return -EFAULT;
  if (!free.empty() && !GuestStructure::is_there(call.process, call[2], 4 * free.size())) return -EFAULT;
  GuestStructure(call.process, call[1], 4).set_word(0, static_cast<std::uint32_t>(free.size()));
  for (unsigned i = 0; i < free.size(); ++i) GuestStructure(call.process, call[2] + 4 * i, 4).set_word(0, free[i]);
  return 0;
}

/// (group, count, *ids, *priorities, *locals, *maps, *fifo_group)
CallResult bgp_calls::injection_allocate(const Call& call) {
  Process& process = call.process;
  const unsigned group = call.word(0), count = call.word(1);
  if (group >= DmaResources::kGroups || count == 0 || count > DmaResources::kInjectionFifos) return -EINVAL;
  if (!can_read(call, call[2], 4 * count) || !can_read(call, call[3], 2 * count) ||
      !can_read(call, call[4], 2 * count) || !can_read(call, call[5], count) ||
      !GuestStructure::is_there(process, call[6], BGP_SPI_INJ_GROUP_BYTES))
    return -EFAULT;
  const auto ids = read_ids(call, call[2], count);
  if (!ids) return -EINVAL;
  AddressSpace& memory = *process.memory();
  const std::uint8_t* const priorities = memory.readable(call[3], 2 * count);
  const std::uint8_t* const locals = memory.readable(call[4], 2 * count);
  const std::uint8_t* const maps = memory.readable(call[5], count);
  DmaResources& dma = node_kernel(process).dma();
  for (unsigned i = 0; i < count; ++i) {
    const unsigned priority = load_be16(priorities + 2 * i), local = load_be16(locals + 2 * i);
    if (priority > 1 || local > 1 || (local != 0) != (maps[i] == 0)) return -EINVAL;
  }
  for (const unsigned id : *ids) {
    if (!dma.fifo_is_free(group, id)) return -EBUSY;
  }

  GuestStructure to(process, call[6], BGP_SPI_INJ_GROUP_BYTES);
  const std::uint32_t status = page_of(group) + BGP_DMA_INJ_NOT_EMPTY_OFFSET;
  const bool adds = to.word(BGP_SPI_INJ_GROUP_STATUS_PTR) == status && to.word(BGP_SPI_INJ_GROUP_GROUP_ID) == group;
  if (!adds) to.clear(BGP_SPI_INJ_GROUP_BYTES);
  to.set_word(BGP_SPI_INJ_GROUP_STATUS_PTR, status);
  to.set_word(BGP_SPI_INJ_GROUP_GROUP_ID, group);
  std::uint32_t permissions = to.word(BGP_SPI_INJ_GROUP_PERMISSIONS);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned id = (*ids)[i];
    const unsigned at = BGP_SPI_INJ_GROUP_FIFOS + id * BGP_SPI_INJ_FIFO_BYTES;
    const std::uint16_t priority = load_be16(priorities + 2 * i), local = load_be16(locals + 2 * i);
    dma.take_fifo(process.place().t, group, id, {priority != 0, local != 0, maps[i]});
    to.set_word(at + BGP_SPI_FIFO_HW_PTR, page_of(group) + id * BGP_DMA_INJ_FIFO_START_STRIDE);
    to.set_half(at + BGP_SPI_INJ_FIFO_ID, id);
    to.set_half(at + BGP_SPI_INJ_FIFO_PRIORITY, priority);
    to.set_half(at + BGP_SPI_INJ_FIFO_LOCAL, local);
    to.set_byte(at + BGP_SPI_INJ_FIFO_MAP, maps[i]);
    permissions |= 0x8000'0000u >> id;
  }
  to.set_word(BGP_SPI_INJ_GROUP_PERMISSIONS, permissions);
  return 0;
}

/// (group, count, *ids, *fifo_group)
CallResult bgp_calls::injection_free(const Call& call) {
  const unsigned group = call.word(0), count = call.word(1);
  if (group >= DmaResources::kGroups || count == 0 || count > DmaResources::kInjectionFifos) return -EINVAL;
  if (!can_read(call, call[2], 4 * count) || !GuestStructure::is_there(call.process, call[3], BGP_SPI_INJ_GROUP_BYTES))
    return -EFAULT;
  const auto ids = read_ids(call, call[2], count);
  if (!ids) return -EINVAL;
  DmaResources& dma = node_kernel(call.process).dma();
  for (const unsigned id : *ids) {
    if (!dma.has_fifo(call.process.place().t, group, id)) return -EINVAL;
  }
  GuestStructure from(call.process, call[3], BGP_SPI_INJ_GROUP_BYTES);
  std::uint32_t permissions = from.word(BGP_SPI_INJ_GROUP_PERMISSIONS);
  for (const unsigned id : *ids) {
    dma.free_fifo(group, id);
    permissions &= ~(0x8000'0000u >> id);
  }
  from.set_word(BGP_SPI_INJ_GROUP_PERMISSIONS, permissions);
  return 0;
}

/// (*fifo_group, id, *start, *head, *end)
CallResult bgp_calls::injection_begin(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGP_SPI_INJ_GROUP_BYTES)) return -EFAULT;
  GuestStructure in(call.process, call[0], BGP_SPI_INJ_GROUP_BYTES);
  const unsigned group = in.word(BGP_SPI_INJ_GROUP_GROUP_ID), id = call.word(1);
  DmaResources& dma = node_kernel(call.process).dma();
  if (group >= DmaResources::kGroups || id >= DmaResources::kInjectionFifos ||
      !dma.has_fifo(call.process.place().t, group, id))
    return -EINVAL;
  const Ring ring = read_ring(call, 2, BGP_DMA_INJ_FIFO_MIN_BYTES);
  if (ring.error != 0) return ring.error;
  const unsigned at = BGP_SPI_INJ_GROUP_FIFOS + id * BGP_SPI_INJ_FIFO_BYTES;
  fill_fifo(in, at, ring);
  in.set_wide(at + BGP_SPI_INJ_FIFO_DESC_COUNT, 0);
  in.set_word(at + BGP_SPI_INJ_FIFO_OCCUPIED, 0);
  dma.begin_fifo(group, id, ring.physical);
  return 0;
}

// Reception. ----------------------------------------------------------------------------------------------------------

/// (*map)
CallResult bgp_calls::reception_set_map(const Call& call) {
  if (!can_read(call, call[0], BGP_SPI_REC_MAP_BYTES)) return -EFAULT;
  const std::uint8_t* const from = call.process.memory()->readable(call[0], BGP_SPI_REC_MAP_BYTES);
  DmaResources& dma = node_kernel(call.process).dma();
  DmaResources::ReceptionMap map;
  map.save_headers = load_be16(from + BGP_SPI_REC_MAP_SAVE_HEADERS) != 0;
  bool valid = true;
  for (unsigned i = 0; i < map.types.size(); ++i) {
    map.types[i] = load_be32(from + BGP_SPI_REC_MAP_FIFO_TYPES + 4 * i);
    valid = valid && map.types[i] <= 1;
  }
  for (unsigned i = 0; i < map.header_types.size(); ++i) {
    map.header_types[i] = load_be32(from + BGP_SPI_REC_MAP_HEADER_TYPES + 4 * i);
    valid = valid && map.header_types[i] <= 1;
  }
  for (unsigned i = 0; i < map.thresholds.size(); ++i)
    map.thresholds[i] = load_be32(from + BGP_SPI_REC_MAP_THRESHOLDS + 4 * i);
  for (unsigned pid = 0; pid < map.fifo_of.size(); ++pid) {
    for (unsigned way = 0; way < map.fifo_of[pid].size(); ++way) {
      map.fifo_of[pid][way] = from[BGP_SPI_REC_MAP_TS_REC_MAP + 8 * pid + way];
      valid = valid && map.fifo_of[pid][way] < DmaResources::kGroups * DmaResources::kReceptionFifos;
    }
  }
  if (!valid) return -EINVAL;
  if (dma.map()) return -EBUSY;
  dma.set_map(map);
  return 0;
}

/// (*map)
CallResult bgp_calls::reception_get_map(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGP_SPI_REC_MAP_BYTES)) return -EFAULT;
  const DmaResources::ReceptionMap map = node_kernel(call.process).dma().map().value_or(DmaResources::ReceptionMap{});
  GuestStructure to(call.process, call[0], BGP_SPI_REC_MAP_BYTES);
  to.clear(BGP_SPI_REC_MAP_BYTES);
  to.set_half(BGP_SPI_REC_MAP_SAVE_HEADERS, map.save_headers ? 1 : 0);
  for (unsigned i = 0; i < map.types.size(); ++i) to.set_word(BGP_SPI_REC_MAP_FIFO_TYPES + 4 * i, map.types[i]);
  for (unsigned i = 0; i < map.header_types.size(); ++i)
    to.set_word(BGP_SPI_REC_MAP_HEADER_TYPES + 4 * i, map.header_types[i]);
  for (unsigned i = 0; i < map.thresholds.size(); ++i)
    to.set_word(BGP_SPI_REC_MAP_THRESHOLDS + 4 * i, map.thresholds[i]);
  for (unsigned pid = 0; pid < map.fifo_of.size(); ++pid) {
    for (unsigned way = 0; way < map.fifo_of[pid].size(); ++way)
      to.set_byte(BGP_SPI_REC_MAP_TS_REC_MAP + 8 * pid + way, map.fifo_of[pid][way]);
  }
  return 0;
}

/// (*fifo_group, group, target, normal_handler, *parm, header_handler, *parm, interrupt_group)
CallResult bgp_calls::reception_get_group(const Call& call) {
  const unsigned group = call.word(1);
  if (group >= DmaResources::kGroups) return -EINVAL;
  if (!GuestStructure::is_there(call.process, call[0], BGP_SPI_REC_GROUP_BYTES)) return -EFAULT;
  const DmaResources& dma = node_kernel(call.process).dma();
  if (!dma.map()) return -EINVAL;
  GuestStructure to(call.process, call[0], BGP_SPI_REC_GROUP_BYTES);
  to.clear(BGP_SPI_REC_GROUP_BYTES);
  to.set_word(BGP_SPI_REC_GROUP_GROUP_ID, group);
  to.set_word(BGP_SPI_REC_GROUP_MASK, 0xFF00'0000u >> 8 * group);
  to.set_word(BGP_SPI_REC_GROUP_STATUS_PTR, page_of(group) + BGP_DMA_REC_NOT_EMPTY_OFFSET);
  const auto add = [&](unsigned place, unsigned registers, unsigned global_id, std::uint32_t type) {
    const unsigned at = BGP_SPI_REC_GROUP_FIFOS + place * BGP_SPI_REC_FIFO_BYTES;
    to.set_word(at + BGP_SPI_FIFO_HW_PTR, page_of(group) + registers);
    to.set_byte(at + BGP_SPI_REC_FIFO_GLOBAL_ID, global_id);
    to.set_byte(at + BGP_SPI_REC_FIFO_TYPE, type);
  };
  const std::uint32_t mapped = dma.mapped_fifos(group);
  unsigned normal = 0;
  for (unsigned fifo = 0; fifo < DmaResources::kReceptionFifos; ++fifo) {
    const unsigned global = DmaResources::kReceptionFifos * group + fifo;
    if ((mapped & 1u << fifo) != 0)
      add(normal++, BGP_DMA_REC_FIFO_START_OFFSET + fifo * BGP_DMA_REC_FIFO_START_STRIDE, global,
          dma.map()->types[global]);
  }
  to.set_word(BGP_SPI_REC_GROUP_NUM_NORMAL, normal);
  if (dma.map()->save_headers) {
    add(DmaResources::kHeaderFifo, BGP_DMA_REC_HEADER_FIFO_START_OFFSET,
        DmaResources::kGroups * DmaResources::kReceptionFifos + group, dma.map()->header_types[group]);
    to.set_word(BGP_SPI_REC_GROUP_NUM_HEADER, 1);
  }
  return 0;
}

/// (*fifo_group, id, *start, *head, *end)
CallResult bgp_calls::reception_begin(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGP_SPI_REC_GROUP_BYTES)) return -EFAULT;
  GuestStructure in(call.process, call[0], BGP_SPI_REC_GROUP_BYTES);
  const unsigned group = in.word(BGP_SPI_REC_GROUP_GROUP_ID), id = call.word(1);
  if (group >= DmaResources::kGroups || id > DmaResources::kHeaderFifo) return -EINVAL;
  const bool header = id == DmaResources::kHeaderFifo;
  const unsigned global = header ? DmaResources::kGroups * DmaResources::kReceptionFifos + group
                                 : DmaResources::kReceptionFifos * group + id;
  const unsigned normal = std::min<unsigned>(in.word(BGP_SPI_REC_GROUP_NUM_NORMAL), DmaResources::kReceptionFifos);
  const unsigned first = header ? DmaResources::kHeaderFifo : 0;
  const unsigned end = header ? first + (in.word(BGP_SPI_REC_GROUP_NUM_HEADER) != 0) : normal;
  for (unsigned place = first; place < end; ++place) {
    const unsigned at = BGP_SPI_REC_GROUP_FIFOS + place * BGP_SPI_REC_FIFO_BYTES;
    if (in.byte(at + BGP_SPI_REC_FIFO_GLOBAL_ID) != global) continue;
    DmaResources& dma = node_kernel(call.process).dma();
    if (dma.reception_has_begun(group, id)) return -EBUSY;
    const Ring ring = read_ring(call, 2, BGP_DMA_REC_FIFO_MIN_BYTES);
    if (ring.error != 0) return ring.error;
    fill_fifo(in, at, ring);
    in.set_word(at + BGP_SPI_REC_FIFO_PACKETS, 0);
    dma.begin_reception(call.process.place().t, group, id, ring.physical);
    return 0;
  }
  return -EINVAL;
}

/// (): what waits for room in a FIFO is tried again.
CallResult bgp_calls::clear_full_reception(const Call& call) {
  constexpr std::uint32_t kClear = BGP_DMA_DCR_BASE + BGP_DMA_DCR_FATAL_CLEAR_OFFSET;
  return call.process.dcr()->write_dcr(kClear, BGP_DMA_DCR_FATAL_CLEAR_RECEPTION_MASK) ? 0 : -EINVAL;
}

}  // namespace toroid
