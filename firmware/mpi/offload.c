// SPDX-License-Identifier: Apache-2.0
// Collective operations that the transport does: blocking ones, on communicators of all processes, or of those that
// have a part of the networks. What decides is the same at all processes: the communicator, the environment, and the
// size of what is moved.
#include <stdlib.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"
#include "firmware/mpi/threads.h"

static bool usable(const mpii_call_t* call) {
  const mpii_comm_t* comm = call->comm;
  // Threads may be in collective operations on several communicators, in another order at each process. The networks
  // perform one at a time: those of one communicator, whose order is the same at all.
  if (mpii_anyone_multiple() && comm != mpii_world) return false;
  return call->request == NULL && (comm->complete || comm->part != NULL) && comm->size > 1 && mpii_limits()->networks;
}

static const mpit_part_t* part_of(const mpii_call_t* call) {
  return call->comm->part != NULL ? call->comm->part->of : NULL;
}

void mpii_network_join(mpii_comm_t* comm) {
  static uint32_t next = 1;
  if (comm->complete || !mpii_limits()->networks || mpii_anyone_multiple()) return;
  if (!mpit_part_fits(comm->group->ranks, comm->size)) return;
  const uint32_t number = mpii_agree_max(comm, next);
  next = number + 1;
  mpit_part_t* of = mpit_part_make(comm->group->ranks, comm->size, number);
  if (of == NULL) return;
  comm->part = mpii_allocate(sizeof *comm->part);
  *comm->part = (mpii_part_t){of, 1};
}

void mpii_network_share(mpii_comm_t* comm, const mpii_comm_t* with) {
  comm->part = with->part;
  if (comm->part != NULL) comm->part->comms += 1;
}

void mpii_network_leave(mpii_comm_t* comm) {
  mpii_part_t* part = comm->part;
  comm->part = NULL;
  if (part == NULL || --part->comms != 0) return;
  mpit_part_end(part->of);
  free(part);
}

bool mpii_network_barrier(const mpii_call_t* call) {
  return usable(call) && mpit_barrier(part_of(call));
}

/// A buffer's bytes, contiguous: in place, or a copy.
static uint8_t* pieced(const void* buffer, uint32_t count, const mpii_datatype_t* datatype, bool filled) {
  if (datatype->dense) return (uint8_t*)(uintptr_t)buffer + datatype->blocks[0].offset;
  uint8_t* copy = mpii_allocate_aligned((size_t)count * datatype->size);
  if (filled) mpii_pack(buffer, count, datatype, copy);
  return copy;
}

bool mpii_network_bcast(const mpii_call_t* call, void* buffer, uint32_t count, const mpii_datatype_t* datatype,
                        int root) {
  if (!usable(call)) return false;  // a process that takes no part has no datatype
  const size_t bytes = count * datatype->size;
  if (!mpit_broadcasts(part_of(call), bytes)) return false;
  const bool is_root = call->comm->rank == root;
  uint8_t* data = pieced(buffer, count, datatype, is_root);
  mpit_broadcast(part_of(call), data, bytes, mpii_world_rank(call->comm, root));
  if (!datatype->dense) {
    if (!is_root) mpii_unpack(data, (uint32_t)bytes, buffer, count, datatype);
    free(data);
  }
  return true;
}

bool mpii_network_reduction_fits(const mpii_call_t* call, uint32_t count, const mpii_datatype_t* datatype,
                                 const mpii_op_t* op) {
  return usable(call) && op->predefined != 0 && mpit_reduces(part_of(call), count, datatype->basic, op->predefined);
}

bool mpii_network_reduction(const mpii_call_t* call, const void* send, void* receive, uint32_t count,
                            mpii_datatype_t* datatype, const mpii_op_t* op, int root) {
  if (!usable(call) || op->predefined == 0) return false;
  void* out = root < 0 || call->comm->rank == root ? receive : NULL;
  // The place in the job of a root; -1, all, stays.
  const int64_t place = root < 0 ? root : (int64_t)mpii_world_rank(call->comm, root);
  return mpit_reduce(part_of(call), send, out, count, datatype->basic, op->predefined, place);
}

bool mpii_network_allgather_fits(const mpii_call_t* call, uint64_t bytes) {
  return usable(call) && bytes <= MPIT_MESSAGE_MAX && mpit_allgathers(part_of(call), (size_t)bytes, call->comm->whole);
}

void mpii_network_allgather(const mpii_call_t* call, uint8_t* blocks, const uint32_t* sizes, uint32_t bytes) {
  mpit_allgather(part_of(call), blocks, sizes, bytes);
}

bool mpii_network_alltoall_fits(const mpii_call_t* call, uint64_t bytes) {
  return usable(call) && call->comm->whole && bytes <= MPIT_MESSAGE_MAX && mpit_alltoalls((size_t)bytes);
}

void mpii_network_alltoall(const void* send, void* receive, uint32_t bytes) {
  mpit_alltoall(send, receive, bytes);
}
