// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/agree.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/collective.h"

static mpii_datatype_t* byte(void) {
  return mpii_object(MPI_BYTE, MPII_DATATYPE);
}

/// By dissemination: in round k a process tells the one 2^k places above it the greatest number it has seen.
/// `ranks` may be NULL: a member's place is its rank.
static uint32_t agree(mpii_comm_t* comm, int count, const int* ranks, int me, int tag, uint32_t number) {
  for (int step = 1; step < count; step *= 2) {
    int to = (me + step) % count, from = (me + count - step) % count;
    if (ranks != NULL) {
      to = ranks[to];
      from = ranks[from];
    }
    uint32_t other;
    mpii_request_t* receive = mpii_irecv(&other, sizeof other, byte(), from, tag, comm);
    mpii_request_t* send = mpii_isend(&number, sizeof number, byte(), to, tag, comm);
    mpii_finish(send, MPI_STATUS_IGNORE);
    mpii_finish(receive, MPI_STATUS_IGNORE);
    if (other > number) number = other;
  }
  return number;
}

uint32_t mpii_agree_max(mpii_comm_t* comm, uint32_t number) {
  return agree(comm, comm->size, NULL, comm->rank, MPII_TAG_AGREE, number);
}

uint32_t mpii_agree_among(mpii_comm_t* comm, int count, const int* ranks, int me, int tag, uint32_t number) {
  return agree(comm, count, ranks, me, tag, number);
}

/// Down a binomial tree.
void mpii_spread(mpii_comm_t* comm, int root, void* buffer, uint32_t bytes) {
  const int size = comm->size, me = (comm->rank + size - root) % size;
  int step = 1;
  while (step < size && (me & step) == 0) step *= 2;
  if (step < size) {
    mpii_request_t* receive = mpii_irecv(buffer, bytes, byte(), (me - step + root) % size, MPII_TAG_AGREE, comm);
    mpii_finish(receive, MPI_STATUS_IGNORE);
  }
  while ((step /= 2) > 0) {
    if (me + step >= size) continue;
    mpii_request_t* send = mpii_isend(buffer, bytes, byte(), (me + step + root) % size, MPII_TAG_AGREE, comm);
    mpii_finish(send, MPI_STATUS_IGNORE);
  }
}

/// What a process has doubles with every round: its own, and those of the ranks above it.
void mpii_collect(mpii_comm_t* comm, const void* mine, uint32_t bytes, void* all) {
  const int size = comm->size, rank = comm->rank;
  uint8_t* from_mine = mpii_allocate((size_t)size * bytes);
  memcpy(from_mine, mine, bytes);
  for (int have = 1; have < size; have *= 2) {
    const uint32_t more = (uint32_t)(have < size - have ? have : size - have) * bytes;
    const int to = (rank + size - have) % size, from = (rank + have) % size;
    mpii_request_t* receive = mpii_irecv(from_mine + (uint32_t)have * bytes, more, byte(), from, MPII_TAG_AGREE, comm);
    mpii_request_t* send = mpii_isend(from_mine, more, byte(), to, MPII_TAG_AGREE, comm);
    mpii_finish(send, MPI_STATUS_IGNORE);
    mpii_finish(receive, MPI_STATUS_IGNORE);
  }
  const uint32_t above = (uint32_t)(size - rank) * bytes, below = (uint32_t)rank * bytes;
  memcpy((uint8_t*)all + below, from_mine, above);
  memcpy(all, from_mine + above, below);
  free(from_mine);
}

void mpii_trade(mpii_comm_t* comm, int peer, int tag, const void* mine, uint32_t bytes, void* theirs,
                uint32_t their_bytes) {
  mpii_request_t* receive = mpii_irecv(theirs, their_bytes, byte(), peer, tag, comm);
  mpii_request_t* send = mpii_isend(mine, bytes, byte(), peer, tag, comm);
  mpii_finish(send, MPI_STATUS_IGNORE);
  mpii_finish(receive, MPI_STATUS_IGNORE);
}

void mpii_swap(mpii_comm_t* comm, const void* mine, uint32_t bytes, void* theirs, uint32_t their_bytes) {
  if (comm->rank == 0) mpii_trade(comm, 0, MPII_TAG_INTERCOMM, mine, bytes, theirs, their_bytes);
  mpii_spread(comm->local, 0, theirs, their_bytes);
}
