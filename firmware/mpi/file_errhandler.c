// SPDX-License-Identifier: Apache-2.0
// Error handlers of files. MPI_FILE_NULL's is that of files that are opened from now on, and of what fails without one.
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/file.h"

/// The communicator whose error handler is meant.
static int enter(const char* function, MPI_File handle, bglmpi_comm_t** comm) {
  bglmpi_file_t* file;
  if (handle == MPI_FILE_NULL) {
    bglmpi_enter(function);
    *comm = bglmpi_no_file();
    return MPI_SUCCESS;
  }
  BGLMPI_TRY(bglmpi_enter_file(function, handle, &file));
  *comm = file->comm;
  return MPI_SUCCESS;
}

int PMPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
  bglmpi_enter("MPI_File_create_errhandler");
  if (function == NULL) return bglmpi_fail(NULL, MPI_ERR_ARG, "the function is a null pointer");
  BGLMPI_TRY(bglmpi_check_given(NULL, handler, "handler"));
  *handler = bglmpi_errhandler_new(function);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_create_errhandler);

int PMPI_File_set_errhandler(MPI_File handle, MPI_Errhandler handler_handle) {
  bglmpi_comm_t* comm;
  bglmpi_errhandler_t* handler;
  BGLMPI_TRY(enter("MPI_File_set_errhandler", handle, &comm));
  BGLMPI_TRY(bglmpi_errhandler(comm, handler_handle, &handler));
  bglmpi_errhandler_t* old = comm->errhandler;
  comm->errhandler = bglmpi_retain(handler);
  bglmpi_errhandler_release(old);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_set_errhandler);

int PMPI_File_get_errhandler(MPI_File handle, MPI_Errhandler* handler) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(enter("MPI_File_get_errhandler", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, handler, "handler"));
  *handler = bglmpi_errhandler_open(comm->errhandler);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_get_errhandler);

int PMPI_File_call_errhandler(MPI_File handle, int code) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(enter("MPI_File_call_errhandler", handle, &comm));
  bglmpi_fail_class(comm, code);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_call_errhandler);
