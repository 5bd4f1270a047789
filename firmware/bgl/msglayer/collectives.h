// SPDX-License-Identifier: Apache-2.0
/// Collective operations over the torus: all ranks of the job take part, and all call the same ones in the same order
/// with the same arguments, but for their buffers' addresses and the counts and offsets of an all-to-all.
/// Ranks that do otherwise never get each other's data for good: each message and packet says which operation it
/// belongs to, with root and size, and one that does not fit ends the process with a line that says what was due and
/// what came. Where none comes the machine's report says who waits for what.
///
/// A call returns when this rank's part is done: its buffers hold what they shall, and may be used again. It advances
/// meanwhile (msglayer.h), so it may not be made in a callback. Every operation begins with a barrier, after which all
/// know where the others' bytes shall go: nothing comes unexpected and nothing is stored in between.
///
/// Buffers may have any alignment; those aligned to 16 bytes are sent and received without a copy. Errors end the
/// process as in msglayer.h.
#ifndef TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H
#define TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H

#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the root's bytes get to all others.
typedef enum {
  /// The torus deposits each packet at all nodes of a line. The message is cut into pieces that travel over disjoint
  /// sets of links: one to three on meshes, two to six where all dimensions are rings. Needs a process of the job on
  /// every node; binomial otherwise.
  BGLML_BROADCAST_DEPOSIT,
  /// The same pieces and links, node by node in messages to neighbours. Needs the same.
  BGLML_BROADCAST_NEIGHBOURS,
  /// A binomial tree of ranks, whatever their places.
  BGLML_BROADCAST_BINOMIAL
} bglml_broadcast_t;

/// Copy the `bytes` (0..2^31-1) at the root's `buffer` to everybody else's.
void bglml_broadcast(void* buffer, uint32_t bytes, uint32_t root, bglml_broadcast_t how);

// ---------------------------------------------------------------------------------------------------------------
// Exchanges. What they need beyond the buffers is the caller's memory: bglml_workspace() bytes, aligned as malloc
// aligns; the same may be used for any operation, one after the other.

/// Bytes of workspace that the operations below need.
size_t bglml_workspace(void);

/// How each rank's blocks get to all others.
typedef enum {
  BGLML_ALLTOALL_AT_ONCE,   ///< all messages are posted, then all are waited for
  BGLML_ALLTOALL_PAIRS,     ///< one message out and one in at a time
  BGLML_ALLTOALL_RANDOM,    ///< packets of 224 bytes to one rank after the other, in an order drawn by each rank
  BGLML_ALLTOALL_SCHEDULED  ///< the same with the same sequence of distances at all ranks, and somewhat slower than
                            ///< the busiest links can carry: for machines of which one dimension is longer than others
} bglml_alltoall_t;

/// `send` and `receive` hold a block of `bytes` bytes a rank, in rank order: block r of `send` goes to rank r, block r
/// of `receive` comes from there. The buffers do not overlap.
void bglml_alltoall(const void* send, void* receive, uint32_t bytes, bglml_alltoall_t how, void* workspace);

/// The same with blocks of their own sizes: rank r gets `send_counts[r]` bytes at `send` + `send_offsets[r]`, and
/// `receive_counts[r]` bytes from there come to `receive` + `receive_offsets[r]`. Counts are 0..2^31-1; what one rank
/// sends another that one must expect: another length ends the process, and who expects what nobody sends waits for
/// ever. All messages are posted at once.
void bglml_alltoallv(const void* send, const uint32_t* send_counts, const uint32_t* send_offsets, void* receive,
                     const uint32_t* receive_counts, const uint32_t* receive_offsets, void* workspace);

/// Give everybody the blocks of all: rank r's `counts[r]` bytes at `send` come to `receive` + `offsets[r]`. All ranks
/// pass the same counts. The blocks go around the ranks in a ring.
void bglml_allgatherv(const void* send, void* receive, const uint32_t* counts, const uint32_t* offsets,
                      void* workspace);

#ifdef __cplusplus
}
#endif

#endif
