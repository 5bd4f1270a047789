// SPDX-License-Identifier: Apache-2.0
// MPI_Alltoall(), MPI_Alltoallv() and MPI_Alltoallw().
#include <stdlib.h>

#include "firmware/mpi/collective.h"

typedef enum { ALIKE, WITH_COUNTS, WITH_TYPES } form_t;  // MPI_Alltoall(), MPI_Alltoallv(), MPI_Alltoallw()

/// What goes out, or what comes in.
typedef struct {
  form_t form;
  const void* buffer;
  int count;                 ///< of each block, if they are equal
  const int* counts;         ///< if they are not
  const int* displacements;  ///< the same; with types in bytes
  MPI_Datatype type;
  const MPI_Datatype* types;
} side_t;

typedef struct {
  void* buffer;
  uint32_t count;
  mpii_datatype_t* datatype;
} block_t;

static block_t block_of(const side_t* side, int rank) {
  const MPI_Datatype handle = side->types != NULL ? side->types[rank] : side->type;
  block_t block = {NULL, (uint32_t)(side->counts != NULL ? side->counts[rank] : side->count),
                   mpii_object(handle, MPII_DATATYPE)};
  if (side->types != NULL) {
    block.buffer = (uint8_t*)(uintptr_t)side->buffer + side->displacements[rank];
  } else {
    const MPI_Aint index = side->counts != NULL ? side->displacements[rank] : (MPI_Aint)rank * side->count;
    block.buffer = mpii_element(side->buffer, index, block.datatype);
  }
  return block;
}

static uint32_t bytes_of(const block_t* block) {
  return block->count * block->datatype->size;
}

static int check(mpii_comm_t* comm, const side_t* side) {
  mpii_datatype_t* datatype;
  if (side->form == ALIKE) return mpii_check_plain(comm, side->buffer, side->count, side->type, &datatype);
  MPII_TRY(mpii_check_given(comm, side->counts, "the array of counts"));
  MPII_TRY(mpii_check_given(comm, side->displacements, "the array of displacements"));
  if (side->form == WITH_TYPES) MPII_TRY(mpii_check_given(comm, side->types, "the array of datatypes"));
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    // A datatype that nothing goes with may be any.
    if (side->types != NULL && side->counts[rank] == 0 && mpii_object(side->types[rank], MPII_DATATYPE) != NULL) {
      continue;
    }
    const MPI_Datatype type = side->types != NULL ? side->types[rank] : side->type;
    MPII_TRY(mpii_check_plain(comm, side->buffer, side->counts[rank], type, &datatype));
  }
  return MPI_SUCCESS;
}

enum { AT_A_TIME = 16 };  ///< ranks that one exchanges with in a round: all of them would be long queues to search

static void exchange(mpii_schedule_t* schedule, mpii_comm_t* comm, const block_t* out, int to, const block_t* in,
                     int from) {
  if (bytes_of(in) != 0) mpii_plan_receive(schedule, comm, in->buffer, in->count, in->datatype, from);
  if (bytes_of(out) != 0) mpii_plan_send(schedule, comm, out->buffer, out->count, out->datatype, to);
}

/// Between two groups; all go through the ranks in the same order, so that none waits for one that waits for him.
static void across(mpii_schedule_t* schedule, mpii_comm_t* comm, const side_t* send, const side_t* receive) {
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    if (rank % AT_A_TIME == 0) mpii_plan_round(schedule);
    const block_t out = block_of(send, rank), in = block_of(receive, rank);
    exchange(schedule, comm, &out, rank, &in, rank);
  }
}

/// With the ranks at growing distances: all are at the same distance in the same round.
static void around(mpii_schedule_t* schedule, mpii_comm_t* comm, const side_t* send, const side_t* receive) {
  const int size = comm->size, self = comm->rank;
  const block_t own = block_of(send, self), place = block_of(receive, self);
  mpii_plan_copy(schedule, own.buffer, own.count, own.datatype, place.buffer, place.count, place.datatype);
  for (int step = 1; step < size; ++step) {
    if (step % AT_A_TIME == 0) mpii_plan_round(schedule);
    const int to = (self + step) % size, from = (self + size - step) % size;
    const block_t out = block_of(send, to), in = block_of(receive, from);
    exchange(schedule, comm, &out, to, &in, from);
  }
}

/// What goes out lies where something else comes in: it leaves from copies.
static void in_place(mpii_schedule_t* schedule, mpii_comm_t* comm, const side_t* receive) {
  const int size = comm->size, self = comm->rank;
  uint8_t** copies = mpii_allocate((size_t)size * sizeof *copies);
  for (int rank = 0; rank < size; ++rank) {
    const block_t block = block_of(receive, rank);
    if (rank == self || bytes_of(&block) == 0) continue;
    copies[rank] = mpii_schedule_bytes(schedule, bytes_of(&block));
    mpii_plan_pack(schedule, block.buffer, block.count, block.datatype, copies[rank]);
  }
  for (int step = 1; step < size; ++step) {
    if (step % AT_A_TIME == 0) mpii_plan_round(schedule);
    const int to = (self + step) % size, from = (self + size - step) % size;
    const block_t out = block_of(receive, to), in = block_of(receive, from);
    if (bytes_of(&in) != 0) mpii_plan_receive(schedule, comm, in.buffer, in.count, in.datatype, from);
    if (copies[to] != NULL) {
      mpii_plan_send_packed(schedule, comm, copies[to], bytes_of(&out), out.datatype->basic, to);
    }
  }
  free(copies);
}

