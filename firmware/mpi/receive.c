// SPDX-License-Identifier: Apache-2.0
// MPI_Recv() and MPI_Irecv(); and MPI_Sendrecv(), one of each.
#include <stdlib.h>

#include "firmware/mpi/request.h"

int PMPI_Recv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  mpii_request_t* request;
  MPII_TRY(mpii_receive_new("MPI_Recv", &(mpii_arguments_t){buffer, count, datatype, source, tag, comm}, &request));
  mpii_start(request);
  return mpii_finish(request, status);
}
MPII_PUBLIC(Recv);

int PMPI_Irecv(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request* handle) {
  mpii_request_t* request;
  MPII_TRY(mpii_receive_new("MPI_Irecv", &(mpii_arguments_t){buffer, count, datatype, source, tag, comm}, &request));
  MPII_TRY(mpii_request_open(request, handle));
  mpii_start(request);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Irecv);

/// Both ways at once; the status is the receive's.
static int exchange(const char* function, const mpii_arguments_t* out, const mpii_arguments_t* in, MPI_Status* status) {
  mpii_request_t *send, *receive;
  MPII_TRY(mpii_receive_new(function, in, &receive));
  const int error = mpii_send_new(function, out, MPII_STANDARD, &send);
  if (error != MPI_SUCCESS) {
    mpii_request_release(receive);
    return error;
  }
  mpii_start(receive);
  mpii_start(send);
  const int sent = mpii_finish(send, MPI_STATUS_IGNORE);
  const int received = mpii_finish(receive, status);
  return sent != MPI_SUCCESS ? sent : received;
}

int PMPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int destination, int send_tag,
                  void* receive, int receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                  MPI_Comm comm, MPI_Status* status) {
  const mpii_arguments_t out = {send, send_count, send_type, destination, send_tag, comm};
  const mpii_arguments_t in = {receive, receive_count, receive_type, source, receive_tag, comm};
  return exchange("MPI_Sendrecv", &out, &in, status);
}
MPII_PUBLIC(Sendrecv);

int PMPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype datatype, int destination, int send_tag, int source,
                          int receive_tag, MPI_Comm handle, MPI_Status* status) {
  mpii_comm_t* comm;
  mpii_datatype_t* type;
  MPII_TRY(mpii_enter_comm("MPI_Sendrecv_replace", handle, &comm));
  MPII_TRY(mpii_check_buffer(comm, buffer, count, datatype, &type));
  // What is sent leaves the buffer before anything comes in.
  const uint32_t bytes = (uint32_t)count * type->size;
  void* copy = mpii_allocate_aligned(bytes);
  if (bytes != 0) mpii_pack(buffer, (uint32_t)count, type, copy);
  const mpii_arguments_t out = {copy, (int)bytes, MPI_PACKED, destination, send_tag, handle};
  const mpii_arguments_t in = {buffer, count, datatype, source, receive_tag, handle};
  const int error = exchange("MPI_Sendrecv_replace", &out, &in, status);
  free(copy);
  return error;
}
MPII_PUBLIC(Sendrecv_replace);
