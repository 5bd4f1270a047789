// SPDX-License-Identifier: Apache-2.0
/// In which order an all-to-all by packets goes through the distances, so that all links have an even load at every
/// time: pure, the same at all nodes.
#ifndef TOROID_FIRMWARE_MSGLAYER_EXCHANGE_ORDER_H
#define TOROID_FIRMWARE_MSGLAYER_EXCHANGE_ORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BGLML_ORDER_DIMENSIONS = 4 };  ///< X, Y, Z and the process of a node

/// The machine, X first.
typedef struct {
  uint8_t sizes[BGLML_ORDER_DIMENSIONS];
  uint8_t slowest_first[BGLML_ORDER_DIMENSIONS];  ///< dimensions, the one that changes with each distance last
} bglml_exchange_order_t;

/// All distances, each the number ((t * Z + z) * Y + y) * X + x of how far to go along each dimension, 0 first. Any
/// `size` of them in a row that begin at a multiple of the fastest dimension's size have each offset along that once:
/// near and far ones in turn, in each direction. From one such row to the next, the offsets along the others move on
/// by one. `scratch` has room for as many numbers as `distances`.
void bglml_exchange_order(const bglml_exchange_order_t* order, uint32_t* distances, uint32_t* scratch);

#ifdef __cplusplus
}
#endif

#endif
