// SPDX-License-Identifier: Apache-2.0
// The variables of mpif.h whose addresses have a meaning.
#include "firmware/mpi/fortran.h"

// As gfortran aligns common blocks; the linker warns of less.
#define COMMON __attribute__((aligned(16)))
COMMON MPI_Fint bglmpi_bottom_[1];
COMMON MPI_Fint bglmpi_in_place_[1];
COMMON MPI_Fint bglmpi_status_ignore_[MPI_STATUS_SIZE];
COMMON MPI_Fint bglmpi_statuses_ignore_[MPI_STATUS_SIZE];
COMMON MPI_Fint bglmpi_errcodes_ignore_[1];
COMMON MPI_Fint bglmpi_unweighted_[1];
COMMON MPI_Fint bglmpi_weights_empty_[1];

MPI_Fint* MPI_F_STATUS_IGNORE = bglmpi_status_ignore_;
MPI_Fint* MPI_F_STATUSES_IGNORE = bglmpi_statuses_ignore_;
