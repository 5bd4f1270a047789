// SPDX-License-Identifier: Apache-2.0
// MPI_Scatter() and MPI_Scatterv(): gathers the other way around.
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// One side's block.
typedef struct {
  void* buffer;
  uint32_t count;
  bglmpi_datatype_t* datatype;
} block_t;

static uint32_t bytes_of(const block_t* block) {
  return block->count * block->datatype->size;
}

/// Ranks count from the root: a rank gets its block and those of the ranks above it up to the next one with as low a
/// bit. `own` is where this process's goes, NULL at a root that leaves it in its place; `place` is the root's send
/// buffer with the count of one block.
static void binomial(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const block_t* own, const block_t* place,
                     int root) {
  const int size = comm->size, self = (comm->rank + size - root) % size;
  const block_t* known = own != NULL ? own : place;
  const uint32_t bytes = bytes_of(known);
  const bglmpi_basic_t basic = known->datatype->basic;
  int bit = 1;
  while (bit < size && (self & bit) == 0) bit *= 2;
  const int parent = (self - bit + size + root) % size;
  const int held = self + bit < size ? bit : size - self;
  if (self != 0 && held == 1) {
    bglmpi_plan_receive(schedule, comm, own->buffer, own->count, own->datatype, parent);
    bglmpi_plan_round(schedule);
    return;
  }
  const bool straight = self == 0 && root == 0 && place->datatype->dense;
  uint8_t* all = straight ? (uint8_t*)place->buffer + place->datatype->blocks[0].offset
                          : bglmpi_schedule_bytes(schedule, (size_t)bytes * (uint32_t)held);
  if (self != 0) {
    bglmpi_plan_receive_packed(schedule, comm, all, bytes * (uint32_t)held, basic, parent);
    bglmpi_plan_round(schedule);
  } else if (!straight) {
    const uint32_t first = (uint32_t)root, rest = (uint32_t)(size - root);
    bglmpi_plan_pack(schedule, bglmpi_element(place->buffer, first * place->count, place->datatype),
                     rest * place->count, place->datatype, all);
    bglmpi_plan_pack(schedule, place->buffer, first * place->count, place->datatype, all + (size_t)bytes * rest);
  }
  for (int step = bit / 2; step != 0; step /= 2) {
    const int child = self + step, theirs = child + step < size ? step : size - child;
    if (child >= size) continue;
    bglmpi_plan_send_packed(schedule, comm, all + (size_t)bytes * (uint32_t)step, bytes * (uint32_t)theirs, basic,
                            (child + root) % size);
  }
  if (own != NULL) bglmpi_plan_unpack(schedule, all, own->buffer, own->count, own->datatype);
  bglmpi_plan_round(schedule);
}

/// The root gives everybody what is his, straight from its place.
static void straight(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const block_t* own, const block_t* place,
                     const int* counts, const int* displacements, bglmpi_role_t role, int root) {
  if (role == BGLMPI_IS_OTHER) {
    if (bytes_of(own) != 0) bglmpi_plan_receive(schedule, comm, own->buffer, own->count, own->datatype, root);
    bglmpi_plan_round(schedule);
    return;
  }
  const bool inter = bglmpi_is_inter(comm);
  for (int step = 0; step < comm->remote->size; ++step) {
    const int rank = inter ? step : (comm->rank + step) % comm->size;
    const uint32_t count = counts != NULL ? (uint32_t)counts[rank] : place->count;
    const int index = displacements != NULL ? displacements[rank] : rank * (int)place->count;
    const void* from = bglmpi_element(place->buffer, (uint32_t)index, place->datatype);
    if (!inter && rank == root) {
      if (own != NULL) {
        bglmpi_plan_copy(schedule, from, count, place->datatype, own->buffer, own->count, own->datatype);
      }
    } else if (count * place->datatype->size != 0) {
      bglmpi_plan_send(schedule, comm, from, count, place->datatype, rank);
    }
  }
  bglmpi_plan_round(schedule);
}

void bglmpi_plan_deal(bglmpi_schedule_t* schedule, bglmpi_comm_t* comm, const void* send, const int* counts,
                      void* receive, bglmpi_datatype_t* datatype, int root) {
  int* displacements = bglmpi_schedule_bytes(schedule, (size_t)comm->size * sizeof *displacements);
  int sum = 0;
  for (int rank = 0; rank < comm->size; ++rank) {
    displacements[rank] = sum;
    sum += counts[rank];
  }
  const block_t own = {receive, (uint32_t)counts[comm->rank], datatype};
  const block_t place = {(void*)(uintptr_t)send, 0, datatype};
  straight(schedule, comm, &own, &place, counts, displacements, comm->rank == root ? BGLMPI_IS_ROOT : BGLMPI_IS_OTHER,
           root);
}

