// SPDX-License-Identifier: Apache-2.0
/// What making communicators needs of communication: small messages between two processes, in the second context of a
/// communicator that exists. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_AGREE_H
#define TOROID_FIRMWARE_MPI_AGREE_H

#include "firmware/mpi/comm.h"
#include "firmware/mpi/transport.h"

/// How many contexts this process has given.
extern uint32_t mpii_contexts_given;

/// A context, as mpii_agree_context() has it, from a range that no other process gives numbers from: for processes that
/// cannot agree on one that is free. Those that are agreed on begin at 0.
static inline uint32_t mpii_give_context(void) {
  enum { CONTEXTS = 4 };  // of one communicator
  const uint32_t given = 0x80000000u;
  const uint64_t offset = ((uint64_t)mpii_contexts_given++ * mpit_size() + mpit_rank()) * CONTEXTS;
  if (offset >= given) mpii_end("no context is left: this process has begun %u duplicates", mpii_contexts_given - 1);
  return given + (uint32_t)offset;
}

/// What a process proposes where the greatest number that any proposes is to be the context: the least that it can use.
/// With threads that might be taken, by one that agrees in another communicator, before all know of it. Then one
/// process `gives` a number, and the others propose nothing.
static inline uint32_t mpii_propose_context(bool gives) {
  if (!MPIT_THREADS) return mpii_least_context();
  return gives ? mpii_give_context() : 0;
}

/// Tags from here on are not those of an operation, but are made of the program's own: of MPI_Comm_create_group() and
/// MPI_Intercomm_create(), which not all members of a communicator call.
enum { MPII_TAG_OF_PROGRAM = 0x40000000 };

/// The greatest of the numbers of `count` members of a communicator, whose ranks in it are `ranks`, at all of them;
/// this process is number `me` of them.
uint32_t mpii_agree_among(mpii_comm_t* comm, int count, const int* ranks, int me, int tag, uint32_t number);

/// Give `bytes` of one member of an intracommunicator to all.
void mpii_spread(mpii_comm_t* comm, int root, void* buffer, uint32_t bytes);

/// Collect `bytes` of each member of an intracommunicator at all of them, in the order of their ranks.
void mpii_collect(mpii_comm_t* comm, const void* mine, uint32_t bytes, void* all);

/// Both ways between two processes.
void mpii_trade(mpii_comm_t* comm, int peer, int tag, const void* mine, uint32_t bytes, void* theirs,
                uint32_t their_bytes);

/// What one group's first member has, at all members of the other group of an intercommunicator; both ways.
void mpii_swap(mpii_comm_t* comm, const void* mine, uint32_t bytes, void* theirs, uint32_t their_bytes);

#endif
