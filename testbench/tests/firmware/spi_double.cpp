// SPDX-License-Identifier: Apache-2.0
// The SPI and the kernel's services over DmaDouble.
#include <cstring>

#include "testbench/tests/firmware/dma_double.h"

using toroid::testing::DmaDouble;

namespace {

DmaDouble& dma() {
  return *DmaDouble::current;
}

DmaDouble::Ring& injection(const DMA_InjFifoGroup_t* group, int id) {
  return dma().group(group->group_id).injection[static_cast<unsigned>(id)];
}

DMA_InjDescriptor_t blank(unsigned kind, bool local, unsigned inj_group, unsigned inj_counter, unsigned offset,
                          unsigned length) {
  DMA_InjDescriptor_t d{};
  d.kind = static_cast<std::uint8_t>(kind);
  d.local = local;
  d.inj_group = static_cast<std::uint8_t>(inj_group);
  d.inj_counter = static_cast<std::uint8_t>(inj_counter);
  d.offset = offset;
  d.length = length;
  d.chunks = static_cast<std::uint8_t>(kind == 2 ? 2 : DMA_PacketChunks(length));
  return d;
}

void to_torus(DMA_InjDescriptor_t& d, unsigned x, unsigned y, unsigned z, unsigned hints, unsigned vc) {
  d.x = static_cast<std::uint8_t>(x);
  d.y = static_cast<std::uint8_t>(y);
  d.z = static_cast<std::uint8_t>(z);
  d.hints = static_cast<std::uint8_t>(hints);
  d.vc = static_cast<std::uint8_t>(vc);
}

void to_counter(DMA_InjDescriptor_t& d, unsigned group, unsigned counter, unsigned offset) {
  d.rec_group = static_cast<std::uint8_t>(group);
  d.rec_counter = static_cast<std::uint8_t>(counter);
  d.hwHdr.Put_Offset = offset;
}

void to_function(DMA_InjDescriptor_t& d, unsigned group, unsigned argument, unsigned function) {
  d.rec_group = static_cast<std::uint8_t>(group);
  d.hwHdr.SW_Arg = argument & 0xFFFFFF;
  d.function = static_cast<std::uint8_t>(function);
}

}  // namespace

extern "C" {

int Kernel_GetPersonality(_BGP_Personality_t* personality, size_t) {
  dma().personality(personality);
  return 0;
}

int Kernel_ProcessCount(void) {
  return static_cast<int>(dma().processes());
}

int Kernel_PhysicalProcessorID(void) {
  return static_cast<int>(dma().rank / dma().nodes() * (4 / dma().processes()));
}

int Kernel_Coord2Rank(uint32_t x, uint32_t y, uint32_t z, uint32_t t, uint32_t* rank, uint32_t* ranks) {
  *ranks = dma().ranks();
  *rank = t * dma().nodes() + dma().node_at(x, y, z);
  return *rank < *ranks ? 0 : 1;
}

int Kernel_Ranks2Coords(kernel_coords_t* coordinates, uint32_t count) {
  for (uint32_t rank = 0; rank < count; ++rank) {
    const auto at = dma().place(dma().node_of(rank));
    coordinates[rank] = {static_cast<uint8_t>(at[0]), static_cast<uint8_t>(at[1]), static_cast<uint8_t>(at[2]),
                         static_cast<uint8_t>(rank / dma().nodes())};
  }
  return 0;
}

int Kernel_Virtual2Physical(void* va, size_t bytes, uint32_t* upper, uint32_t* lower) {
  *upper = 0;
  *lower = dma().memory(dma().rank).physical(va, bytes);
  return *lower ? 0 : -1;
}

unsigned long long _bgp_GetTimeBase(void) {
  static unsigned long long cycles = 0;
  ++dma().collective.node(dma().node_of(dma().rank)).looked_at_time;
  return cycles += 1000;
}

int DMA_CounterGroupAllocate(DMA_Type_t type, int grp, int, int*, int, Kernel_CommThreadHandler, void*,
                             Kernel_InterruptGroup_t, DMA_CounterGroup_t* cg_ptr) {
  cg_ptr->type = type;
  cg_ptr->group_id = grp;
  for (unsigned i = 0; i < DMA_NUM_COUNTERS_PER_GROUP; ++i) {
    cg_ptr->counter[i].counter_hw_ptr = &dma().group(grp).counters[type][i];
  }
  return 0;
}

uint32_t Kernel_CounterGroupAllocate(uint32_t type, uint32_t group, uint32_t, uint32_t*, uint32_t, uint32_t, uint32_t*,
                                     uint32_t, uint32_t* cg_ptr) {
  return static_cast<uint32_t>(DMA_CounterGroupAllocate(static_cast<DMA_Type_t>(type), static_cast<int>(group), 0,
                                                        nullptr, 0, nullptr, nullptr, 0,
                                                        reinterpret_cast<DMA_CounterGroup_t*>(cg_ptr)));
}

int DMA_CounterGroupFree(int, int, int*, DMA_CounterGroup_t*) {
  return 0;
}

void DMA_CounterSetValueBaseMaxHw(DMA_CounterHw_t* c_hw, unsigned value, unsigned pa_base, unsigned pa_max) {
  c_hw->value = value;
  c_hw->base = pa_base;
  c_hw->max = pa_max;
  c_hw->wraps = value == DMA_COUNTER_INIT_VAL;
}

void DMA_CounterSetValueById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned value) {
  cg_ptr->counter[counter_id].counter_hw_ptr->value = value;
  cg_ptr->counter[counter_id].counter_hw_ptr->wraps = false;
  dma().access();
}

