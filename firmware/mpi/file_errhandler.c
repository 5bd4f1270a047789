// SPDX-License-Identifier: Apache-2.0
// Error handlers of files. MPI_FILE_NULL's is that of files that are opened from now on, and of what fails without one.
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/file.h"

/// The communicator whose error handler is meant.
static int enter(const char* function, MPI_File handle, mpii_comm_t** comm) {
  mpii_file_t* file;
  if (handle == MPI_FILE_NULL) {
    mpii_enter(function);
    *comm = mpii_no_file();
    return MPI_SUCCESS;
  }
  MPII_TRY(mpii_enter_file(function, handle, &file));
  *comm = file->comm;
  return MPI_SUCCESS;
}

int PMPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
  mpii_enter("MPI_File_create_errhandler");
  if (function == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "the function is a null pointer");
  MPII_TRY(mpii_check_given(NULL, handler, "handler"));
  *handler = mpii_errhandler_new(function);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_create_errhandler);

int PMPI_File_set_errhandler(MPI_File handle, MPI_Errhandler handler_handle) {
  mpii_comm_t* comm;
  mpii_errhandler_t* handler;
  MPII_TRY(enter("MPI_File_set_errhandler", handle, &comm));
  MPII_TRY(mpii_errhandler(comm, handler_handle, &handler));
  mpii_errhandler_t* old = comm->errhandler;
  comm->errhandler = mpii_retain(handler);
  mpii_errhandler_release(old);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_set_errhandler);

int PMPI_File_get_errhandler(MPI_File handle, MPI_Errhandler* handler) {
  mpii_comm_t* comm;
  MPII_TRY(enter("MPI_File_get_errhandler", handle, &comm));
  MPII_TRY(mpii_check_given(comm, handler, "handler"));
  *handler = mpii_errhandler_open(comm->errhandler);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_errhandler);

int PMPI_File_call_errhandler(MPI_File handle, int code) {
  mpii_comm_t* comm;
  MPII_TRY(enter("MPI_File_call_errhandler", handle, &comm));
  mpii_fail_class(comm, code);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_call_errhandler);
