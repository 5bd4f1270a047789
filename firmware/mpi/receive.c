// SPDX-License-Identifier: Apache-2.0
// MPI_Recv() and MPI_Irecv(); and MPI_Sendrecv(), one of each.
#include <stdlib.h>

#include "firmware/mpi/request.h"

int PMPI_Recv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  bglmpi_request_t* request;
  BGLMPI_TRY(
      bglmpi_receive_new("MPI_Recv", &(bglmpi_arguments_t){buffer, count, datatype, source, tag, comm}, &request));
  bglmpi_start(request);
  return bglmpi_finish(request, status);
}
BGLMPI_PUBLIC(Recv);

int PMPI_Irecv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request* handle) {
  bglmpi_request_t* request;
  BGLMPI_TRY(
      bglmpi_receive_new("MPI_Irecv", &(bglmpi_arguments_t){buffer, count, datatype, source, tag, comm}, &request));
  BGLMPI_TRY(bglmpi_request_open(request, handle));
  bglmpi_start(request);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Irecv);

/// Both ways at once; the status is the receive's.
static int exchange(const char* function, const bglmpi_arguments_t* out, const bglmpi_arguments_t* in,
                    MPI_Status* status) {
  bglmpi_request_t *send, *receive;
  BGLMPI_TRY(bglmpi_receive_new(function, in, &receive));
  const int error = bglmpi_send_new(function, out, BGLMPI_STANDARD, &send);
  if (error != MPI_SUCCESS) {
    bglmpi_request_release(receive);
    return error;
  }
  bglmpi_start(receive);
  bglmpi_start(send);
  const int sent = bglmpi_finish(send, MPI_STATUS_IGNORE);
  const int received = bglmpi_finish(receive, status);
  return sent != MPI_SUCCESS ? sent : received;
}

int PMPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int destination, int send_tag,
                  void* receive, int receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                  MPI_Comm comm, MPI_Status* status) {
  const bglmpi_arguments_t out = {send, send_count, send_type, destination, send_tag, comm};
  const bglmpi_arguments_t in = {receive, receive_count, receive_type, source, receive_tag, comm};
  return exchange("MPI_Sendrecv", &out, &in, status);
}
BGLMPI_PUBLIC(Sendrecv);

int PMPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype datatype, int destination, int send_tag, int source,
                          int receive_tag, MPI_Comm handle, MPI_Status* status) {
  bglmpi_comm_t* comm;
  bglmpi_datatype_t* type;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Sendrecv_replace", handle, &comm));
  BGLMPI_TRY(bglmpi_check_buffer(comm, buffer, count, datatype, &type));
  // What is sent leaves the buffer before anything comes in.
  const uint32_t bytes = (uint32_t)count * type->size;
  void* copy = bglmpi_allocate_aligned(bytes);
  if (bytes != 0) bglmpi_pack(buffer, (uint32_t)count, type, copy);
  const bglmpi_arguments_t out = {copy, (int)bytes, MPI_PACKED, destination, send_tag, handle};
  const bglmpi_arguments_t in = {buffer, count, datatype, source, receive_tag, handle};
  const int error = exchange("MPI_Sendrecv_replace", &out, &in, status);
  free(copy);
  return error;
}
BGLMPI_PUBLIC(Sendrecv_replace);
