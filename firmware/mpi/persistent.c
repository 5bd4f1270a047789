// SPDX-License-Identifier: Apache-2.0
// Persistent requests: prepared once, started many times.
#include "firmware/mpi/bsend.h"
#include "firmware/mpi/request.h"

static int prepare_send(const char* function, const mpii_arguments_t* arguments, mpii_mode_t mode,
                        MPI_Request* handle) {
  mpii_request_t* request;
  MPII_TRY(mpii_send_new(function, arguments, mode, &request));
  request->persistent = true;
  return mpii_request_open(request, handle);
}

#define ARGUMENTS                                   \
  &(mpii_arguments_t) {                             \
    buffer, count, datatype, destination, tag, comm \
  }

int PMPI_Send_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare_send("MPI_Send_init", ARGUMENTS, MPII_STANDARD, request);
}
MPII_PUBLIC(Send_init);

int PMPI_Bsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Bsend_init", ARGUMENTS, MPII_BUFFERED, request);
}
MPII_PUBLIC(Bsend_init);

int PMPI_Ssend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Ssend_init", ARGUMENTS, MPII_SYNCHRONOUS, request);
}
MPII_PUBLIC(Ssend_init);

int PMPI_Rsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Rsend_init", ARGUMENTS, MPII_READY, request);
}
MPII_PUBLIC(Rsend_init);

int PMPI_Recv_init(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request* handle) {
  mpii_request_t* request;
  const mpii_arguments_t arguments = {buffer, count, datatype, source, tag, comm};
  MPII_TRY(mpii_receive_new("MPI_Recv_init", &arguments, &request));
  request->persistent = true;
  return mpii_request_open(request, handle);
}
MPII_PUBLIC(Recv_init);

static int start(MPI_Request handle) {
  mpii_request_t* request = mpii_object(handle, MPII_REQUEST);
  if (request == NULL || !request->persistent) {
    return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no persistent request", (unsigned)handle);
  }
  if (request->active) {
    return mpii_fail(request->comm, MPI_ERR_REQUEST, "the request is active; wait for it before the next start");
  }
  if (request->mode == MPII_BUFFERED)
    MPII_TRY(mpii_bsend_start(request));
  else
    mpii_start(request);
  request->active = true;
  return MPI_SUCCESS;
}

int PMPI_Start(MPI_Request* request) {
  mpii_enter("MPI_Start");
  MPII_TRY(mpii_check_given(NULL, request, "request"));
  return start(*request);
}
MPII_PUBLIC(Start);

int PMPI_Startall(int count, MPI_Request requests[]) {
  mpii_enter("MPI_Startall");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  for (int i = 0; i < count; ++i) MPII_TRY(start(requests[i]));
  return MPI_SUCCESS;
}
MPII_PUBLIC(Startall);
