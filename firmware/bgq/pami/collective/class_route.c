/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L  // posix_memalign

#include "firmware/bgq/pami/collective/class_route.h"

#include <string.h>

#include "firmware/hot.h"

enum { kSubgroup = 65, kResultSlot = 6, kCounterSlot = 7, kPiece = 65536 };

static struct {
  bool open;
  pami_ring_t ring;
  MUSPI_BaseAddressTableSubGroup_t table;
  volatile uint64_t* counter; /* bytes of the result that are still to come */
} route;

/* What a node contributes that has nothing. */
static const uint8_t zeros[kPiece] __attribute__((aligned(128))) = {0};

RARE void pami_class_route_describe(MUHWI_Descriptor_t* descriptor, unsigned class_route) {
  MUSPI_CollectiveDirectPutDescriptorInfo_t info;
  memset(&info, 0, sizeof info);
  info.Base.Torus_FIFO_Map = MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CUSER;
  info.Collective.Op_Code = MUHWI_COLLECTIVE_OP_CODE_OR;
  info.Collective.Word_Length = 4;
  info.Collective.Class_Route = (uint8_t)class_route;
  /* All classes are of the type of sub-communicators, 0 too. */
  info.Collective.Misc = MUHWI_PACKET_VIRTUAL_CHANNEL_USER_SUB_COMM | MUHWI_COLLECTIVE_TYPE_ALLREDUCE;
  info.DirectPut.Rec_Payload_Base_Address_Id = kSubgroup * 8 + kResultSlot;
  info.DirectPut.Rec_Counter_Base_Address_Id = kSubgroup * 8 + kCounterSlot;
  MUSPI_CreateCollectiveDirectPutDescriptor(descriptor, &info);
}

bool pami_class_route_open(void) {
  static uint32_t busy;  // nobody asks for the end of what is injected
  if (route.open) return true;
  uint32_t slots[2] = {kResultSlot, kCounterSlot};
  void* memory = NULL;
  if (posix_memalign(&memory, 128, sizeof *route.counter) != 0) return false;
  if (Kernel_AllocateBaseAddressTable(kSubgroup, &route.table, 2, slots, 0) != 0 ||
      pami_ring_open(&route.ring, &busy, 1) != 0) {
    free(memory);
    return false;
  }
  route.counter = memory;
  *route.counter = 0;
  MUSPI_SetBaseAddress(
      &route.table, kCounterSlot,
      MUSPI_GetAtomicAddress(pami_physical(route.counter, "PAMI's class route"), MUHWI_ATOMIC_OPCODE_STORE_ADD));
  route.open = true;
  return true;
}

void pami_class_route_close(void) {
  if (!route.open) return;
  uint32_t slots[2] = {kResultSlot, kCounterSlot};
  pami_ring_close(&route.ring);
  Kernel_DeallocateBaseAddressTable(&route.table, 2, slots);
  free((void*)route.counter);
  route.open = false;
}

HOT_OF_COLLECTIVES void pami_class_route_start(MUHWI_Descriptor_t* descriptor, unsigned opcode, unsigned word,
                                               const void* from, void* to, size_t bytes) {
  const char* what = "buffer of a collective operation";
  const uint64_t from_pa = from ? pami_physical(from, what) : pami_physical(zeros, what);
  *route.counter = bytes;
  MUSPI_SetBaseAddress(&route.table, kResultSlot, pami_physical(to, what));
  for (size_t at = 0; at < bytes; at += kPiece) {
    const size_t piece = bytes - at < kPiece ? bytes - at : kPiece;
    MUSPI_SetPayload(descriptor, from ? from_pa + at : from_pa, piece);
    MUSPI_SetOpCode(descriptor, (uint8_t)opcode);
    MUSPI_SetWordLength(descriptor, (uint8_t)word);
    MUSPI_SetRecPayloadBaseAddressInfo(descriptor, kSubgroup * 8 + kResultSlot, at);
    pami_ring_inject(&route.ring, descriptor, NULL, 0, (pami_injected_t){NULL, NULL});
  }
}

HOT_OF_COLLECTIVES bool pami_class_route_done(pami_context_impl_t* context) {
  if (route.ring.waiting) pami_ring_settle(&route.ring, context);
  if (*route.counter) return false;
  pami_ring_settle(&route.ring, context);
  return true;
}

HOT_OF_COLLECTIVES void pami_interrupt_barrier_enter(MUSPI_GIBarrier_t* barrier) {
  /* Others may have used the class meanwhile: its register knows the state. */
  MUSPI_GIBarrierInit(barrier, (uint32_t)barrier->classRouteId);
  MUSPI_GIBarrierEnter(barrier);
}

HOT_OF_COLLECTIVES bool pami_interrupt_barrier_done(MUSPI_GIBarrier_t* barrier) {
  return MUSPI_GIBarrierPoll(barrier) == 0;
}
