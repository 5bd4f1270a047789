// SPDX-License-Identifier: Apache-2.0
// How calls of collective operations begin: numbers, roots, buffers.
#include "firmware/mpi/collective.h"

int bglmpi_enter_collective(const char* function, MPI_Comm handle, bglmpi_collective_tag_t operation,
                            MPI_Request* const* request, bglmpi_call_t* call) {
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, &call->comm));
  call->operation = operation;
  call->request = NULL;
  if (request == NULL) return MPI_SUCCESS;
  call->request = *request;
  return bglmpi_check_given(call->comm, *request, "request");
}

bglmpi_schedule_t* bglmpi_call_schedule(const bglmpi_call_t* call) {
  const uint32_t number = call->comm->collectives++;
  const uint32_t tag = (number << BGLMPI_TAG_BITS | (uint32_t)call->operation) & MPI_TAG_UB_VALUE_;
  return bglmpi_schedule_new(call->comm, (int)tag);
}

int bglmpi_check_root(bglmpi_comm_t* comm, int root, bglmpi_role_t* role) {
  const bool inter = bglmpi_is_inter(comm);
  *role = BGLMPI_IS_OTHER;
  if (root >= 0 && root < comm->remote->size) {
    if (!inter && root == comm->rank) *role = BGLMPI_IS_ROOT;
    return MPI_SUCCESS;
  }
  if (inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) {
    *role = root == MPI_ROOT ? BGLMPI_IS_ROOT : BGLMPI_IS_ROOTLESS;
    return MPI_SUCCESS;
  }
  return bglmpi_fail(comm, MPI_ERR_ROOT, "root is rank %d; there are ranks 0 to %d%s", root, comm->remote->size - 1,
                     inter ? ", and MPI_ROOT and MPI_PROC_NULL in the root's own group" : "");
}

int bglmpi_check_plain(bglmpi_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                       bglmpi_datatype_t** datatype) {
  if (buffer == MPI_IN_PLACE) {
    return bglmpi_fail(comm, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning for this buffer%s",
                       bglmpi_is_inter(comm) ? " of an intercommunicator" : "");
  }
  return bglmpi_check_buffer(comm, buffer, count, handle, datatype);
}

int bglmpi_check_apart(bglmpi_comm_t* comm, const void* send, const void* receive, uint32_t count) {
  if (send != receive || count == 0 || send == MPI_BOTTOM) return MPI_SUCCESS;
  return bglmpi_fail(comm, MPI_ERR_BUFFER,
                     "the send and the receive buffer are the same; pass MPI_IN_PLACE where that is meant");
}

int bglmpi_check_reduction(bglmpi_comm_t* comm, const void** send, void* receive, int count, MPI_Datatype handle,
                           MPI_Op op_handle, bool in_place, bool receives, bglmpi_datatype_t** datatype,
                           bglmpi_op_t** op) {
  if (receives) BGLMPI_TRY(bglmpi_check_plain(comm, receive, count, handle, datatype));
  if (*send == MPI_IN_PLACE && in_place) {
    *send = receive;
  } else {
    BGLMPI_TRY(bglmpi_check_plain(comm, *send, count, handle, datatype));
    if (receives) BGLMPI_TRY(bglmpi_check_apart(comm, *send, receive, (uint32_t)count));
  }
  return bglmpi_op(comm, op_handle, *datatype, op);
}
