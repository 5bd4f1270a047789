// SPDX-License-Identifier: Apache-2.0
// Datatypes: looking them up, their ends, what is asked of them.
#include "firmware/mpi/datatype.h"

#include <stdlib.h>

#include "firmware/mpi/comm.h"

int bglmpi_datatype_any(bglmpi_comm_t* comm, MPI_Datatype handle, bglmpi_datatype_t** datatype) {
  *datatype = bglmpi_object(handle, BGLMPI_DATATYPE);
  if (*datatype != NULL) return MPI_SUCCESS;
  if (handle == MPI_DATATYPE_NULL) return bglmpi_fail(comm, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  return bglmpi_fail(comm, MPI_ERR_TYPE, "0x%X is no datatype, or a freed one", (unsigned)handle);
}

int bglmpi_datatype(bglmpi_comm_t* comm, MPI_Datatype handle, bglmpi_datatype_t** datatype) {
  BGLMPI_TRY(bglmpi_datatype_any(comm, handle, datatype));
  if ((*datatype)->committed) return MPI_SUCCESS;
  return bglmpi_fail(comm, MPI_ERR_TYPE, "the datatype is not committed; call MPI_Type_commit() before it is used");
}

void bglmpi_datatype_release(bglmpi_datatype_t* datatype) {
  if (!bglmpi_release(datatype)) return;
  free(datatype->runs);
  free(datatype->blocks);
  free(datatype->recipe);
  free(datatype->given_name);
  free(datatype);
}
