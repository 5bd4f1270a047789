// SPDX-License-Identifier: Apache-2.0
// Evenly spread distances. In a random order, the number of links that the packets of a direction have to cross stays
// above or below its mean for so long that the excess exceeds the capacity of the buffers.
#include "firmware/bgl/msglayer/exchange_order.h"

#include <string.h>

/// The distances along a ring, starting with 0: near and far ones alternating, each in both directions.
static void spread(uint32_t* offsets, uint32_t size) {
  *offsets++ = 0;
  for (uint32_t near = 1, far = size / 2; near <= far; ++near, --far) {
    *offsets++ = near;
    if (2 * near != size) *offsets++ = size - near;
    if (far == near) break;
    *offsets++ = far;
    if (2 * far != size) *offsets++ = size - far;
  }
}

void bglml_exchange_order(const bglml_exchange_order_t* order, uint32_t* distances, uint32_t* scratch) {
  uint32_t strides[BGLML_ORDER_DIMENSIONS] = {1};
  for (unsigned d = 1; d < BGLML_ORDER_DIMENSIONS; ++d) strides[d] = strides[d - 1] * order->sizes[d - 1];
  uint32_t count = 1;
  distances[0] = 0;
  for (unsigned i = 0; i < BGLML_ORDER_DIMENSIONS; ++i) {
    const unsigned dimension = order->slowest_first[i];
    const uint32_t size = order->sizes[dimension], stride = strides[dimension];
    uint32_t offsets[UINT8_MAX];
    if (size == 1) continue;
    spread(offsets, size);
    memcpy(scratch, distances, count * sizeof *scratch);
    uint32_t* to = distances;
    for (uint32_t row = 0; row < count; ++row) {
      uint32_t rest = row;
      for (uint32_t j = 0; j < size; ++j) {
        *to++ = scratch[rest] + offsets[j] * stride;
        if (++rest == count) rest = 0;
      }
    }
    count *= size;
  }
}
