// SPDX-License-Identifier: Apache-2.0
// MPI_Send() and its kin, blocking and not.
#include "firmware/mpi/request.h"

static int send(const char* function, const bglmpi_arguments_t* arguments, bglmpi_mode_t mode) {
  bglmpi_request_t* request;
  BGLMPI_TRY(bglmpi_send_new(function, arguments, mode, &request));
  bglmpi_start(request);
  return bglmpi_finish(request, MPI_STATUS_IGNORE);
}

static int isend(const char* function, const bglmpi_arguments_t* arguments, bglmpi_mode_t mode, MPI_Request* handle) {
  bglmpi_request_t* request;
  BGLMPI_TRY(bglmpi_send_new(function, arguments, mode, &request));
  BGLMPI_TRY(bglmpi_request_open(request, handle));
  bglmpi_start(request);
  return MPI_SUCCESS;
}

#define ARGUMENTS                                   \
  &(bglmpi_arguments_t) {                           \
    buffer, count, datatype, destination, tag, comm \
  }

int PMPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Send", ARGUMENTS, BGLMPI_STANDARD);
}
BGLMPI_PUBLIC(Send);

int PMPI_Ssend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Ssend", ARGUMENTS, BGLMPI_SYNCHRONOUS);
}
BGLMPI_PUBLIC(Ssend);

int PMPI_Rsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Rsend", ARGUMENTS, BGLMPI_READY);
}
BGLMPI_PUBLIC(Rsend);

int PMPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return isend("MPI_Isend", ARGUMENTS, BGLMPI_STANDARD, request);
}
BGLMPI_PUBLIC(Isend);

int PMPI_Issend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return isend("MPI_Issend", ARGUMENTS, BGLMPI_SYNCHRONOUS, request);
}
BGLMPI_PUBLIC(Issend);

int PMPI_Irsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return isend("MPI_Irsend", ARGUMENTS, BGLMPI_READY, request);
}
BGLMPI_PUBLIC(Irsend);