void DMA_CounterSetEnableById(DMA_CounterGroup_t* cg_ptr, int counter_id) {
  cg_ptr->counter[counter_id].counter_hw_ptr->enabled = true;
}

unsigned DMA_CounterGetHitZero(const DMA_CounterGroup_t* cg_ptr, int reg) {
  dma().access();
  unsigned bits = 0;
  for (int i = 0; i < 32; ++i) {
    if (cg_ptr->counter[32 * reg + i].counter_hw_ptr->hit) bits |= 0x80000000u >> i;
  }
  return bits;
}

void DMA_CounterGroupClearHitZero(DMA_CounterGroup_t* cg_ptr, int reg, unsigned counterBits) {
  for (int i = 0; i < 32; ++i) {
    if (counterBits & 0x80000000u >> i) cg_ptr->counter[32 * reg + i].counter_hw_ptr->hit = false;
  }
  dma().access();
}

int DMA_InjFifoGroupAllocate(int grp, int num_fifos, int* fifo_ids, unsigned short* priorities, unsigned short* locals,
                             unsigned char* ts_inj_maps, DMA_InjFifoRgetFifoFullHandler_t, void*,
                             Kernel_InterruptGroup_t, LockBox_Barrier_t*, DMA_InjFifoGroup_t* fg_ptr) {
  fg_ptr->group_id = grp;
  for (int i = 0; i < num_fifos; ++i) {
    DmaDouble::Ring& ring = injection(fg_ptr, fifo_ids[i]);
    if (ring.taken) return 16;
    if ((locals[i] != 0) != (ts_inj_maps[i] == 0)) return 22;
    ring.taken = true;
    ring.local = locals[i] != 0;
    ring.high = priorities[i] != 0;
    ring.map = ts_inj_maps[i];
  }
  return 0;
}

int DMA_InjFifoGroupFree(int, int num_fifos, int* fifo_ids, DMA_InjFifoGroup_t* fg_ptr) {
  for (int i = 0; i < num_fifos; ++i) injection(fg_ptr, fifo_ids[i]).taken = false;
  return 0;
}

int DMA_InjFifoInitById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head, void* va_end) {
  DmaDouble::Ring& ring = injection(fg_ptr, fifo_id);
  if (!ring.taken) return 16;
  ring.start = static_cast<char*>(va_start);
  ring.head = ring.tail = static_cast<char*>(va_head);
  ring.end = static_cast<char*>(va_end);
  return 0;
}

void* DMA_InjFifoGetHeadById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id) {
  dma().access();
  return injection(fg_ptr, fifo_id).head;
}

int DMA_InjFifoInjectDescriptorsById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, int num_desc,
                                     DMA_InjDescriptor_t** desc) {
  DmaDouble::Ring& ring = injection(fg_ptr, fifo_id);
  int done = 0;
  for (; done < num_desc && ring.free() >= 34 * 16; ++done) {
    std::memcpy(ring.tail, desc[done], sizeof **desc);
    ring.tail += sizeof **desc;
    if (ring.tail == ring.end) ring.tail = ring.start;
  }
  if (done == 0) return 0;
  dma().wake(fg_ptr->group_id, static_cast<unsigned>(fifo_id));
  dma().access();
  return done;
}

int DMA_InjFifoInjectDescriptorById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, DMA_InjDescriptor_t* desc) {
  return DMA_InjFifoInjectDescriptorsById(fg_ptr, fifo_id, 1, &desc);
}

int DMA_RecFifoSetMap(DMA_RecFifoMap_t* rec_map) {
  return dma().map_is_set(rec_map) ? 16 : 0;
}