typedef struct {
  const void* send;
  int send_count;
  MPI_Datatype send_type;
  void* receive;
  int receive_count;
  MPI_Datatype receive_type;
  bool varies;  ///< MPI_Scatterv()
  const int* counts;
  const int* displacements;
  int root;
} arguments_t;

static int check_place(bglmpi_comm_t* comm, const arguments_t* arguments, block_t* place) {
  place->buffer = (void*)(uintptr_t)arguments->send;
  place->count = (uint32_t)arguments->send_count;
  if (!arguments->varies) {
    return bglmpi_check_plain(comm, arguments->send, arguments->send_count, arguments->send_type, &place->datatype);
  }
  BGLMPI_TRY(bglmpi_check_given(comm, arguments->counts, "send_counts"));
  BGLMPI_TRY(bglmpi_check_given(comm, arguments->displacements, "displacements"));
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    BGLMPI_TRY(
        bglmpi_check_plain(comm, arguments->send, arguments->counts[rank], arguments->send_type, &place->datatype));
  }
  return MPI_SUCCESS;
}

static int scatter(const char* function, const arguments_t* arguments, MPI_Comm handle, MPI_Request* const* request) {
  bglmpi_call_t call;
  bglmpi_role_t role;
  BGLMPI_TRY(bglmpi_enter_collective(function, handle, BGLMPI_TAG_SCATTER, request, &call));
  bglmpi_comm_t* comm = call.comm;
  BGLMPI_TRY(bglmpi_check_root(comm, arguments->root, &role));
  block_t place = {0}, own = {arguments->receive, (uint32_t)arguments->receive_count, NULL};
  const bool inter = bglmpi_is_inter(comm);
  const bool in_place = role == BGLMPI_IS_ROOT && !inter && arguments->receive == MPI_IN_PLACE;
  const bool gets = role == BGLMPI_IS_OTHER || (role == BGLMPI_IS_ROOT && !inter && !in_place);
  if (role == BGLMPI_IS_ROOT) BGLMPI_TRY(check_place(comm, arguments, &place));
  if (gets) {
    BGLMPI_TRY(
        bglmpi_check_plain(comm, arguments->receive, arguments->receive_count, arguments->receive_type, &own.datatype));
    if (role == BGLMPI_IS_ROOT && !arguments->varies)
      BGLMPI_TRY(bglmpi_check_apart(comm, place.buffer, own.buffer, own.count));
  }
  bglmpi_schedule_t* schedule = bglmpi_call_schedule(&call);
  if (role == BGLMPI_IS_ROOTLESS) return bglmpi_schedule_run(schedule, call.request);
  const uint64_t block = gets ? bytes_of(&own) : bytes_of(&place);
  if (!arguments->varies && !inter && block * (uint32_t)comm->size <= bglmpi_limits()->gather_binomial) {
    if (block != 0) binomial(schedule, comm, gets ? &own : NULL, &place, arguments->root);
  } else {
    straight(schedule, comm, gets ? &own : NULL, &place, arguments->counts, arguments->displacements, role,
             arguments->root);
  }
  return bglmpi_schedule_run(schedule, call.request);
}

#define SCATTER                                                                                \
  &(arguments_t) {                                                                             \
    send, send_count, send_type, receive, receive_count, receive_type, false, NULL, NULL, root \
  }
#define SCATTERV                                                                                     \
  &(arguments_t) {                                                                                   \
    send, 0, send_type, receive, receive_count, receive_type, true, send_counts, displacements, root \
  }

int PMPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return scatter("MPI_Scatter", SCATTER, comm, NULL);
}
BGLMPI_PUBLIC(Scatter);

int PMPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter("MPI_Iscatter", SCATTER, comm, &request);
}
BGLMPI_PUBLIC(Iscatter);

int PMPI_Scatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                  void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return scatter("MPI_Scatterv", SCATTERV, comm, NULL);
}
BGLMPI_PUBLIC(Scatterv);

int PMPI_Iscatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                   void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                   MPI_Request* request) {
  return scatter("MPI_Iscatterv", SCATTERV, comm, &request);
}
BGLMPI_PUBLIC(Iscatterv);
