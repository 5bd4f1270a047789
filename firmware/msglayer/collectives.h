// SPDX-License-Identifier: Apache-2.0
/// Collective operations over the torus: all ranks of the job take part, and all call the same ones in the same order
/// with the same arguments, but for their buffers' addresses.
///
/// A call returns when this rank's part is done: its buffers hold what they shall, and may be used again. It advances
/// meanwhile (msglayer.h), so it may not be made in a callback. Every operation begins with a barrier, after which all
/// know where the others' bytes shall go: nothing comes unexpected and nothing is stored in between.
///
/// Buffers may have any alignment; those aligned to 16 bytes are sent and received without a copy. Errors end the
/// process as in msglayer.h.
#ifndef TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H
#define TOROID_FIRMWARE_MSGLAYER_COLLECTIVES_H

#include "firmware/msglayer/msglayer.h"

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

#ifdef __cplusplus
}
#endif

#endif
