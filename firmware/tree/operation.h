// SPDX-License-Identifier: Apache-2.0
/// The operations: broadcasts, and reductions of the processes of all nodes.
#ifndef TOROID_FIRMWARE_TREE_OPERATION_H
#define TOROID_FIRMWARE_TREE_OPERATION_H

#include "firmware/tree/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Types of elements, in the core's byte order.
typedef enum { TREE_INT32, TREE_UINT32, TREE_INT64, TREE_UINT64, TREE_DOUBLE, TREE_ELEMENTS } tree_element_t;

/// Reductions. Doubles have only the first three; their sum is an operation of its own below.
typedef enum {
  TREE_REDUCE_SUM,  ///< modulo the element's size
  TREE_REDUCE_MAX,  ///< of doubles: -0 is less than +0; a NaN among the operands gives the NaN 0x7FF8000000000000
  TREE_REDUCE_MIN,
  TREE_REDUCE_AND,
  TREE_REDUCE_OR,
  TREE_REDUCE_XOR,
  TREE_REDUCTIONS
} tree_reduction_t;

/// Ranks whose doubles can be added: the sums have so many bits of headroom.
enum { TREE_SUM_HEADROOM = 18 };

/// What an operation under way needs.
typedef struct {
  tree_stream_t base;
  uint8_t* buffer;
  uint32_t bytes;
} tree_broadcast_t;

typedef struct {
  tree_stream_t base;
  const struct tree_operation* operation;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;  ///< NULL: not wanted
  uint32_t bytes;
} tree_reduce_t;

/// The position in the sequence of packets of a sum in two passes: exponents run ahead of mantissas.
typedef struct {
  uint32_t exponents;  ///< groups whose exponents are past
  uint32_t group;      ///< whose mantissas are due
  uint32_t part;       ///< of them
} tree_place_t;

enum { TREE_EXPONENTS_AHEAD = 4 };  ///< packets of exponents on the way before the first of their mantissas is

typedef struct {
  tree_stream_t base;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;
  uint32_t count;
  uint32_t groups;
  tree_place_t sending, receiving;
  /// By group, a ring.
  uint16_t greatest[TREE_EXPONENTS_AHEAD + 1][TREE_PAYLOAD_WORDS] __attribute__((aligned(16)));
} tree_two_pass_t;

typedef struct {
  tree_stream_t base;
  const uint8_t* const* inputs;
  uint32_t input_count;
  uint8_t* out;
} tree_wide_t;

typedef union {
  tree_stream_t stream;
  tree_broadcast_t broadcast;
  tree_reduce_t reduce;
  tree_two_pass_t two_pass;
  tree_wide_t wide;
} tree_work_t;

/// A reduction for a node: `inputs` of its processes combined with those of all other nodes, the result to `out` (NULL:
/// not wanted). `inputs` and what they point to stay until the stream is done.
typedef struct tree_operation {
  void (*begin)(const struct tree_operation* operation, tree_work_t* work, const uint8_t* const* inputs,
                uint32_t input_count, uint8_t* out, uint32_t count);
  uint32_t bytes;  ///< of an element
  uint32_t chunk;  ///< elements at a time, if they go through a buffer between the processes of a node
  uint32_t route_class;
  unsigned opcode, words;
  /// Elements are changed before and after; NULL: go as they are. `mask` is for even and odd words.
  void (*before)(const struct tree_operation* operation, uint32_t* packet);
  void (*after)(const struct tree_operation* operation, uint32_t* packet);
  uint32_t mask[2];
} tree_operation_t;

/// The reduction of elements; there is one of these. `buffer_bytes` is for `chunk`.
tree_operation_t tree_reduction(tree_element_t element, tree_reduction_t how, uint32_t route_class,
                                uint32_t buffer_bytes);

/// Sums of doubles. Both ways give the same bits at all ranks, whatever the shape of the tree and the order of the
/// ranks. Both treat special values alike: a NaN, or infinities of both signs, give the NaN 0x7FF8000000000000;
/// infinities of one sign give that one; a finite sum too large for a double gives infinity, but partial sums never
/// overflow; a sum of zeros, of either sign, is +0.
///
/// Two passes: the greatest exponent of an element's summands first, then their mantissas, aligned to that, as 96-bit
/// integers. The bits of each summand from 2^-76 of the greatest one's leading bit on are cut off; the sum of the rest
/// is rounded to nearest. 21 elements in each packet.
tree_operation_t tree_two_pass_sum(uint32_t route_class, uint32_t buffer_bytes);
/// One pass: integers of 2048 bits. Exact, rounded once, to nearest; but bits of values smaller than 2^-951 are cut
/// off. One packet for each element: for a few elements, at half the latency.
tree_operation_t tree_wide_sum(uint32_t route_class, uint32_t buffer_bytes);

/// A broadcast: the root's node (`sends`) sends what is in the buffer, all others receive into theirs.
void tree_begin_broadcast(tree_work_t* work, uint32_t route_class, uint8_t* buffer, uint32_t bytes, bool sends);

#ifdef __cplusplus
}
#endif

#endif
