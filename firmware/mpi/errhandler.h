// SPDX-License-Identifier: Apache-2.0
/// Error handlers' handles, and error classes and codes of the program's own. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_ERRHANDLER_H
#define TOROID_FIRMWARE_MPI_ERRHANDLER_H

#include "firmware/mpi/comm.h"

/// The error handler of a handle, or MPI_ERR_ARG at `comm`.
int mpii_errhandler(mpii_comm_t* comm, MPI_Errhandler handle, mpii_errhandler_t** handler);

/// A new one, and the program's handle of it.
MPI_Errhandler mpii_errhandler_new(MPI_Comm_errhandler_function* function);

/// A handle of it for the program, with a reference.
MPI_Errhandler mpii_errhandler_open(mpii_errhandler_t* handler);

/// The greatest code in use, a class's or code's: what MPI_LASTUSEDCODE says.
int mpii_last_code(void);

/// What an error code means: the library's text or the program's, which may be empty. NULL: it is no code.
const char* mpii_code_text(int code);

#endif
