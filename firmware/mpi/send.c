// SPDX-License-Identifier: Apache-2.0
// MPI_Send() and its kin, blocking and not.
#include "firmware/mpi/request.h"

static int send(const char* function, const mpii_arguments_t* arguments, mpii_mode_t mode) {
  mpii_request_t* request;
  MPII_TRY(mpii_send_new(function, arguments, mode, &request));
  mpii_start(request);
  return mpii_finish(request, MPI_STATUS_IGNORE);
}

static int isend(const char* function, const mpii_arguments_t* arguments, mpii_mode_t mode, MPI_Request* handle) {
  mpii_request_t* request;
  MPII_TRY(mpii_send_new(function, arguments, mode, &request));
  MPII_TRY(mpii_request_open(request, handle));
  mpii_start(request);
  return MPI_SUCCESS;
}

#define ARGUMENTS                                   \
  &(mpii_arguments_t) {                             \
    buffer, count, datatype, destination, tag, comm \
  }

int PMPI_Send(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Send", ARGUMENTS, MPII_STANDARD);
}
MPII_PUBLIC(Send);

int PMPI_Ssend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Ssend", ARGUMENTS, MPII_SYNCHRONOUS);
}
MPII_PUBLIC(Ssend);

int PMPI_Rsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm) {
  return send("MPI_Rsend", ARGUMENTS, MPII_READY);
}
MPII_PUBLIC(Rsend);

int PMPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return isend("MPI_Isend", ARGUMENTS, MPII_STANDARD, request);
}
MPII_PUBLIC(Isend);

int PMPI_Issend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return isend("MPI_Issend", ARGUMENTS, MPII_SYNCHRONOUS, request);
}
MPII_PUBLIC(Issend);

int PMPI_Irsend(const void* buffer, int count, MPI_Datatype datatype, int destination, int tag, MPI_Comm comm,
                MPI_Request* request) {
  return isend("MPI_Irsend", ARGUMENTS, MPII_READY, request);
}
MPII_PUBLIC(Irsend);
