// SPDX-License-Identifier: Apache-2.0
/// Register-level access to the DMA, thin and stateless: counters, injection FIFOs, descriptors. What the machine's own
/// programs use is the SPI (include/spi), which does the same with structures of its own.
///
/// A process sees the registers of group g at BGP_VA_DMA + g * BGP_VA_DMA_GROUP_STRIDE. Counters and FIFOs are the
/// kernel's to give out (nic/bgp/kernel_services.h); it does not keep a process from those of others.
///
/// Order. Stores to memory and to registers take effect in program order only across bgp_access_order(), which the
/// functions that write registers call where it matters: a descriptor is in memory before the tail moves, a counter has
/// its bytes before that, too. Read data after bgp_access_barrier().
///
/// Sources: registers and rules as stated in nic/bgp/dma_regs.rdl, dma_descriptor.h and dma_packet.h.
#ifndef TOROID_DRIVERS_BGP_DMA_H_
#define TOROID_DRIVERS_BGP_DMA_H_

#include <stdint.h>

#include "drivers/bgp/access.h"
#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_packet.h"
#include "nic/bgp/dma_regs.h"
#include "nic/bgp/kernel_services.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uintptr_t bgp_dma_address(unsigned group, uint32_t offset) {
  return BGP_VA_DMA + group * BGP_VA_DMA_GROUP_STRIDE + offset;
}
static inline uint32_t bgp_dma_read(unsigned group, uint32_t offset) {
  return bgp_access_read_word(bgp_dma_address(group, offset));
}
static inline void bgp_dma_write(unsigned group, uint32_t offset, uint32_t word) {
  bgp_access_write_word(bgp_dma_address(group, offset), word);
}

// Counters
// -------------------------------------------------------------------------------------------------------------

/// The two kinds have the same registers in two places.
typedef enum { BGP_DMA_INJECTION, BGP_DMA_RECEPTION } bgp_dma_kind_t;

static inline uint32_t bgp_dma_counter_offset(bgp_dma_kind_t kind, unsigned counter, uint32_t injection_offset) {
  const uint32_t block =
      kind == BGP_DMA_INJECTION ? BGP_DMA_INJ_COUNTER_VALUE_OFFSET : BGP_DMA_REC_COUNTER_VALUE_OFFSET;
  return block + (injection_offset - BGP_DMA_INJ_COUNTER_VALUE_OFFSET) + counter * BGP_DMA_INJ_COUNTER_VALUE_STRIDE;
}
static inline uint32_t bgp_dma_status_offset(bgp_dma_kind_t kind, unsigned counter, uint32_t injection_offset) {
  const uint32_t block =
      kind == BGP_DMA_INJECTION ? BGP_DMA_INJ_COUNTER_ENABLED_OFFSET : BGP_DMA_REC_COUNTER_ENABLED_OFFSET;
  return block + (injection_offset - BGP_DMA_INJ_COUNTER_ENABLED_OFFSET) +
         counter / 32 * BGP_DMA_INJ_COUNTER_ENABLED_STRIDE;
}
static inline uint32_t bgp_dma_counter_bit(unsigned counter) {
  return 0x80000000u >> counter % 32;
}

/// Sets the bytes still to come or go.
static inline void bgp_dma_counter_set(bgp_dma_kind_t kind, unsigned group, unsigned counter, uint32_t bytes) {
  bgp_dma_write(group, bgp_dma_counter_offset(kind, counter, BGP_DMA_INJ_COUNTER_VALUE_OFFSET), bytes);
}
/// Adds to the value, whatever the DMA subtracts meanwhile.
static inline void bgp_dma_counter_add(bgp_dma_kind_t kind, unsigned group, unsigned counter, uint32_t bytes) {
  bgp_dma_write(group, bgp_dma_counter_offset(kind, counter, BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET), bytes);
}
/// Where offsets count from: a physical address >> 4. A reception counter also has the last address >> 4 that it lets
/// through.
static inline void bgp_dma_counter_set_base(bgp_dma_kind_t kind, unsigned group, unsigned counter, uint32_t pa) {
  bgp_dma_write(group, bgp_dma_counter_offset(kind, counter, BGP_DMA_INJ_COUNTER_BASE_OFFSET), pa);
}
static inline void bgp_dma_counter_set_max(unsigned group, unsigned counter, uint32_t pa) {
  bgp_dma_write(group, BGP_DMA_REC_COUNTER_MAX_OFFSET + counter * BGP_DMA_REC_COUNTER_MAX_STRIDE, pa);
}
static inline void bgp_dma_counter_enable(bgp_dma_kind_t kind, unsigned group, unsigned counter) {
  bgp_dma_write(group, bgp_dma_status_offset(kind, counter, BGP_DMA_INJ_COUNTER_ENABLE_OFFSET),
                bgp_dma_counter_bit(counter));
}
static inline void bgp_dma_counter_disable(bgp_dma_kind_t kind, unsigned group, unsigned counter) {
  bgp_dma_write(group, bgp_dma_status_offset(kind, counter, BGP_DMA_INJ_COUNTER_DISABLE_OFFSET),
                bgp_dma_counter_bit(counter));
}
/// Whether the value has reached zero since the bit was cleared; then what was counted may be read. The bit stays.
static inline int bgp_dma_counter_hit_zero(bgp_dma_kind_t kind, unsigned group, unsigned counter) {
  const uint32_t word = bgp_dma_read(group, bgp_dma_status_offset(kind, counter, BGP_DMA_INJ_COUNTER_HIT_ZERO_OFFSET));
  if ((word & bgp_dma_counter_bit(counter)) == 0) return 0;
  bgp_access_barrier();
  return 1;
}
static inline void bgp_dma_counter_clear_hit_zero(bgp_dma_kind_t kind, unsigned group, unsigned counter) {
  bgp_dma_write(group, bgp_dma_status_offset(kind, counter, BGP_DMA_INJ_COUNTER_CLEAR_HIT_ZERO_OFFSET),
                bgp_dma_counter_bit(counter));
}

