// SPDX-License-Identifier: Apache-2.0
// MPI_Scatter() and MPI_Scatterv(): gathers the other way around.
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// One side's block.
typedef struct {
  void* buffer;
  uint32_t count;
  mpii_datatype_t* datatype;
} block_t;

static uint32_t bytes_of(const block_t* block) {
  return block->count * block->datatype->size;
}

/// Ranks count from the root: a rank gets its block and those of the ranks above it up to the next one with as low a
/// bit. `own` is where this process's goes, NULL at a root that leaves it in its place; `place` is the root's send
/// buffer with the count of one block.
static void binomial(mpii_schedule_t* schedule, mpii_comm_t* comm, const block_t* own, const block_t* place, int root) {
  const int size = comm->size, self = (comm->rank + size - root) % size;
  const block_t* known = own != NULL ? own : place;
  const uint32_t bytes = bytes_of(known);
  const mpii_basic_t basic = known->datatype->basic;
  int bit = 1;
  while (bit < size && (self & bit) == 0) bit *= 2;
  const int parent = (self - bit + size + root) % size;
  const int held = self + bit < size ? bit : size - self;
  if (self != 0 && held == 1) {
    mpii_plan_receive(schedule, comm, own->buffer, own->count, own->datatype, parent);
    mpii_plan_round(schedule);
    return;
  }
  const bool straight = self == 0 && root == 0 && place->datatype->dense;
  uint8_t* all = straight ? (uint8_t*)place->buffer + place->datatype->blocks[0].offset
                          : mpii_schedule_bytes(schedule, (size_t)bytes * (uint32_t)held);
  if (self != 0) {
    mpii_plan_receive_packed(schedule, comm, all, bytes * (uint32_t)held, basic, parent);
    mpii_plan_round(schedule);
  } else if (!straight) {
    const uint32_t first = (uint32_t)root, rest = (uint32_t)(size - root);
    mpii_plan_pack(schedule, mpii_element(place->buffer, (MPI_Aint)first * (MPI_Aint)place->count, place->datatype),
                   rest * place->count, place->datatype, all);
    mpii_plan_pack(schedule, place->buffer, first * place->count, place->datatype, all + (size_t)bytes * rest);
  }
  for (int step = bit / 2; step != 0; step /= 2) {
    const int child = self + step, theirs = child + step < size ? step : size - child;
    if (child >= size) continue;
    mpii_plan_send_packed(schedule, comm, all + (size_t)bytes * (uint32_t)step, bytes * (uint32_t)theirs, basic,
                          (child + root) % size);
  }
  if (own != NULL) mpii_plan_unpack(schedule, all, own->buffer, own->count, own->datatype);
  mpii_plan_round(schedule);
}

/// The root sends each process its block directly from its place.
static void straight(mpii_schedule_t* schedule, mpii_comm_t* comm, const block_t* own, const block_t* place,
                     const int* counts, const int* displacements, mpii_role_t role, int root) {
  if (role == MPII_IS_OTHER) {
    if (bytes_of(own) != 0) mpii_plan_receive(schedule, comm, own->buffer, own->count, own->datatype, root);
    mpii_plan_round(schedule);
    return;
  }
  const bool inter = mpii_is_inter(comm);
  for (int step = 0; step < comm->remote->size; ++step) {
    const int rank = inter ? step : (comm->rank + step) % comm->size;
    const uint32_t count = counts != NULL ? (uint32_t)counts[rank] : place->count;
    const MPI_Aint index = displacements != NULL ? displacements[rank] : (MPI_Aint)rank * (MPI_Aint)place->count;
    const void* from = mpii_element(place->buffer, index, place->datatype);
    if (!inter && rank == root) {
      if (own != NULL) {
        mpii_plan_copy(schedule, from, count, place->datatype, own->buffer, own->count, own->datatype);
      }
    } else if (count * place->datatype->size != 0) {
      mpii_plan_send(schedule, comm, from, count, place->datatype, rank);
    }
  }
  mpii_plan_round(schedule);
}

