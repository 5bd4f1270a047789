// SPDX-License-Identifier: Apache-2.0
// How calls of collective operations begin: numbers, roots, buffers.
#include "firmware/mpi/collective.h"

int mpii_enter_collective(const char* function, MPI_Comm handle, mpii_collective_tag_t operation,
                          MPI_Request* const* request, mpii_call_t* call) {
  MPII_TRY(mpii_enter_comm(function, handle, &call->comm));
  call->operation = operation;
  call->request = NULL;
  if (request == NULL) return MPI_SUCCESS;
  call->request = *request;
  return mpii_check_given(call->comm, *request, "request");
}

mpii_schedule_t* mpii_call_schedule(const mpii_call_t* call) {
  const uint32_t number = call->comm->collectives++;
  const uint32_t tag = (number << MPII_TAG_BITS | (uint32_t)call->operation) & MPI_TAG_UB_VALUE_;
  return mpii_schedule_new(call->comm, (int)tag);
}

int mpii_check_root(mpii_comm_t* comm, int root, mpii_role_t* role) {
  const bool inter = mpii_is_inter(comm);
  *role = MPII_IS_OTHER;
  if (root >= 0 && root < comm->remote->size) {
    if (!inter && root == comm->rank) *role = MPII_IS_ROOT;
    return MPI_SUCCESS;
  }
  if (inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) {
    *role = root == MPI_ROOT ? MPII_IS_ROOT : MPII_IS_ROOTLESS;
    return MPI_SUCCESS;
  }
  return mpii_fail(comm, MPI_ERR_ROOT, "root is rank %d; there are ranks 0 to %d%s", root, comm->remote->size - 1,
                   inter ? ", and MPI_ROOT and MPI_PROC_NULL in the root's own group" : "");
}

int mpii_check_plain(mpii_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                     mpii_datatype_t** datatype) {
  if (buffer == MPI_IN_PLACE) {
    return mpii_fail(comm, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning for this buffer%s",
                     mpii_is_inter(comm) ? " of an intercommunicator" : "");
  }
  return mpii_check_buffer(comm, buffer, count, handle, datatype);
}

int mpii_check_apart(mpii_comm_t* comm, const void* send, const void* receive, uint32_t count) {
  if (send != receive || count == 0 || send == MPI_BOTTOM) return MPI_SUCCESS;
  return mpii_fail(comm, MPI_ERR_BUFFER,
                   "the send and the receive buffer are the same; pass MPI_IN_PLACE where that is meant");
}

int mpii_check_reduction(mpii_comm_t* comm, const void** send, void* receive, int count, MPI_Datatype handle,
                         MPI_Op op_handle, bool in_place, bool receives, mpii_datatype_t** datatype, mpii_op_t** op) {
  if (receives) MPII_TRY(mpii_check_plain(comm, receive, count, handle, datatype));
  if (*send == MPI_IN_PLACE && in_place) {
    *send = receive;
  } else {
    MPII_TRY(mpii_check_plain(comm, *send, count, handle, datatype));
    if (receives) MPII_TRY(mpii_check_apart(comm, *send, receive, (uint32_t)count));
  }
  return mpii_op(comm, op_handle, *datatype, op);
}
