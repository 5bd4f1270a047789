// SPDX-License-Identifier: Apache-2.0
// MPI_Gather() and MPI_Gatherv().
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// One side's block.
typedef struct {
  const void* buffer;
  uint32_t count;
  mpii_datatype_t* datatype;
} block_t;

static uint32_t bytes_of(const block_t* block) {
  return block->count * block->datatype->size;
}

/// Ranks count from the root: one's blocks are its own and those of the ranks above it up to the next one with as low a
/// bit. `own` is what this process gives, NULL at a root that has it in its place; `place` is the root's receive
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
    mpii_plan_send(schedule, comm, own->buffer, own->count, own->datatype, parent);
    mpii_plan_round(schedule);
    return;
  }
  const bool straight = self == 0 && root == 0 && place->datatype->dense;
  uint8_t* all = straight ? (uint8_t*)(uintptr_t)place->buffer + place->datatype->blocks[0].offset
                          : mpii_schedule_bytes(schedule, (size_t)bytes * (uint32_t)held);
  if (own != NULL) mpii_plan_pack(schedule, own->buffer, own->count, own->datatype, all);
  for (int step = 1; step < bit && self + step < size; step *= 2) {
    const int child = self + step, theirs = child + step < size ? step : size - child;
    mpii_plan_receive_packed(schedule, comm, all + (size_t)bytes * (uint32_t)step, bytes * (uint32_t)theirs, basic,
                             (child + root) % size);
  }
  mpii_plan_round(schedule);
  if (self != 0) {
    mpii_plan_send_packed(schedule, comm, all, bytes * (uint32_t)held, basic, parent);
  } else if (!straight) {
    const uint32_t first = (uint32_t)root, behind = (uint32_t)(size - root - 1);
    const uint8_t* others = all + bytes;
    if (own != NULL) {
      mpii_plan_unpack(schedule, all,
                       mpii_element(place->buffer, (MPI_Aint)first * (MPI_Aint)place->count, place->datatype),
                       place->count, place->datatype);
    }
    mpii_plan_unpack(schedule, others,
                     mpii_element(place->buffer, (MPI_Aint)(first + 1) * (MPI_Aint)place->count, place->datatype),
                     behind * place->count, place->datatype);
    mpii_plan_unpack(schedule, others + (size_t)bytes * behind, (void*)(uintptr_t)place->buffer, first * place->count,
                     place->datatype);
  }
  mpii_plan_round(schedule);
}

/// Every process sends its block directly to the root, which receives it in place. `counts` and `displacements` are the
/// root's of MPI_Gatherv(), or NULL: all `place->count`, one behind the other.
static void straight(mpii_schedule_t* schedule, mpii_comm_t* comm, const block_t* own, const block_t* place,
                     const int* counts, const int* displacements, mpii_role_t role, int root) {
  if (role == MPII_IS_OTHER) {
    if (bytes_of(own) != 0) mpii_plan_send(schedule, comm, own->buffer, own->count, own->datatype, root);
    return;
  }
  const bool inter = mpii_is_inter(comm);
  for (int step = 0; step < comm->remote->size; ++step) {
    const int rank = inter ? step : (comm->rank + step) % comm->size;
    const uint32_t count = counts != NULL ? (uint32_t)counts[rank] : place->count;
    const MPI_Aint index = displacements != NULL ? displacements[rank] : (MPI_Aint)rank * (MPI_Aint)place->count;
    void* to = mpii_element(place->buffer, index, place->datatype);
    if (!inter && rank == root) {
      if (own != NULL) {
        mpii_plan_copy(schedule, own->buffer, own->count, own->datatype, to, count, place->datatype);
      }
    } else if (count * place->datatype->size != 0) {
      mpii_plan_receive(schedule, comm, to, count, place->datatype, rank);
    }
  }
}

typedef struct {
  const void* send;
  int send_count;
  MPI_Datatype send_type;
  void* receive;
  int receive_count;
  MPI_Datatype receive_type;
  bool varies;  ///< MPI_Gatherv()
  const int* counts;
  const int* displacements;
  int root;
} arguments_t;

static int check_place(mpii_comm_t* comm, const arguments_t* arguments, block_t* place) {
  place->buffer = arguments->receive;
  place->count = (uint32_t)arguments->receive_count;
  if (!arguments->varies) {
    return mpii_check_plain(comm, arguments->receive, arguments->receive_count, arguments->receive_type,
                            &place->datatype);
  }
  MPII_TRY(mpii_check_given(comm, arguments->counts, "receive_counts"));
  MPII_TRY(mpii_check_given(comm, arguments->displacements, "displacements"));
  for (int rank = 0; rank < comm->remote->size; ++rank) {
    MPII_TRY(
        mpii_check_plain(comm, arguments->receive, arguments->counts[rank], arguments->receive_type, &place->datatype));
  }
  return MPI_SUCCESS;
}

static int gather(const char* function, const arguments_t* arguments, MPI_Comm handle, MPI_Request* const* request) {
  mpii_call_t call;
  mpii_role_t role;
  MPII_TRY(mpii_enter_collective(function, handle, MPII_TAG_GATHER, request, &call));
  mpii_comm_t* comm = call.comm;
  MPII_TRY(mpii_check_root(comm, arguments->root, &role));
  block_t place = {0}, own = {arguments->send, (uint32_t)arguments->send_count, NULL};
  const bool inter = mpii_is_inter(comm);
  const bool in_place = role == MPII_IS_ROOT && !inter && arguments->send == MPI_IN_PLACE;
  const bool gives = role == MPII_IS_OTHER || (role == MPII_IS_ROOT && !inter && !in_place);
  if (role == MPII_IS_ROOT) MPII_TRY(check_place(comm, arguments, &place));
  if (gives) {
    MPII_TRY(mpii_check_plain(comm, arguments->send, arguments->send_count, arguments->send_type, &own.datatype));
    if (role == MPII_IS_ROOT && !arguments->varies)
      MPII_TRY(mpii_check_apart(comm, own.buffer, place.buffer, own.count));
  }
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (role == MPII_IS_ROOTLESS) return mpii_schedule_run(schedule, call.request);
  const uint64_t block = gives ? bytes_of(&own) : bytes_of(&place);
  if (!arguments->varies && !inter && block * (uint32_t)comm->size <= mpii_limits()->gather_binomial) {
    if (block != 0) binomial(schedule, comm, gives ? &own : NULL, &place, arguments->root);
  } else {
    straight(schedule, comm, gives ? &own : NULL, &place, arguments->counts, arguments->displacements, role,
             arguments->root);
  }
  return mpii_schedule_run(schedule, call.request);
}

#define GATHER                                                                                 \
  &(arguments_t) {                                                                             \
    send, send_count, send_type, receive, receive_count, receive_type, false, NULL, NULL, root \
  }
#define GATHERV                                                                                      \
  &(arguments_t) {                                                                                   \
    send, send_count, send_type, receive, 0, receive_type, true, receive_counts, displacements, root \
  }

int PMPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return gather("MPI_Gather", GATHER, comm, NULL);
}
MPII_PUBLIC(Gather);

int PMPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  return gather("MPI_Igather", GATHER, comm, &request);
}
MPII_PUBLIC(Igather);

int PMPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                 const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return gather("MPI_Gatherv", GATHERV, comm, NULL);
}
MPII_PUBLIC(Gatherv);

int PMPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                  const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  return gather("MPI_Igatherv", GATHERV, comm, &request);
}
MPII_PUBLIC(Igatherv);
