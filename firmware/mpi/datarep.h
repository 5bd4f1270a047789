// SPDX-License-Identifier: Apache-2.0
/// Data representations of files, by name. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_DATAREP_H
#define TOROID_FIRMWARE_MPI_DATAREP_H

#include "firmware/mpi/comm.h"

/// The name of a representation that files can have, for good; MPI_ERR_UNSUPPORTED_DATAREP for others.
int mpii_datarep(mpii_comm_t* comm, const char* name, const char** known);

#endif
