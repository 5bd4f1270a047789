// SPDX-License-Identifier: Apache-2.0
// Persistent requests: prepared once, started many times.
#include "firmware/mpi/bsend.h"
#include "firmware/mpi/request.h"

static int prepare_send(const char* function, const bglmpi_arguments_t* arguments, bglmpi_mode_t mode,
                        MPI_Request* handle) {
  bglmpi_request_t* request;
  BGLMPI_TRY(bglmpi_send_new(function, arguments, mode, &request));
  request->persistent = true;
  return bglmpi_request_open(request, handle);
}

#define ARGUMENTS                                   \
  &(bglmpi_arguments_t) {                           \
    buffer, count, datatype, destination, tag, comm \
  }

int PMPI_Send_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare_send("MPI_Send_init", ARGUMENTS, BGLMPI_STANDARD, request);
}
BGLMPI_PUBLIC(Send_init);

int PMPI_Bsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Bsend_init", ARGUMENTS, BGLMPI_BUFFERED, request);
}
BGLMPI_PUBLIC(Bsend_init);

int PMPI_Ssend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Ssend_init", ARGUMENTS, BGLMPI_SYNCHRONOUS, request);
}
BGLMPI_PUBLIC(Ssend_init);

int PMPI_Rsend_init(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                    MPI_Request* request) {
  return prepare_send("MPI_Rsend_init", ARGUMENTS, BGLMPI_READY, request);
}
BGLMPI_PUBLIC(Rsend_init);

int PMPI_Recv_init(void* buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request* handle) {
  bglmpi_request_t* request;
  const bglmpi_arguments_t arguments = {buffer, count, datatype, source, tag, comm};
  BGLMPI_TRY(bglmpi_receive_new("MPI_Recv_init", &arguments, &request));
  request->persistent = true;
  return bglmpi_request_open(request, handle);
}
BGLMPI_PUBLIC(Recv_init);

static int start(MPI_Request handle) {
  bglmpi_request_t* request = bglmpi_object(handle, BGLMPI_REQUEST);
  if (request == NULL || !request->persistent) {
    return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no persistent request", (unsigned)handle);
  }
  if (request->active) {
    return bglmpi_fail(request->comm, MPI_ERR_REQUEST, "the request is active; wait for it before the next start");
  }
  if (request->mode == BGLMPI_BUFFERED)
    BGLMPI_TRY(bglmpi_bsend_start(request));
  else
    bglmpi_start(request);
  request->active = true;
  return MPI_SUCCESS;
}

int PMPI_Start(MPI_Request* request) {
  bglmpi_enter("MPI_Start");
  BGLMPI_TRY(bglmpi_check_given(NULL, request, "request"));
  return start(*request);
}
BGLMPI_PUBLIC(Start);

int PMPI_Startall(int count, MPI_Request requests[]) {
  bglmpi_enter("MPI_Startall");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  for (int i = 0; i < count; ++i) BGLMPI_TRY(start(requests[i]));
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Startall);
