// SPDX-License-Identifier: Apache-2.0
/// Collective operations over the tree network: all ranks take part and make the same calls in the same order with the
/// same arguments, except for their buffers. A violation never delivers wrong data silently: a packet of another
/// operation ends the process with a line that says what was expected and what arrived; if none arrives, the machine's
/// report names node and class.
///
/// The network does the work: packets are copied and combined on their route, so the time of an operation depends on
/// the number of nodes only by the depth of the tree. A call returns when this rank's part is done, and advances
/// meanwhile (msglayer.h), so it must not be made in a callback. It contains no barrier, because the tree itself waits.
/// So a root may complete a broadcast before others have begun.
///
/// If the network cannot be used (bglml_tree_available()), messages over the torus give the same results to the bit,
/// but slowly: broadcasts use a binomial tree of ranks, reductions go packet by packet up and down a binary tree.
///
/// In virtual node mode one process of a node acts for both; the other's bytes go through it.
///
/// Buffers may have any alignment; those aligned to 16 bytes are transferred between memory and network without a copy
/// if their elements need no conversion. `in` and `out` may be the same, but must not overlap otherwise; `out` may be
/// NULL only where stated. Errors end the process as in msglayer.h.
#ifndef TOROID_FIRMWARE_MSGLAYER_TREE_H
#define TOROID_FIRMWARE_MSGLAYER_TREE_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the network is used. It is used if every process of the job is a rank of the layer, because all nodes of the
/// job are members of its classes. All ranks get the same answer.
bool bglml_tree_available(void);

enum { BGLML_TREE_MAX = 0x7FFFFFFF };  ///< largest size of an operation: bytes of all `count` elements together

/// Copies the `bytes` bytes at the root's `buffer` to the buffers of all other ranks.
void bglml_tree_broadcast(void* buffer, uint32_t bytes, uint32_t root);

/// Types of elements, in the core's byte order. Programs convert elements of one or two bytes and floats to these.
typedef enum { BGLML_INT32, BGLML_UINT32, BGLML_INT64, BGLML_UINT64, BGLML_DOUBLE, BGLML_ELEMENTS } bglml_element_t;

/// Operations. Doubles have only the first three.
typedef enum {
  BGLML_SUM,  ///< of integers, modulo the element's size; of doubles, as BGLML_DOUBLE_TWO_PASS
  BGLML_MAX,  ///< of doubles: -0 is less than +0; a NaN among the operands gives the NaN 0x7FF8000000000000
  BGLML_MIN,
  BGLML_AND,
  BGLML_OR,
  BGLML_XOR,
  BGLML_REDUCTIONS
} bglml_reduction_t;

/// Combines element i of all ranks' `in` to element i of `out`, for each of `count` elements: at all ranks, or at
/// `root`; then only the root's `out` is used, and may be NULL at the others.
void bglml_tree_allreduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how);
void bglml_tree_reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                       uint32_t root);

/// Methods of summing doubles. Both give the same bits at all ranks, whatever the shape of the tree and the order of
/// the ranks. Both treat special values alike: a NaN, or infinities of both signs, give the NaN 0x7FF8000000000000;
/// infinities of one sign give that one; a finite sum too large for a double gives infinity, but partial sums never
/// overflow; a sum of zeros, of either sign, is +0.
typedef enum {
  /// Two passes: the greatest exponent of an element's summands first, then their mantissas, aligned to that, as 96-bit
  /// integers. The bits of each summand from 2^-76 of the greatest one's leading bit on are cut off; the sum of the
  /// rest is rounded to nearest. 21 elements in each packet.
  BGLML_DOUBLE_TWO_PASS,
  /// One pass: integers of 2048 bits. Exact, rounded once, to nearest; but bits of values smaller than 2^-951 are cut
  /// off. One packet for each element: for a few elements, at half the latency.
  BGLML_DOUBLE_WIDE
} bglml_double_sum_t;

/// Sums element i of all ranks' `in` to element i of `out` at all ranks. At most 2^18 ranks.
void bglml_tree_sum_double(const double* in, double* out, uint32_t count, bglml_double_sum_t how);

#ifdef __cplusplus
}
#endif

#endif
