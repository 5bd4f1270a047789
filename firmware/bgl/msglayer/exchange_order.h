// SPDX-License-Identifier: Apache-2.0
/// The order in which an all-to-all by packets goes through the distances, chosen so that all links are evenly loaded
/// at any time. A pure function with the same result at all nodes.
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
  uint8_t slowest_first[BGLML_ORDER_DIMENSIONS];  ///< dimensions; the last one changes with each distance
} bglml_exchange_order_t;

/// Computes all distances, starting with 0. Each is the number ((t * Z + z) * Y + y) * X + x of the offsets along each
/// dimension. Let `size` be the size of the fastest dimension. Any `size` consecutive distances that begin at a
/// multiple of `size` contain each offset along that dimension once, near and far ones alternating, in each direction.
/// From one such row to the next, the offsets along the other dimensions advance by one. `scratch` has room for as many
/// numbers as `distances`.
void bglml_exchange_order(const bglml_exchange_order_t* order, uint32_t* distances, uint32_t* scratch);

#ifdef __cplusplus
}
#endif

#endif
