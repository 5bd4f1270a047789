// SPDX-License-Identifier: Apache-2.0
// FIFOs and counters of the DMA. Each process takes them in a group of its own: SMP 0, DUAL 0 and 2, VN one each.
#include <errno.h>

#include "firmware/bgp/dcmf/state.h"

enum {
  DESCRIPTOR_BYTES = 32,
  QUAD_BYTES = 16,
  RINGS_TAKEN = DCMF_RINGS + DCMF_FETCH_RINGS,
  FETCH_LEAST = DCMF_RING_SLOTS,
  FETCH_MOST = 1 << 17,  // descriptors of a ring for remote gets: 4 MB
  FETCHES_MOST = 16,     // to one rank at a time
  RECEPTION_BYTES = 8 << 20,
  RECEPTION_LEAST = 8704,
  SUBGROUPS = 4,
  FIRST_SUBGROUP = 4,
};

// Torus FIFOs, a bit each: 0x80 to 0x10 are N0, N1, N2 and the high-priority one of the first group, 0x08 to 0x01 those
// of the second. Normal rings have one each, so that messages keep their order.
static const unsigned char kMaps[DCMF_RINGS] = {0x80, 0x40, 0x20, 0x08, 0x04, 0x02, 0x10, 0, 0};
static const unsigned char kAllNormal = 0xEE;

static void init_ring(unsigned id, uint32_t descriptors, char** start) {
  const size_t bytes = (size_t)descriptors * DESCRIPTOR_BYTES;
  *start = dcmf_allocate(bytes, DESCRIPTOR_BYTES);
  if (DMA_InjFifoInitById(&dcmf_instance->injection, (int)id, *start, *start, *start + bytes) != 0) {
    dcmf_fatal("injection FIFO %u of group %u cannot be set up", id, dcmf_instance->group);
  }
}

static void take_injection(void) {
  dcmf_state_t* state = dcmf_instance;
  int ids[RINGS_TAKEN];
  unsigned short priorities[RINGS_TAKEN], locals[RINGS_TAKEN];
  unsigned char maps[RINGS_TAKEN];
  for (unsigned i = 0; i < RINGS_TAKEN; ++i) {
    if (i < DCMF_RINGS) {
      ids[i] = (int)(DCMF_FIFO_FIRST_RING - i);
      priorities[i] = i == DCMF_RING_CONTROL;
      locals[i] = i >= DCMF_RING_LOCAL;
      maps[i] = kMaps[i];
    } else {
      ids[i] = (int)(DCMF_FIFO_FIRST_FETCH - (i - DCMF_RINGS));
      priorities[i] = 0;
      locals[i] = ids[i] == DCMF_FIFO_LOCAL_FETCH;
      maps[i] = locals[i] ? 0 : kAllNormal;
    }
  }
  const int error = DMA_InjFifoGroupAllocate((int)state->group, RINGS_TAKEN, ids, priorities, locals, maps, NULL, NULL,
                                             0, NULL, &state->injection);
  if (error != 0) {
    dcmf_fatal("injection FIFOs %u to %u of group %u cannot be had (error %d; %d: they are taken)",
               DCMF_FIFO_LOCAL_FETCH, DCMF_FIFO_FIRST_RING, state->group, error, EBUSY);
  }
  state->rings = dcmf_allocate(sizeof *state->rings * DCMF_RINGS, 16);
  char* bounces = dcmf_allocate((size_t)DCMF_RINGS * DCMF_RING_SLOTS * DCMF_BOUNCE_BYTES, DCMF_BOUNCE_BYTES);
  state->bounce =
      dcmf_physical_of("DCMF_Messager_initialize", bounces, (size_t)DCMF_RINGS * DCMF_RING_SLOTS * DCMF_BOUNCE_BYTES);
  for (unsigned i = 0; i < DCMF_RINGS; ++i) {
    dcmf_ring_t* ring = &state->rings[i];
    ring->id = DCMF_FIFO_FIRST_RING - i;
    ring->bounce = bounces + (size_t)i * DCMF_RING_SLOTS * DCMF_BOUNCE_BYTES;
    init_ring(ring->id, DCMF_RING_SLOTS, &ring->start);
  }
  // Room for all remote gets that all ranks may have on their way to this one: a ring of them never is full, which
  // would stop the DMA's reception.
  uint32_t room = FETCH_LEAST;
  while (room < FETCH_MOST && room < 4 * state->size + DCMF_RING_RESERVE) room *= 2;
  state->most_fetches = (room - DCMF_RING_RESERVE) / state->size;
  if (state->most_fetches > FETCHES_MOST) state->most_fetches = FETCHES_MOST;
  if (state->most_fetches == 0) dcmf_fatal("%u ranks are more than DCMF is made for", state->size);
  for (unsigned i = 0; i < DCMF_FETCH_RINGS; ++i) {
    char* start;
    init_ring(DCMF_FIFO_FIRST_FETCH - i, room, &start);
  }
}