DMA_RecFifoGroup_t* DMA_RecFifoGetFifoGroup(int grp, int, Kernel_CommThreadHandler, void*, Kernel_CommThreadHandler,
                                            void*, Kernel_InterruptGroup_t) {
  DMA_RecFifoGroup_t* group = &dma().group(grp).reception_group;
  group->group_id = grp;
  return group;
}

int DMA_RecFifoInitById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head, void* va_end) {
  DmaDouble::Ring& ring = dma().group(fg_ptr->group_id).reception[static_cast<unsigned>(fifo_id)];
  ring.taken = true;
  ring.start = static_cast<char*>(va_start);
  ring.head = ring.tail = static_cast<char*>(va_head);
  ring.end = static_cast<char*>(va_end);
  return 0;
}

int DMA_RecFifoRegisterRecvFunction(DMA_RecFifoRecvFunction_t recv_func, void* recv_func_parm, int is_error_func, int) {
  if (is_error_func) return 0;
  const unsigned t = dma().rank / dma().nodes();
  auto& functions = dma().group(static_cast<int>(t * (4 / dma().processes()))).functions;
  functions.emplace_back(recv_func, recv_func_parm);
  return static_cast<int>(functions.size()) - 1;
}

void DMA_RecFifoSetClearThresholdCrossedById(DMA_RecFifoGroup_t*, int) {}

int DMA_RecFifoSimplePollNormalFifoById(int fifo_id, DMA_RecFifoGroup_t* fg_ptr, int) {
  return dma().poll(fifo_id, fg_ptr);
}

int DMA_TorusDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned hints,
                                 unsigned vc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                                 unsigned rec_ctr_grp_id, unsigned rec_ctr_id, unsigned rec_offset, unsigned msg_len) {
  *desc = blank(1, false, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_torus(*desc, x, y, z, hints, vc);
  to_counter(*desc, rec_ctr_grp_id, rec_ctr_id, rec_offset);
  return 0;
}

int DMA_LocalDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                 unsigned send_offset, unsigned rec_ctr_grp_id, unsigned rec_ctr_id,
                                 unsigned rec_offset, unsigned msg_len) {
  *desc = blank(1, true, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_counter(*desc, rec_ctr_grp_id, rec_ctr_id, rec_offset);
  return 0;
}

int DMA_TorusRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned hints,
                                 unsigned vc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                                 unsigned rec_inj_fifo_grp_id, unsigned rec_inj_fifo_id) {
  *desc = blank(2, false, inj_ctr_grp_id, inj_ctr_id, send_offset, 32);
  to_torus(*desc, x, y, z, hints, vc);
  to_counter(*desc, rec_inj_fifo_grp_id, rec_inj_fifo_id, 0);
  return 0;
}

int DMA_LocalRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                 unsigned send_offset, unsigned rec_inj_fifo_grp_id, unsigned rec_inj_fifo_id) {
  *desc = blank(2, true, inj_ctr_grp_id, inj_ctr_id, send_offset, 32);
  to_counter(*desc, rec_inj_fifo_grp_id, rec_inj_fifo_id, 0);
  return 0;
}

int DMA_TorusMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned recv_fifo_grp_id,
                               unsigned hints, unsigned vc, unsigned sw_arg, unsigned function_id,
                               unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset, unsigned msg_len) {
  *desc = blank(0, false, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_torus(*desc, x, y, z, hints, vc);
  to_function(*desc, recv_fifo_grp_id, sw_arg, function_id);
  return 0;
}

int DMA_TorusMemFifoBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned dest, unsigned recv_fifo_grp_id, unsigned hints,
                                    unsigned sw_arg, unsigned function_id, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                    unsigned send_offset, unsigned msg_len) {
  std::array<unsigned, 3> to = dma().place(dma().node_of(dma().rank));
  to[hints >= DMA_PACKET_HINT_XM ? 0 : hints >= DMA_PACKET_HINT_YM ? 1 : 2] = dest;
  DMA_TorusMemFifoDescriptor(desc, to[0], to[1], to[2], recv_fifo_grp_id, hints, DMA_PACKET_VC_BN, sw_arg, function_id,
                             inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  desc->deposit = 1;
  return 0;
}

int DMA_LocalMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned recv_fifo_grp_id, unsigned sw_arg,
                               unsigned function_id, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                               unsigned msg_len) {
  *desc = blank(0, true, inj_ctr_grp_id, inj_ctr_id, send_offset, msg_len);
  to_function(*desc, recv_fifo_grp_id, sw_arg, function_id);
  return 0;
}

}  // extern "C"