/// Over the torus, packet by packet, blocks without gaps.
static void by_network(const mpii_comm_t* comm, const side_t* send, const side_t* receive) {
  const uint32_t ranks = (uint32_t)comm->size;
  const block_t first = block_of(receive, 0);
  const block_t given = send->buffer == MPI_IN_PLACE ? first : block_of(send, 0);
  const uint32_t bytes = bytes_of(&first);
  const bool copies_out = send->buffer == MPI_IN_PLACE || !given.datatype->dense, copies_in = !first.datatype->dense;
  uint8_t* out = (uint8_t*)given.buffer + given.datatype->blocks[0].offset;
  uint8_t* in = (uint8_t*)first.buffer + first.datatype->blocks[0].offset;
  if (copies_out) {
    out = mpii_allocate_aligned((size_t)ranks * bytes);
    mpii_pack(given.buffer, ranks * given.count, given.datatype, out);
  }
  if (copies_in) in = mpii_allocate_aligned((size_t)ranks * bytes);
  mpii_network_alltoall(out, in, bytes);
  if (copies_in) {
    mpii_unpack(in, ranks * bytes, first.buffer, ranks * first.count, first.datatype);
    free(in);
  }
  if (copies_out) free(out);
}

/// What goes to a rank and what comes from it do not begin at one place. Blocks of different types may: each may take
/// other parts of an array.
static int check_apart(mpii_comm_t* comm, const side_t* send, const side_t* receive) {
  if (send->form == ALIKE) return mpii_check_apart(comm, send->buffer, receive->buffer, (uint32_t)send->count);
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    const block_t out = block_of(send, rank), in = block_of(receive, rank);
    if (out.datatype != in.datatype || bytes_of(&in) == 0) continue;
    MPII_TRY(mpii_check_apart(comm, out.buffer, in.buffer, out.count));
  }
  return MPI_SUCCESS;
}

static int alltoall(const char* function, const side_t* send, const side_t* receive, MPI_Comm handle,
                    MPI_Request* const* request) {
  mpii_call_t call;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_ALLTOALL, request, &call));
  mpii_comm_t* comm = call.comm;
  const bool inter = mpii_is_inter(comm);
  const bool here = send->buffer == MPI_IN_PLACE && !inter;
  MPII_TRY(check(comm, receive));
  if (!here) {
    MPII_TRY(check(comm, send));
    MPII_TRY(check_apart(comm, send, receive));
  }
  if (receive->form == ALIKE) {
    const block_t block = block_of(receive, 0);
    if (mpii_network_alltoall_fits(&call, bytes_of(&block))) {
      by_network(comm, send, receive);
      return MPI_SUCCESS;
    }
  }
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (here) {
    in_place(schedule, comm, receive);
  } else if (inter) {
    across(schedule, comm, send, receive);
  } else {
    around(schedule, comm, send, receive);
  }
  return mpii_schedule_run(schedule, call.request);
}

#define SEND                                             \
  &(side_t) {                                            \
    ALIKE, send, send_count, NULL, NULL, send_type, NULL \
  }
#define RECEIVE                                                   \
  &(side_t) {                                                     \
    ALIKE, receive, receive_count, NULL, NULL, receive_type, NULL \
  }
#define SENDV                                                              \
  &(side_t) {                                                              \
    WITH_COUNTS, send, 0, send_counts, send_displacements, send_type, NULL \
  }
#define RECEIVEV                                                                       \
  &(side_t) {                                                                          \
    WITH_COUNTS, receive, 0, receive_counts, receive_displacements, receive_type, NULL \
  }
#define SENDW                                                                           \
  &(side_t) {                                                                           \
    WITH_TYPES, send, 0, send_counts, send_displacements, MPI_DATATYPE_NULL, send_types \
  }
#define RECEIVEW                                                                                    \
  &(side_t) {                                                                                       \
    WITH_TYPES, receive, 0, receive_counts, receive_displacements, MPI_DATATYPE_NULL, receive_types \
  }

int PMPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  return alltoall("MPI_Alltoall", SEND, RECEIVE, comm, NULL);
}
MPII_PUBLIC(Alltoall);

int PMPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return alltoall("MPI_Ialltoall", SEND, RECEIVE, comm, &request);
}
MPII_PUBLIC(Ialltoall);

int PMPI_Alltoallv(const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                   void* receive, const int receive_counts[], const int receive_displacements[],
                   MPI_Datatype receive_type, MPI_Comm comm) {
  return alltoall("MPI_Alltoallv", SENDV, RECEIVEV, comm, NULL);
}
MPII_PUBLIC(Alltoallv);

int PMPI_Ialltoallv(const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                    void* receive, const int receive_counts[], const int receive_displacements[],
                    MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return alltoall("MPI_Ialltoallv", SENDV, RECEIVEV, comm, &request);
}
MPII_PUBLIC(Ialltoallv);

int PMPI_Alltoallw(const void* send, const int send_counts[], const int send_displacements[],
                   const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                   const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm) {
  return alltoall("MPI_Alltoallw", SENDW, RECEIVEW, comm, NULL);
}
MPII_PUBLIC(Alltoallw);

int PMPI_Ialltoallw(const void* send, const int send_counts[], const int send_displacements[],
                    const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                    const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                    MPI_Request* request) {
  return alltoall("MPI_Ialltoallw", SENDW, RECEIVEW, comm, &request);
}
MPII_PUBLIC(Ialltoallw);
