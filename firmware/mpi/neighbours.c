// SPDX-License-Identifier: Apache-2.0
// Collective operations among the neighbours of a topology.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/topology.h"

typedef enum { ALIKE, WITH_COUNTS, WITH_TYPES } form_t;  // plain, v and w

/// What goes out to all neighbours, or what comes in from them.
typedef struct {
  form_t form;
  const void* buffer;
  int count;                               ///< of each block, without `counts`
  const int* counts;                       ///< of the v and w forms
  const int* displacements;                ///< of the v forms
  const MPI_Aint* displacements_in_bytes;  ///< of the w form
  MPI_Datatype type;
  const MPI_Datatype* types;  ///< of the w form
  bool one_for_all;           ///< the same block for every neighbour
} side_t;

typedef struct {
  void* buffer;
  uint32_t count;
  mpii_datatype_t* datatype;
} block_t;

static int count_of(const side_t* side, int number) {
  return side->counts != NULL ? side->counts[number] : side->count;
}

static MPI_Datatype type_of(const side_t* side, int number) {
  return side->types != NULL ? side->types[number] : side->type;
}

static block_t block_of(const side_t* side, int number) {
  block_t block = {NULL, (uint32_t)count_of(side, number), mpii_object(type_of(side, number), MPII_DATATYPE)};
  if (side->displacements_in_bytes != NULL) {
    block.buffer = (uint8_t*)(uintptr_t)side->buffer + side->displacements_in_bytes[number];
  } else {
    const MPI_Aint index = side->displacements != NULL ? side->displacements[number]
                           : side->one_for_all         ? 0
                                                       : (MPI_Aint)number * side->count;
    block.buffer = mpii_element(side->buffer, index, block.datatype);
  }
  return block;
}

static int check(mpii_comm_t* comm, const side_t* side, int neighbours) {
  mpii_datatype_t* datatype;
  if (side->form == ALIKE) return mpii_check_plain(comm, side->buffer, side->count, side->type, &datatype);
  MPII_TRY(mpii_check_array(comm, side->counts, neighbours, "the array of counts"));
  if (side->form == WITH_TYPES) {
    MPII_TRY(mpii_check_array(comm, side->displacements_in_bytes, neighbours, "the array of displacements"));
    MPII_TRY(mpii_check_array(comm, side->types, neighbours, "the array of datatypes"));
  } else {
    MPII_TRY(mpii_check_array(comm, side->displacements, neighbours, "the array of displacements"));
  }
  for (int i = 0; i < neighbours; ++i) {
    MPII_TRY(mpii_check_plain(comm, side->buffer, side->counts[i], type_of(side, i), &datatype));
  }
  return MPI_SUCCESS;
}

static int run(const char* function, const side_t* send, const side_t* receive, MPI_Comm handle,
               MPI_Request* const* request) {
  mpii_call_t call;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_NEIGHBOURS, request, &call));
  mpii_comm_t* comm = call.comm;
  if (comm->topology == NULL) return mpii_fail(comm, MPI_ERR_TOPOLOGY, "the communicator has no topology");
  mpii_neighbours_t neighbours = mpii_neighbours(comm);
  int error = check(comm, receive, neighbours.in);
  if (error == MPI_SUCCESS) error = check(comm, send, neighbours.out);
  if (error != MPI_SUCCESS) {
    free(neighbours.memory);
    return error;
  }
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  for (int i = 0; i < neighbours.in; ++i) {
    // A neighbour that is both the previous and the next one sends its forward message after its backward one.
    const int number = neighbours.grid ? i ^ 1 : i;
    const block_t block = block_of(receive, number);
    if (neighbours.sources[number] == MPI_PROC_NULL || block.count * block.datatype->size == 0) continue;
    mpii_plan_receive(schedule, comm, block.buffer, block.count, block.datatype, neighbours.sources[number]);
  }
  for (int i = 0; i < neighbours.out; ++i) {
    const block_t block = block_of(send, i);
    if (neighbours.destinations[i] == MPI_PROC_NULL || block.count * block.datatype->size == 0) continue;
    mpii_plan_send(schedule, comm, block.buffer, block.count, block.datatype, neighbours.destinations[i]);
  }
  free(neighbours.memory);
  return mpii_schedule_run(schedule, call.request);
}