// Descriptors
// -----------------------------------------------------------------------------------------------------------

/// A direct put: `bytes` bytes, `from` bytes behind the base of an injection counter, to the node x, y, z, `to` bytes
/// behind the base of one of its reception counters. Counters are numbered over all groups: 64 * group + number.
typedef struct {
  unsigned x, y, z;
  unsigned vc;     ///< TORUS_VC_
  unsigned hints;  ///< TORUS_HINT_..., 0: the hardware chooses. To the own node: that of a ring
  unsigned injection_counter, reception_counter;
  uint32_t from, to, bytes;
} bgp_dma_put_t;

static inline void bgp_dma_put_descriptor(bgp_dma_descriptor_t* descriptor, const bgp_dma_put_t* put) {
  torus_fields_t fields;
  fields.csum_skip = TORUS_HEADER_BYTES / 2;
  fields.csum_off = fields.deposit = fields.pid = fields.software = 0;
  fields.hints = (uint8_t)put->hints;
  fields.chunks = (uint8_t)bgp_dma_packet_chunks(put->bytes);
  fields.dynamic = put->vc <= TORUS_VC_DYNAMIC1;
  fields.vc = (uint8_t)put->vc;
  fields.destination[0] = (uint8_t)put->x;
  fields.destination[1] = (uint8_t)put->y;
  fields.destination[2] = (uint8_t)put->z;
  const uint32_t word0 =
      torus_encode0(&fields) | BGP_DMA_HEADER0_DM_MASK | bgp_dma_pid_bits(put->reception_counter / 64);
  const uint32_t words[BGP_DMA_DESCRIPTOR_WORDS] = {
      0,         put->injection_counter & BGP_DMA_DESCRIPTOR1_COUNTER_MASK,
      put->from, put->bytes,
      word0,     torus_encode1(&fields),
      put->to,   bgp_dma_put_word3(put->reception_counter, 0, 0, 0),
  };
  for (unsigned word = 0; word < BGP_DMA_DESCRIPTOR_WORDS; word++) descriptor->word[word] = torus_be32(words[word]);
}

// Injection FIFOs
// -------------------------------------------------------------------------------------------------------

/// The physical addresses >> 4 that the FIFO has now: of the next descriptor that the DMA reads; and of where software
/// puts the next one.
static inline uint32_t bgp_dma_inj_head(unsigned group, unsigned fifo) {
  return bgp_dma_read(group, BGP_DMA_INJ_FIFO_HEAD_OFFSET + fifo * BGP_DMA_INJ_FIFO_HEAD_STRIDE);
}
static inline uint32_t bgp_dma_inj_tail(unsigned group, unsigned fifo) {
  return bgp_dma_read(group, BGP_DMA_INJ_FIFO_TAIL_OFFSET + fifo * BGP_DMA_INJ_FIFO_TAIL_STRIDE);
}

/// Puts a descriptor at the tail of a ring of `count` descriptors that begins at `ring`, at the physical address >> 4
/// `ring_pa`, and moves the tail. *place: which of them is the tail's, 0 to count - 1. The ring must have room.
static inline void bgp_dma_inject(unsigned group, unsigned fifo, bgp_dma_descriptor_t* ring, uint32_t ring_pa,
                                  unsigned count, unsigned* place, const bgp_dma_descriptor_t* descriptor) {
  ring[*place] = *descriptor;
  *place = (*place + 1) % count;
  bgp_access_order();
  bgp_dma_write(group, BGP_DMA_INJ_FIFO_TAIL_OFFSET + fifo * BGP_DMA_INJ_FIFO_TAIL_STRIDE,
                ring_pa + *place * BGP_DMA_DESCRIPTOR_QUADS);
  bgp_access_order();
}

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGP_DMA_H_
