// SPDX-License-Identifier: Apache-2.0
//
// The shared headers compiled as C11; test_bgp_headers.cpp compiles them as C++17 and compares.
#include "nic/bgp/dma_descriptor.h"
#include "nic/bgp/dma_regs.h"

_Static_assert(sizeof(bgp_dma_descriptor_t) == BGP_DMA_DESCRIPTOR_BYTES, "a descriptor is 32 bytes");
_Static_assert(_Alignof(bgp_dma_descriptor_t) == BGP_DMA_DESCRIPTOR_BYTES, "descriptors are aligned");

uint32_t bgp_headers_c11_put_word3(unsigned counter, unsigned bytes, unsigned flags, unsigned fifo);
uint64_t bgp_headers_c11_last_counter(void);

uint32_t bgp_headers_c11_put_word3(unsigned counter, unsigned bytes, unsigned flags, unsigned fifo) {
  return bgp_dma_put_word3(counter, bytes, flags, fifo);
}
uint64_t bgp_headers_c11_last_counter(void) {
  return BGP_DMA_BASE + (BGP_DMA_GROUP_COUNT - 1) * BGP_DMA_GROUP_STRIDE + BGP_DMA_REC_COUNTER_MAX_OFFSET +
         (BGP_DMA_REC_COUNTER_MAX_COUNT - 1) * BGP_DMA_REC_COUNTER_MAX_STRIDE;
}