#define SAME                                                                    \
  &(side_t) {                                                                   \
    .buffer = send, .count = send_count, .type = send_type, .one_for_all = true \
  }
#define SEND                                               \
  &(side_t) {                                              \
    .buffer = send, .count = send_count, .type = send_type \
  }
#define SEND_V                                                                                                         \
  &(side_t) {                                                                                                          \
    .form = WITH_COUNTS, .buffer = send, .counts = send_counts, .displacements = send_displacements, .type = send_type \
  }
#define SEND_W                                                                                               \
  &(side_t) {                                                                                                \
    .form = WITH_TYPES, .buffer = send, .counts = send_counts, .displacements_in_bytes = send_displacements, \
    .types = send_types                                                                                      \
  }
#define RECEIVE                                                     \
  &(side_t) {                                                       \
    .buffer = receive, .count = receive_count, .type = receive_type \
  }
#define GATHER_V                                                                                      \
  &(side_t) {                                                                                         \
    .form = WITH_COUNTS, .buffer = receive, .counts = receive_counts, .displacements = displacements, \
    .type = receive_type                                                                              \
  }
#define RECEIVE_V                                                                                             \
  &(side_t) {                                                                                                 \
    .form = WITH_COUNTS, .buffer = receive, .counts = receive_counts, .displacements = receive_displacements, \
    .type = receive_type                                                                                      \
  }
#define RECEIVE_W                                                                                                     \
  &(side_t) {                                                                                                         \
    .form = WITH_TYPES, .buffer = receive, .counts = receive_counts, .displacements_in_bytes = receive_displacements, \
    .types = receive_types                                                                                            \
  }

int PMPI_Neighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, MPI_Comm comm) {
  return run("MPI_Neighbor_allgather", SAME, RECEIVE, comm, NULL);
}
MPII_PUBLIC(Neighbor_allgather);

int PMPI_Neighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
                             MPI_Comm comm) {
  return run("MPI_Neighbor_allgatherv", SAME, GATHER_V, comm, NULL);
}
MPII_PUBLIC(Neighbor_allgatherv);

int PMPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm) {
  return run("MPI_Neighbor_alltoall", SEND, RECEIVE, comm, NULL);
}
MPII_PUBLIC(Neighbor_alltoall);

int PMPI_Neighbor_alltoallv(const void* send, const int send_counts[], const int send_displacements[],
                            MPI_Datatype send_type, void* receive, const int receive_counts[],
                            const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm) {
  return run("MPI_Neighbor_alltoallv", SEND_V, RECEIVE_V, comm, NULL);
}
MPII_PUBLIC(Neighbor_alltoallv);

int PMPI_Neighbor_alltoallw(const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                            const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                            const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm) {
  return run("MPI_Neighbor_alltoallw", SEND_W, RECEIVE_W, comm, NULL);
}
MPII_PUBLIC(Neighbor_alltoallw);

int PMPI_Ineighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                             MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return run("MPI_Ineighbor_allgather", SAME, RECEIVE, comm, &request);
}
MPII_PUBLIC(Ineighbor_allgather);

int PMPI_Ineighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                              const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
                              MPI_Comm comm, MPI_Request* request) {
  return run("MPI_Ineighbor_allgatherv", SAME, GATHER_V, comm, &request);
}
MPII_PUBLIC(Ineighbor_allgatherv);

int PMPI_Ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return run("MPI_Ineighbor_alltoall", SEND, RECEIVE, comm, &request);
}
MPII_PUBLIC(Ineighbor_alltoall);

int PMPI_Ineighbor_alltoallv(const void* send, const int send_counts[], const int send_displacements[],
                             MPI_Datatype send_type, void* receive, const int receive_counts[],
                             const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                             MPI_Request* request) {
  return run("MPI_Ineighbor_alltoallv", SEND_V, RECEIVE_V, comm, &request);
}
MPII_PUBLIC(Ineighbor_alltoallv);

int PMPI_Ineighbor_alltoallw(const void* send, const int send_counts[], const MPI_Aint send_displacements[],
                             const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                             const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                             MPI_Request* request) {
  return run("MPI_Ineighbor_alltoallw", SEND_W, RECEIVE_W, comm, &request);
}
MPII_PUBLIC(Ineighbor_alltoallw);
