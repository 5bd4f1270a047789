/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Messaging Unit by its registers, for programs that have no library (docs/guide/bgq_mu.md).
 */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_MU_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_MU_H

#include <stdint.h>

#include "firmware/programs/bgq/kernel.h"
#include "nic/bgq/mu_packet.h"
#include "nic/bgq/mu_regs.h"
#include "nic/bgq/personality.h"

/* Registers. ------------------------------------------------------------------------------------------------------ */

/* Register `offset` of a subgroup (mu_regs.h). */
static inline volatile uint64_t* mu_register(unsigned subgroup, uint64_t offset) {
  return (volatile uint64_t*)(BGQ_MU_BASE + subgroup / 4 * 0x10000ull + subgroup % 4 * 0x1000ull + offset);
}
/* Earlier stores to memory are done before later ones to the unit; what it has written is there for later loads. */
static inline void mu_fence(void) {
  __asm__ volatile("sync" : : : "memory");
}

/* A ring in memory, of descriptors or packets. The kernel's part: it is the process's. */
typedef struct mu_ring {
  uint8_t* memory;
  uint64_t pa;
  uint64_t bytes;
  volatile uint64_t* registers; /* START, SIZE - 1, HEAD, TAIL */
} mu_ring_t;
enum { MU_START, MU_SIZE, MU_HEAD, MU_TAIL };

static inline void mu_set_ring(const mu_ring_t* ring) {
  ring->registers[MU_START] = ring->pa;
  ring->registers[MU_HEAD] = ring->pa;
  ring->registers[MU_TAIL] = ring->pa;
  ring->registers[MU_SIZE] = ring->bytes - 1;
}

/* An injection FIFO of its own, over `bytes` bytes at `memory`, a multiple of 64. Returns 0 or the kernel's error. */
static inline uint64_t mu_open_injection(unsigned subgroup, unsigned fifo, void* memory, uint64_t bytes,
                                         uint32_t attributes, mu_ring_t* ring) {
  static uint8_t group[BGQ_SG_INJ_BYTES];
  const uint32_t number = fifo;
  const uint64_t error =
      kernel_call(BGQ_SYS_ALLOCATE_INJ_FIFOS, subgroup, (uint64_t)group, 1, (uint64_t)&number, (uint64_t)&attributes);
  if (error != 0) return error;
  ring->memory = memory;
  ring->pa = physical(memory);
  ring->bytes = bytes;
  ring->registers = *(volatile uint64_t**)(group + fifo * BGQ_SG_INJ_FIFO_BYTES + BGQ_FIFO_HARDWARE_AT);
  mu_set_ring(ring);
  *mu_register(subgroup, BGQ_MU_INJ_ENABLE_OFFSET) = 0x80000000u >> (subgroup % 4 * 8 + fifo);
  return 0;
}

/* The same for a reception FIFO; `bytes` is a multiple of 32. */
static inline uint64_t mu_open_reception(unsigned subgroup, unsigned fifo, void* memory, uint64_t bytes,
                                         mu_ring_t* ring) {
  static uint8_t group[BGQ_SG_REC_BYTES];
  const uint32_t number = fifo, attributes = 0;
  const uint64_t error =
      kernel_call(BGQ_SYS_ALLOCATE_REC_FIFOS, subgroup, (uint64_t)group, 1, (uint64_t)&number, (uint64_t)&attributes);
  if (error != 0) return error;
  ring->memory = memory;
  ring->pa = physical(memory);
  ring->bytes = bytes;
  ring->registers = *(volatile uint64_t**)(group + fifo * BGQ_SG_REC_FIFO_BYTES + BGQ_FIFO_HARDWARE_AT);
  mu_set_ring(ring);
  return kernel_call(BGQ_SYS_REC_FIFO_ENABLE, subgroup / 4, 0x8000u >> (subgroup % 4 * 4 + fifo), 0, 0, 0);
}

/* A base address of its own, to which offsets of puts are added. */
static inline uint64_t mu_open_base(unsigned subgroup, unsigned slot, uint64_t address) {
  static uint8_t group[BGQ_SG_BAT_BYTES];
  const uint32_t number = slot;
  const uint64_t error =
      kernel_call(BGQ_SYS_ALLOCATE_BASE_ADDRESS_TABLE, subgroup, (uint64_t)group, 1, (uint64_t)&number, 0);
  if (error == 0) *mu_register(subgroup, BGQ_MU_BASE_ADDRESS_OFFSET + 8 * slot) = address;
  return error;
}

/* Descriptors. ---------------------------------------------------------------------------------------------------- */

/* For `length` bytes at physical address `payload`, to the node at `to`: deterministic, by any link that leads there;
 * `local` if that is this node. A message to a memory FIFO until more is set. */
static inline void mu_describe(uint8_t* descriptor, const uint8_t* to, int local, uint64_t payload, uint64_t length) {
  bgq_descriptor_t what;
  bgq_network_t header;
  memset(descriptor, 0, BGQ_DESCRIPTOR_BYTES);
  memset(&what, 0, sizeof what);
  memset(&header, 0, sizeof header);
  what.payload = payload;
  what.length = length;
  what.fifo_map = local ? BGQ_FIFO_MAP_LOCAL0 : BGQ_FIFO_MAP_TORUS;
  header.type = BGQ_TYPE_POINT_TO_POINT;
  header.vc = BGQ_VC_DETERMINISTIC;
  header.chunks = BGQ_PAYLOAD_CHUNKS;
  header.skip = 8;
  memcpy(header.destination, to, sizeof header.destination);
  bgq_descriptor_encode(&what, descriptor);
  bgq_network_encode(&header, descriptor + BGQ_DESCRIPTOR_HEADER);
}

static inline void mu_set_type(uint8_t* descriptor, uint8_t type) {
  bgq_network_t header = bgq_network_decode(descriptor + BGQ_DESCRIPTOR_HEADER);
  header.mu_type = type;
  bgq_network_encode(&header, descriptor + BGQ_DESCRIPTOR_HEADER);
}

/* Puts the descriptor behind those that are there. The caller knows that there is room. */
static inline void mu_inject(const mu_ring_t* ring, const uint8_t* descriptor) {
  uint64_t at = ring->registers[MU_TAIL] - ring->pa;
  memcpy(ring->memory + at, descriptor, BGQ_DESCRIPTOR_BYTES);
  at += BGQ_DESCRIPTOR_BYTES;
  mu_fence();
  ring->registers[MU_TAIL] = ring->pa + (at == ring->bytes ? 0 : at);
}

/* Barrier over the job's nodes. ----------------------------------------------------------------------------------- */

/* Class 0 of the global interrupts: three states after one another. All nodes have left the one before. */
static inline void mu_barrier(void) {
  volatile uint64_t* const control = mu_register(0, BGQ_MU_BARRIER_CONTROL_OFFSET);
  volatile uint64_t* const status = mu_register(0, BGQ_MU_BARRIER_STATUS_OFFSET);
  const uint64_t state = *control;
  mu_fence();
  *control = state == 1 ? 4 : state >> 1;
  while ((*status & state) != 0) continue;
}

#endif
