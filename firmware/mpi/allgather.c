// SPDX-License-Identifier: Apache-2.0
// MPI_Allgather() and MPI_Allgatherv(). All ranks know all counts.
#include <stdlib.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

typedef struct {
  const void* send;
  int send_count;
  MPI_Datatype send_type;
  void* receive;
  int receive_count;
  MPI_Datatype receive_type;
  bool varies;  ///< MPI_Allgatherv()
  const int* counts;
  const int* displacements;
} arguments_t;

/// Where the blocks go.
typedef struct {
  const arguments_t* arguments;
  mpii_datatype_t* datatype;
} places_t;

static uint32_t count_of(const places_t* places, int rank) {
  return (uint32_t)(places->arguments->varies ? places->arguments->counts[rank] : places->arguments->receive_count);
}

static uint32_t bytes_of(const places_t* places, int rank) {
  return count_of(places, rank) * places->datatype->size;
}

static void* place_of(const places_t* places, int rank) {
  const arguments_t* arguments = places->arguments;
  const MPI_Aint index = arguments->varies ? arguments->displacements[rank] : (MPI_Aint)rank * arguments->receive_count;
  return mpii_element(arguments->receive, index, places->datatype);
}

/// In each round as many blocks again: from the rank as far above as one has blocks, while one's own go as far below.
/// For short blocks: there are only log2(size) rounds. Blocks are packed, from one's own on.
static void doubling(mpii_schedule_t* schedule, mpii_comm_t* comm, const places_t* places, uint32_t total) {
  const int size = comm->size, self = comm->rank;
  const mpii_basic_t basic = places->datatype->basic;
  uint32_t* at = mpii_schedule_bytes(schedule, ((size_t)size + 1) * sizeof *at);
  uint8_t* all = mpii_schedule_bytes(schedule, total);
  at[0] = 0;
  for (int i = 0; i < size; ++i) at[i + 1] = at[i] + bytes_of(places, (self + i) % size);
  mpii_plan_pack(schedule, place_of(places, self), count_of(places, self), places->datatype, all);
  for (int held = 1; held < size; held *= 2) {
    const int blocks = held < size - held ? held : size - held;
    const uint32_t in = at[held + blocks] - at[held], out = at[blocks];
    if (in != 0) mpii_plan_receive_packed(schedule, comm, all + at[held], in, basic, (self + held) % size);
    if (out != 0) mpii_plan_send_packed(schedule, comm, all, out, basic, (self + size - held) % size);
    mpii_plan_round(schedule);
  }
  for (int i = 1; i < size; ++i) {
    const int rank = (self + i) % size;
    mpii_plan_unpack(schedule, all + at[i], place_of(places, rank), count_of(places, rank), places->datatype);
  }
}

/// Blocks go around the ranks, each straight to its place.
static void ring(mpii_schedule_t* schedule, mpii_comm_t* comm, const places_t* places) {
  const int size = comm->size;
  const int next = (comm->rank + 1) % size, last = (comm->rank + size - 1) % size;
  for (int step = 0; step < size - 1; ++step) {
    const int out = (comm->rank + size - step) % size, in = (out + size - 1) % size;
    if (bytes_of(places, in) != 0) {
      mpii_plan_receive(schedule, comm, place_of(places, in), count_of(places, in), places->datatype, last);
    }
    if (bytes_of(places, out) != 0) {
      mpii_plan_send(schedule, comm, place_of(places, out), count_of(places, out), places->datatype, next);
    }
    mpii_plan_round(schedule);
  }
}

/// Between two groups: each process sends its block to all of the other group, to a few ranks at a time. All go through
/// the ranks in the same order, so that no process waits for one that is waiting for it.
static void across(mpii_schedule_t* schedule, mpii_comm_t* comm, const places_t* places, uint32_t count,
                   mpii_datatype_t* datatype) {
  enum { AT_A_TIME = 16 };
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    if (rank % AT_A_TIME == 0) mpii_plan_round(schedule);
    if (bytes_of(places, rank) != 0) {
      mpii_plan_receive(schedule, comm, place_of(places, rank), count_of(places, rank), places->datatype, rank);
    }
    if (count * datatype->size != 0) {
      mpii_plan_send(schedule, comm, places->arguments->send, count, datatype, rank);
    }
  }
}