void mpii_plan_deal(mpii_schedule_t* schedule, mpii_comm_t* comm, const void* send, const int* counts, void* receive,
                    mpii_datatype_t* datatype, int root) {
  int* displacements = mpii_schedule_bytes(schedule, (size_t)comm->size * sizeof *displacements);
  int sum = 0;
  for (int rank = 0; rank < comm->size; ++rank) {
    displacements[rank] = sum;
    sum += counts[rank];
  }
  const block_t own = {receive, (uint32_t)counts[comm->rank], datatype};
  const block_t place = {(void*)(uintptr_t)send, 0, datatype};
  straight(schedule, comm, &own, &place, counts, displacements, comm->rank == root ? MPII_IS_ROOT : MPII_IS_OTHER,
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

static int check_place(mpii_comm_t* comm, const arguments_t* arguments, block_t* place) {
  place->buffer = (void*)(uintptr_t)arguments->send;
  place->count = (uint32_t)arguments->send_count;
  if (!arguments->varies) {
    return mpii_check_plain(comm, arguments->send, arguments->send_count, arguments->send_type, &place->datatype);
  }
  MPII_TRY(mpii_check_given(comm, arguments->counts, "send_counts"));
  MPII_TRY(mpii_check_given(comm, arguments->displacements, "displacements"));
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    MPII_TRY(mpii_check_plain(comm, arguments->send, arguments->counts[rank], arguments->send_type, &place->datatype));
  }
  return MPI_SUCCESS;
}

static int scatter(const char* function, const arguments_t* arguments, MPI_Comm handle, MPI_Request* const* request) {
  mpii_call_t call;
  mpii_role_t role;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_SCATTER, request, &call));
  mpii_comm_t* comm = call.comm;
  MPII_TRY(mpii_check_root(comm, arguments->root, &role));
  block_t place = {0}, own = {arguments->receive, (uint32_t)arguments->receive_count, NULL};
  const bool inter = mpii_is_inter(comm);
  const bool in_place = role == MPII_IS_ROOT && !inter && arguments->receive == MPI_IN_PLACE;
  const bool gets = role == MPII_IS_OTHER || (role == MPII_IS_ROOT && !inter && !in_place);
  if (role == MPII_IS_ROOT) MPII_TRY(check_place(comm, arguments, &place));
  if (gets) {
    MPII_TRY(
        mpii_check_plain(comm, arguments->receive, arguments->receive_count, arguments->receive_type, &own.datatype));
    if (role == MPII_IS_ROOT && !arguments->varies)
      MPII_TRY(mpii_check_apart(comm, place.buffer, own.buffer, own.count));
  }
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (role == MPII_IS_ROOTLESS) return mpii_schedule_run(schedule, call.request);
  const uint64_t block = gets ? bytes_of(&own) : bytes_of(&place);
  if (!arguments->varies && !inter && block * (uint32_t)comm->size <= mpii_limits()->gather_binomial) {
    if (block != 0) binomial(schedule, comm, gets ? &own : NULL, &place, arguments->root);
  } else {
    straight(schedule, comm, gets ? &own : NULL, &place, arguments->counts, arguments->displacements, role,
             arguments->root);
  }
  return mpii_schedule_run(schedule, call.request);
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
MPII_PUBLIC(Scatter);

int PMPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter("MPI_Iscatter", SCATTER, comm, &request);
}
MPII_PUBLIC(Iscatter);

int PMPI_Scatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                  void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return scatter("MPI_Scatterv", SCATTERV, comm, NULL);
}
MPII_PUBLIC(Scatterv);

int PMPI_Iscatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                   void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                   MPI_Request* request) {
  return scatter("MPI_Iscatterv", SCATTERV, comm, &request);
}
MPII_PUBLIC(Iscatterv);
