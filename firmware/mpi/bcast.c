// SPDX-License-Identifier: Apache-2.0
// MPI_Bcast().
#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"

/// Ranks count from the root. A rank receives from the one without its lowest bit, and sends to those with one lower
/// bit more; the one with most ranks behind it first.
static void binomial(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                     mpii_datatype_t* datatype, int root) {
  const int size = comm->size, self = (comm->rank + size - root) % size;
  int bit = 1;
  while (bit < size && (self & bit) == 0) bit *= 2;
  if (self != 0) {
    mpii_plan_receive(schedule, comm, buffer, count, datatype, (self - bit + root) % size);
    mpii_plan_round(schedule);
  }
  while ((bit /= 2) != 0) {
    if (self + bit < size) mpii_plan_send(schedule, comm, buffer, count, datatype, (self + bit + root) % size);
  }
  mpii_plan_round(schedule);
}

/// Bytes of the blocks first .. first + blocks - 1, cut to what there is.
static uint32_t part(uint32_t bytes, uint32_t block, int first, int blocks) {
  const uint64_t start = (uint64_t)block * (uint32_t)first, end = start + (uint64_t)block * (uint32_t)blocks;
  return (uint32_t)((end < bytes ? end : bytes) - (start < bytes ? start : bytes));
}

/// A block for each rank, dealt out along the binomial tree, then passed around a ring: every process sends the message
/// about twice, however many they are, where the root of a binomial tree sends it log2(size) times.
static void scattered(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                      mpii_datatype_t* datatype, int root) {
  const int size = comm->size, self = (comm->rank + size - root) % size;
  const uint32_t bytes = count * datatype->size;
  const uint32_t block = (bytes + (uint32_t)size - 1) / (uint32_t)size;
  const mpii_basic_t basic = datatype->basic;
  uint8_t* all = datatype->dense ? (uint8_t*)buffer + datatype->blocks[0].offset : mpii_schedule_bytes(schedule, bytes);
  if (!datatype->dense && self == 0) mpii_plan_pack(schedule, buffer, count, datatype, all);
  int bit = 1;
  while (bit < size && (self & bit) == 0) bit *= 2;
  if (self != 0) {
    const uint32_t mine = part(bytes, block, self, bit);
    if (mine != 0) {
      mpii_plan_receive_packed(schedule, comm, all + (size_t)block * (uint32_t)self, mine, basic,
                               (self - bit + root) % size);
    }
    mpii_plan_round(schedule);
  }
  while ((bit /= 2) != 0) {
    const int child = self + bit;
    if (child >= size) continue;
    const uint32_t theirs = part(bytes, block, child, bit);
    if (theirs == 0) continue;
    mpii_plan_send_packed(schedule, comm, all + (size_t)block * (uint32_t)child, theirs, basic, (child + root) % size);
  }
  mpii_plan_round(schedule);
  const int next = (comm->rank + 1) % size, last = (comm->rank + size - 1) % size;
  for (int step = 0; step < size - 1; ++step) {
    const int out = (self + size - step) % size, in = (out + size - 1) % size;
    const uint32_t in_bytes = part(bytes, block, in, 1), out_bytes = part(bytes, block, out, 1);
    // The root has all; its predecessor sends it nothing, and it can begin at once.
    if (self != 0 && in_bytes != 0) {
      mpii_plan_receive_packed(schedule, comm, all + (size_t)block * (uint32_t)in, in_bytes, basic, last);
    }
    if (self != size - 1 && out_bytes != 0) {
      mpii_plan_send_packed(schedule, comm, all + (size_t)block * (uint32_t)out, out_bytes, basic, next);
    }
    mpii_plan_round(schedule);
  }
  if (!datatype->dense && self != 0) mpii_plan_unpack(schedule, all, buffer, count, datatype);
}

void mpii_plan_bcast(mpii_schedule_t* schedule, mpii_comm_t* comm, void* buffer, uint32_t count,
                     mpii_datatype_t* datatype, int root) {
  enum { FEW = 4 };  // up to here a binomial tree sends no more, in fewer messages
  const uint32_t bytes = count * datatype->size;
  if (bytes <= mpii_limits()->bcast_binomial || comm->size <= FEW) {
    binomial(schedule, comm, buffer, count, datatype, root);
  } else {
    scattered(schedule, comm, buffer, count, datatype, root);
  }
}

static int bcast(const char* function, void* buffer, int count, MPI_Datatype handle, int root, MPI_Comm comm_handle,
                 MPI_Request* const* request) {
  mpii_call_t call;
  mpii_datatype_t* datatype = NULL;
  mpii_role_t role;
  MPII_TRY(mpii_enter_collective(function, comm_handle, MPII_TAG_BCAST, request, &call));
  MPII_TRY(mpii_check_root(call.comm, root, &role));
  if (role != MPII_IS_ROOTLESS) MPII_TRY(mpii_check_plain(call.comm, buffer, count, handle, &datatype));
  const uint32_t elements = (uint32_t)count;
  if (mpii_network_bcast(&call, buffer, elements, datatype, root)) return MPI_SUCCESS;
  mpii_schedule_t* schedule = mpii_call_schedule(&call);
  if (role == MPII_IS_ROOTLESS || elements * datatype->size == 0) return mpii_schedule_run(schedule, call.request);
  if (!mpii_is_inter(call.comm)) {
    mpii_plan_bcast(schedule, call.comm, buffer, elements, datatype, root);
  } else if (role == MPII_IS_ROOT) {
    mpii_plan_send(schedule, call.comm, buffer, elements, datatype, 0);
  } else {
    if (call.comm->rank == 0) {
      mpii_plan_receive(schedule, call.comm, buffer, elements, datatype, root);
      mpii_plan_round(schedule);
    }
    mpii_plan_bcast(schedule, call.comm->local, buffer, elements, datatype, 0);
  }
  return mpii_schedule_run(schedule, call.request);
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return bcast("MPI_Bcast", buffer, count, datatype, root, comm, NULL);
}
MPII_PUBLIC(Bcast);

int PMPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return bcast("MPI_Ibcast", buffer, count, datatype, root, comm, &request);
}
MPII_PUBLIC(Ibcast);
