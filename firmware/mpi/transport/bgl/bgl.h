// SPDX-License-Identifier: Apache-2.0
/// The transport of Blue Gene/L: MPI on the message layer. For its own files.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGL_BGL_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGL_BGL_H

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/transport.h"

/// The values of environment variables, whose names follow mpit_prefix.
typedef struct {
  // The longest message, in bytes without its head, that is sent by each protocol; longer ones are sent by the next
  // protocol, finally by rendezvous. Short ones: mpit_short_bytes.
  uint32_t eager;     ///< EAGER: default 1000, as the real library's
  uint32_t adaptive;  ///< ADAPTIVE: adaptive eager; default 0, none
  // Collective operations over the machine's networks.
  uint32_t bcast_tree;       ///< BCAST_TREE: longest broadcast over the tree
  uint32_t bcast_torus;      ///< BCAST_TORUS: shortest broadcast along lines of the torus
  uint32_t reduce_tree;      ///< REDUCE_TREE: longest reduction over the tree
  uint32_t sum_tree;         ///< SUM_TREE: longest sum of doubles over the tree
  uint32_t sum_wide;         ///< SUM_WIDE: most doubles that are summed in one pass, a packet each
  uint32_t allgather_tree;   ///< ALLGATHER_TREE: all blocks together, over the tree
  uint32_t allgather_torus;  ///< ALLGATHER_TORUS: the least number of bytes together that go around the torus
  uint32_t alltoall_torus;   ///< ALLTOALL_TORUS: shortest block of an all-to-all packet by packet
} mpit_bgl_limits_t;

extern mpit_bgl_limits_t mpit_bgl_limits;
void mpit_bgl_limits_init(void);

/// Register the ports of programs' messages.
void mpit_bgl_messages_init(void);

/// Prepare the reception of a message by a protocol, in the landing's state.
bglml_eager_receive_t* mpit_bgl_eager_landing(const mpit_landing_t* landing);
bglml_rendezvous_receive_t* mpit_bgl_rendezvous_landing(const mpit_landing_t* landing);

#endif
