// SPDX-License-Identifier: Apache-2.0
/// Collective operations over the tree network: all ranks take part, and all call the same ones in the same order with
/// the same arguments, but for their buffers.
/// Ranks that do otherwise never get each other's data for good: a packet of another operation ends the process with a
/// line that says what was due and what came, and where none comes the machine's report names node and class.
///
/// The network does the work: packets are copied and combined on their way, so that an operation takes as long on many
/// nodes as on few, but for the depth of the tree. A call returns when this rank's part is done, and advances meanwhile
/// (msglayer.h); so it may not be made in a callback. There is no barrier in it: the tree itself waits. So a root may
/// be through with a broadcast before others have begun.
///
/// Where the network cannot be used (bglml_tree_available()) messages over the torus do the same, with the same results
/// to the bit, but slowly: broadcasts go along a binomial tree of ranks, reductions packet by packet up and down a
/// binary one.
///
/// In virtual node mode one process of a node stands for both; the other's bytes go through it.
///
/// Buffers may have any alignment; those aligned to 16 bytes go between memory and network without a copy where nothing
/// has to be done to their elements. `in` and `out` may be the same, but not overlap otherwise; `out` may be NULL only
/// where that is said. Errors end the process as in msglayer.h.
#ifndef TOROID_FIRMWARE_MSGLAYER_TREE_H
#define TOROID_FIRMWARE_MSGLAYER_TREE_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the network is used: it is where every process of the job is a rank of the layer, for all nodes of the job
/// are members of its classes. All ranks get the same answer.
bool bglml_tree_available(void);

enum { BGLML_TREE_MAX = 0x7FFFFFFF };  ///< bytes that an operation takes, `count` elements' together

/// Copy the `bytes` at the root's `buffer` to everybody else's.
void bglml_tree_broadcast(void* buffer, uint32_t bytes, uint32_t root);

/// Elements, in the core's byte order. Of those of a byte or two, or floats, programs make these.
typedef enum { BGLML_INT32, BGLML_UINT32, BGLML_INT64, BGLML_UINT64, BGLML_DOUBLE, BGLML_ELEMENTS } bglml_element_t;

/// What is made of them. Doubles have the first three only.
typedef enum {
  BGLML_SUM,  ///< of integers, modulo the element's size; of doubles, as BGLML_DOUBLE_TWO_PASS
  BGLML_MAX,  ///< of doubles: -0 is less than +0; a NaN among them gives the NaN 0x7FF8000000000000
  BGLML_MIN,
  BGLML_AND,
  BGLML_OR,
  BGLML_XOR,
  BGLML_REDUCTIONS
} bglml_reduction_t;

/// Combine element i of all ranks' `in` to element i of `out`, for each of `count`: at all ranks, or at `root`, whose
/// `out` alone is used then (NULL will do at the others).
void bglml_tree_allreduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how);
void bglml_tree_reduce(const void* in, void* out, uint32_t count, bglml_element_t element, bglml_reduction_t how,
                       uint32_t root);

/// How doubles are summed. Both ways give the same bits at all ranks, whatever the shape of the tree and the order of
/// the ranks. Both treat what is special alike: a NaN, or infinities of both signs, give the NaN 0x7FF8000000000000;
/// infinities of one sign give that one; a finite sum too large for a double gives infinity, but partial sums never
/// overflow; a sum of zeros, of either sign, is +0.
typedef enum {
  /// Two passes: the greatest exponent of an element's summands first, then their mantissas, aligned to that, as 96-bit
  /// integers. Of each summand the bits from 2^-76 of the greatest one's leading bit on are cut off; the sum of what is
  /// left is rounded to nearest. 21 elements a packet.
  BGLML_DOUBLE_TWO_PASS,
  /// One pass: integers of 2048 bits. Exact, rounded once, to nearest; but of what is smaller than 2^-951 bits are cut
  /// off. A packet an element: for a few elements, at half the latency.
  BGLML_DOUBLE_WIDE
} bglml_double_sum_t;

/// Sum element i of all ranks' `in` to element i of `out` at all ranks. At most 2^18 ranks.
void bglml_tree_sum_double(const double* in, double* out, uint32_t count, bglml_double_sum_t how);

#ifdef __cplusplus
}
#endif

#endif