// Counters that stand for all of memory: base 0, so that offsets are physical addresses. Software never looks at the
// value of the two that count puts and what is sent: it goes round.
static void set_to_memory(DMA_CounterGroup_t* counters, int id, uint32_t value) {
  DMA_CounterSetValueBaseMaxHw(counters->counter[id].counter_hw_ptr, value, 0, 0xFFFFFFFFu);
  DMA_CounterSetEnableById(counters, id);
}

static void take_counters(void) {
  dcmf_state_t* state = dcmf_instance;
  uint32_t subgroups[SUBGROUPS];
  for (uint32_t i = 0; i < SUBGROUPS; ++i) subgroups[i] = FIRST_SUBGROUP + i;
  int last = FIRST_SUBGROUP + SUBGROUPS - 1;
  int error = DMA_CounterGroupAllocate(DMA_Type_Injection, (int)state->group, 1, &last, 0, NULL, NULL, 0,
                                       &state->injection_counters);
  if (error == 0) {
    // Not by the SPI, which would also say what is to be called: they may interrupt, once that is configured.
    const uint32_t may_interrupt = 1;
    error = (int)Kernel_CounterGroupAllocate(DMA_Type_Reception, state->group, SUBGROUPS, subgroups, 0, may_interrupt,
                                             NULL, 0, (uint32_t*)(void*)&state->reception_counters);
  }
  if (error != 0) {
    dcmf_fatal("counters %u to %u of group %u cannot be had (error %d; %d: they are taken)", DCMF_COUNTER_FIRST,
               DCMF_COUNTER_MEMORY, state->group, error, EBUSY);
  }
  set_to_memory(&state->injection_counters, DCMF_COUNTER_MEMORY, DMA_COUNTER_INIT_VAL);
  set_to_memory(&state->reception_counters, DCMF_COUNTER_MEMORY, DMA_COUNTER_INIT_VAL);
  for (int i = 0; i < DCMF_COUNTERS; ++i) {
    set_to_memory(&state->reception_counters, DCMF_COUNTER_FIRST + i, DMA_COUNTER_INIT_VAL);
  }
}

static void take_reception(void) {
  dcmf_state_t* state = dcmf_instance;
  DMA_RecFifoMap_t map;
  memset(&map, 0, sizeof map);
  for (unsigned pid = 0; pid < DMA_NUM_REC_FIFO_GROUPS; ++pid) {
    for (unsigned from = 0; from < sizeof map.ts_rec_map[pid] / sizeof map.ts_rec_map[pid][0]; ++from) {
      map.ts_rec_map[pid][from] = (unsigned char)(pid * DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP + DCMF_RECEPTION_FIFO);
    }
  }
  uint32_t bytes = dcmf_setting("DCMF_RECFIFO", RECEPTION_BYTES) / DESCRIPTOR_BYTES * DESCRIPTOR_BYTES;
  if (bytes < RECEPTION_LEAST) bytes = RECEPTION_LEAST;
  // Crossed by every packet in the FIFO: for interrupts.
  map.threshold[0] = bytes / QUAD_BYTES - 2;
  // One process of the node sets it; it is the same for all.
  (void)DMA_RecFifoSetMap(&map);
  state->reception = DMA_RecFifoGetFifoGroup((int)state->group, 0, NULL, NULL, NULL, NULL, 0);
  if (state->reception == NULL) dcmf_fatal("the reception FIFOs of group %u cannot be had", state->group);
  char* start = dcmf_allocate(bytes, DESCRIPTOR_BYTES);
  if (DMA_RecFifoInitById(state->reception, DCMF_RECEPTION_FIFO, start, start, start + bytes) != 0) {
    dcmf_fatal("reception FIFO %u of group %u cannot be set up", DCMF_RECEPTION_FIFO, state->group);
  }
}

void dcmf_take_resources(void) {
  take_counters();
  take_injection();
  take_reception();
  dcmf_make_acknowledgements();
  dcmf_state_t* state = dcmf_instance;
  state->shared = dcmf_find_shared();
  state->scratch = dcmf_physical_of("DCMF_Messager_initialize", dcmf_allocate(16, 16), 16);
}

void dcmf_give_resources(void) {
  dcmf_state_t* state = dcmf_instance;
  int ids[RINGS_TAKEN];
  for (unsigned i = 0; i < RINGS_TAKEN; ++i) ids[i] = (int)(DCMF_FIFO_FIRST_RING - i);
  (void)DMA_InjFifoGroupFree((int)state->group, RINGS_TAKEN, ids, &state->injection);
}
