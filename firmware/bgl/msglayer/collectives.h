// SPDX-License-Identifier: Apache-2.0
/// Collective operations over the torus: all ranks of the job take part and make the same calls in the same order with
/// the same arguments, except for the addresses of buffers and the counts and offsets of an all-to-all. A violation
/// never delivers wrong data silently: each message and packet identifies its operation, with root and size, and one
/// that does not fit ends the process with a line that says what was expected and what arrived. If none arrives, the
/// machine's report says which rank waits for what.
///
/// A call returns when this rank's part is done: its buffers have their final contents and may be used again. It
/// advances meanwhile (msglayer.h), so it must not be made in a callback. Every operation begins with a barrier, after
/// which all ranks know where the bytes of the others go: no data arrives unexpectedly and no data is buffered in
/// between.
///
/// Buffers may have any alignment; those aligned to 16 bytes are sent and received without a copy. Errors end the
/// process as in msglayer.h.
#ifndef TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H
#define TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Algorithm of a broadcast.
typedef enum {
  /// The torus deposits each packet at all nodes of a line. The message is split into pieces that travel over disjoint
  /// sets of links: one to three on meshes, two to six if all dimensions are rings. Requires a process of the job on
  /// every node; otherwise binomial.
  BGLML_BROADCAST_DEPOSIT,
  /// The same pieces and links, with messages from node to node. Has the same requirement.
  BGLML_BROADCAST_NEIGHBOURS,
  /// A binomial tree of ranks, whatever their places.
  BGLML_BROADCAST_BINOMIAL
} bglml_broadcast_t;

/// Copies the `bytes` bytes (0..2^31-1) at the root's `buffer` to the buffers of all other ranks.
void bglml_broadcast(void* buffer, uint32_t bytes, uint32_t root, bglml_broadcast_t how);

// ---------------------------------------------------------------------------------------------------------------
// Exchanges. In addition to the buffers they need a workspace of the caller: bglml_workspace() bytes, aligned as by
// malloc. One workspace can serve all operations, one after the other.

/// Size in bytes of the workspace for the operations below.
size_t bglml_workspace(void);

/// Algorithm of an all-to-all.
typedef enum {
  BGLML_ALLTOALL_AT_ONCE,   ///< all messages are posted, then waited for
  BGLML_ALLTOALL_PAIRS,     ///< one message out and one in at a time
  BGLML_ALLTOALL_RANDOM,    ///< packets of 224 bytes to one rank after the other, in a random order of each rank
  BGLML_ALLTOALL_SCHEDULED  ///< the same with the same sequence of distances at all ranks, and somewhat slower than
                            ///< the busiest links can carry: for machines of which one dimension is longer than others
} bglml_alltoall_t;

/// `send` and `receive` hold a block of `bytes` bytes for each rank, in rank order: block r of `send` goes to rank r,
/// block r of `receive` comes from rank r. The buffers must not overlap.
void bglml_alltoall(const void* send, void* receive, uint32_t bytes, bglml_alltoall_t how, void* workspace);

/// The same with blocks of different sizes: rank r receives `send_counts[r]` bytes from `send` + `send_offsets[r]`, and
/// `receive_counts[r]` bytes from rank r are stored at `receive` + `receive_offsets[r]`. Counts are 0..2^31-1. Sender
/// and receiver must agree on each count: a different length ends the process, and a rank that expects data which is
/// not sent waits for ever. All messages are posted at once.
void bglml_alltoallv(const void* send, const uint32_t* send_counts, const uint32_t* send_offsets, void* receive,
                     const uint32_t* receive_counts, const uint32_t* receive_offsets, void* workspace);

/// Gathers the blocks of all ranks at all ranks: rank r's `counts[r]` bytes at `send` are stored at `receive` +
/// `offsets[r]`. All ranks pass the same counts. The blocks travel around a ring of ranks.
void bglml_allgatherv(const void* send, void* receive, const uint32_t* counts, const uint32_t* offsets,
                      void* workspace);

#ifdef __cplusplus
}
#endif

#endif
