// SPDX-License-Identifier: Apache-2.0
//
// The headers that drivers include are plain C11.
#include "nic/bgq/mu_packet.h"
#include "nic/bgq/mu_regs.h"

unsigned bgq_headers_in_c(const uint8_t* descriptor);
unsigned bgq_headers_in_c(const uint8_t* descriptor) {
  const bgq_descriptor_t what = bgq_descriptor_decode(descriptor);
  const bgq_network_t network = bgq_network_decode(descriptor + BGQ_DESCRIPTOR_HEADER);
  return (unsigned)what.length + network.chunks + BGQ_MU_INJ_FIFO_TAIL_OFFSET;
}
