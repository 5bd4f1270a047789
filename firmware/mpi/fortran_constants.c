// SPDX-License-Identifier: Apache-2.0
// The variables of mpif.h whose addresses have a meaning.
#include "firmware/mpi/fortran.h"

// As gfortran aligns common blocks; the linker warns of less.
#define COMMON __attribute__((aligned(16)))
COMMON MPI_Fint mpii_bottom_[1];
COMMON MPI_Fint mpii_in_place_[1];
COMMON MPI_Fint mpii_status_ignore_[MPI_STATUS_SIZE];
COMMON MPI_Fint mpii_statuses_ignore_[MPI_STATUS_SIZE];
COMMON MPI_Fint mpii_errcodes_ignore_[1];
COMMON MPI_Fint mpii_unweighted_[1];
COMMON MPI_Fint mpii_weights_empty_[1];

MPI_Fint* MPI_F_STATUS_IGNORE = mpii_status_ignore_;
MPI_Fint* MPI_F_STATUSES_IGNORE = mpii_statuses_ignore_;
