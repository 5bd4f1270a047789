// SPDX-License-Identifier: Apache-2.0
// Collective operations that the transport does: blocking ones, on communicators of all processes. What decides is the
// same at all processes: the communicator, the environment, and the size of what is moved.
#include <stdlib.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/environment.h"
#include "firmware/mpi/threads.h"

static bool usable(const mpii_call_t* call) {
  const mpii_comm_t* comm = call->comm;
  // Threads may be in collective operations on several communicators, in another order at each process. The networks
  // perform one at a time: those of one communicator, whose order is the same at all.
  if (mpii_anyone_multiple() && comm != mpii_world) return false;
  return call->request == NULL && comm->complete && comm->size > 1 && mpii_limits()->networks;
}

bool mpii_network_barrier(const mpii_call_t* call) {
  return usable(call) && mpit_barrier();
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
  if (!mpit_broadcasts(bytes)) return false;
  const bool is_root = call->comm->rank == root;
  uint8_t* data = pieced(buffer, count, datatype, is_root);
  mpit_broadcast(data, bytes, mpii_world_rank(call->comm, root));
  if (!datatype->dense) {
    if (!is_root) mpii_unpack(data, (uint32_t)bytes, buffer, count, datatype);
    free(data);
  }
  return true;
}

bool mpii_network_reduction_fits(const mpii_call_t* call, uint32_t count, const mpii_datatype_t* datatype,
                                 const mpii_op_t* op) {
  return usable(call) && op->predefined != 0 && mpit_reduces(count, datatype->basic, op->predefined);
}

bool mpii_network_reduction(const mpii_call_t* call, const void* send, void* receive, uint32_t count,
                            mpii_datatype_t* datatype, const mpii_op_t* op, int root) {
  if (!usable(call) || op->predefined == 0) return false;
  void* out = root < 0 || call->comm->rank == root ? receive : NULL;
  // The place in the job of a root; -1, all, stays.
  const int64_t place = root < 0 ? root : (int64_t)mpii_world_rank(call->comm, root);
  return mpit_reduce(send, out, count, datatype->basic, op->predefined, place);
}

bool mpii_network_allgather_fits(const mpii_call_t* call, uint64_t bytes) {
  return usable(call) && bytes <= MPIT_MESSAGE_MAX && mpit_allgathers((size_t)bytes, call->comm->whole);
}

void mpii_network_allgather(uint8_t* blocks, const uint32_t* sizes, uint32_t bytes) {
  mpit_allgather(blocks, sizes, bytes);
}

bool mpii_network_alltoall_fits(const mpii_call_t* call, uint64_t bytes) {
  return usable(call) && call->comm->whole && bytes <= MPIT_MESSAGE_MAX && mpit_alltoalls((size_t)bytes);
}

void mpii_network_alltoall(const void* send, void* receive, uint32_t bytes) {
  mpit_alltoall(send, receive, bytes);
}
