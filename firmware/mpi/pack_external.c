// SPDX-License-Identifier: Apache-2.0
// Packing in the standard's "external32" format: big-endian, with the sizes of the C and Fortran types that this
// machine has itself. So it is MPI_Pack()'s format.
#include <string.h>

#include "firmware/mpi/request.h"

static int check(const char* function, const char* datarep) {
  bglmpi_enter(function);
  BGLMPI_TRY(bglmpi_check_given(NULL, datarep, "datarep"));
  if (strcmp(datarep, "external32") == 0) return MPI_SUCCESS;
  return bglmpi_fail(NULL, MPI_ERR_ARG, "the data representation is '%s'; \"external32\" is known", datarep);
}

int PMPI_Pack_external(const char* datarep, const void* in, int count, MPI_Datatype datatype, void* out, MPI_Aint size,
                       MPI_Aint* position) {
  BGLMPI_TRY(check("MPI_Pack_external", datarep));
  BGLMPI_TRY(bglmpi_check_given(NULL, position, "position"));
  int place = (int)*position;
  BGLMPI_TRY(PMPI_Pack(in, count, datatype, out, (int)size, &place, MPI_COMM_WORLD));
  *position = place;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Pack_external);

int PMPI_Unpack_external(const char* datarep, const void* in, MPI_Aint size, MPI_Aint* position, void* out, int count,
                         MPI_Datatype datatype) {
  BGLMPI_TRY(check("MPI_Unpack_external", datarep));
  BGLMPI_TRY(bglmpi_check_given(NULL, position, "position"));
  int place = (int)*position;
  BGLMPI_TRY(PMPI_Unpack(in, (int)size, &place, out, count, datatype, MPI_COMM_WORLD));
  *position = place;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Unpack_external);

int PMPI_Pack_external_size(const char* datarep, int count, MPI_Datatype datatype, MPI_Aint* size) {
  int bytes;
  BGLMPI_TRY(check("MPI_Pack_external_size", datarep));
  BGLMPI_TRY(bglmpi_check_given(NULL, size, "size"));
  BGLMPI_TRY(PMPI_Pack_size(count, datatype, MPI_COMM_WORLD, &bytes));
  *size = bytes;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Pack_external_size);