/// Over the networks, where that is the way for so much.
static bool by_network(const mpii_call_t* call, const places_t* places, uint64_t total) {
  if (!mpii_network_allgather_fits(call, total)) return false;
  const int size = call->comm->size;
  uint32_t* sizes = mpii_allocate((size_t)size * sizeof *sizes);
  uint8_t* blocks = mpii_allocate_aligned((size_t)total);
  uint32_t at = 0, own = 0;
  for (int rank = 0; rank < size; ++rank) {
    sizes[rank] = bytes_of(places, rank);
    if (rank == call->comm->rank) own = at;
    at += sizes[rank];
  }
  mpii_pack(place_of(places, call->comm->rank), count_of(places, call->comm->rank), places->datatype, blocks + own);
  mpii_network_allgather(call, blocks, sizes, (uint32_t)total);
  at = 0;
  for (int rank = 0; rank < size; ++rank) {
    mpii_unpack(blocks + at, sizes[rank], place_of(places, rank), count_of(places, rank), places->datatype);
    at += sizes[rank];
  }
  free(blocks);
  free(sizes);
  return true;
}

static int allgather(const char* function, const arguments_t* arguments, MPI_Comm handle, MPI_Request* const* request) {
  mpii_call_t call;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_ALLGATHER, request, &call));
  mpii_comm_t* comm = call.comm;
  places_t places = {arguments, NULL};
  mpii_datatype_t* datatype = NULL;
  uint64_t total = 0;
  if (arguments->varies) {
    MPII_TRY(mpii_check_given(comm, arguments->counts, "receive_counts"));
    MPII_TRY(mpii_check_given(comm, arguments->displacements, "displacements"));
  }
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    MPII_TRY(mpii_check_plain(comm, arguments->receive, (int)count_of(&places, rank), arguments->receive_type,
                              &places.datatype));
    total += bytes_of(&places, rank);
  }
  const bool inter = mpii_is_inter(comm);
  const bool in_place = arguments->send == MPI_IN_PLACE && !inter;
  if (!in_place) {
    MPII_TRY(mpii_check_plain(comm, arguments->send, arguments->send_count, arguments->send_type, &datatype));
    MPII_TRY(mpii_check_apart(comm, arguments->send, inter ? NULL : place_of(&places, comm->rank),
                              (uint32_t)arguments->send_count));
  }
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  const uint32_t count = (uint32_t)arguments->send_count;
  if (inter) {
    across(schedule, comm, &places, count, datatype);
    return mpii_schedule_run(schedule, call.request);
  }
  if (!in_place) {
    mpii_plan_copy(schedule, arguments->send, count, datatype, place_of(&places, comm->rank),
                   count_of(&places, comm->rank), places.datatype);
    mpii_plan_round(schedule);
  }
  if (call.request == NULL && mpii_network_allgather_fits(&call, total)) {
    MPII_TRY(mpii_schedule_run(schedule, NULL));
    by_network(&call, &places, total);
    return MPI_SUCCESS;
  }
  if (total <= mpii_limits()->allgather_doubling) {
    doubling(schedule, comm, &places, (uint32_t)total);
  } else {
    ring(schedule, comm, &places);
  }
  return mpii_schedule_run(schedule, call.request);
}

#define ALLGATHER                                                                        \
  &(arguments_t) {                                                                       \
    send, send_count, send_type, receive, receive_count, receive_type, false, NULL, NULL \
  }
#define ALLGATHERV                                                                             \
  &(arguments_t) {                                                                             \
    send, send_count, send_type, receive, 0, receive_type, true, receive_counts, displacements \
  }

int PMPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm) {
  return allgather("MPI_Allgather", ALLGATHER, comm, NULL);
}
MPII_PUBLIC(Allgather);

int PMPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return allgather("MPI_Iallgather", ALLGATHER, comm, &request);
}
MPII_PUBLIC(Iallgather);

int PMPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int displacements[], MPI_Datatype receive_type, MPI_Comm comm) {
  return allgather("MPI_Allgatherv", ALLGATHERV, comm, NULL);
}
MPII_PUBLIC(Allgatherv);

int PMPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     const int receive_counts[], const int displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                     MPI_Request* request) {
  return allgather("MPI_Iallgatherv", ALLGATHERV, comm, &request);
}
MPII_PUBLIC(Iallgatherv);
