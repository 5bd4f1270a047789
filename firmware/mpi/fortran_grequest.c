// SPDX-License-Identifier: Apache-2.0
// Generalised requests with functions of Fortran.
#include "firmware/mpi/fortran.h"
#include "firmware/mpi/object.h"

/// The extra state, for MPI, of a request; freed with it.
typedef struct {
  mpii_fortran_query_t* query;
  mpii_fortran_free_t* free_it;
  mpii_fortran_cancel_t* cancel;
  MPI_Aint extra;
} grequest_t;

void* mpii_fortran_grequest(mpii_fortran_query_t* query, mpii_fortran_free_t* free_it, mpii_fortran_cancel_t* cancel,
                            MPI_Aint extra) {
  grequest_t* request = mpii_program_allocate(sizeof *request);
  *request = (grequest_t){query, free_it, cancel, extra};
  return request;
}

int mpii_fortran_call_query(void* extra, MPI_Status* status) {
  grequest_t* request = extra;
  MPI_Fint error = MPI_SUCCESS;
  request->query(&request->extra, status, &error);
  return error;
}

int mpii_fortran_call_free(void* extra) {
  grequest_t* request = extra;
  MPI_Fint error = MPI_SUCCESS;
  request->free_it(&request->extra, &error);
  free(request);
  return error;
}

int mpii_fortran_call_cancel(void* extra, int complete) {
  grequest_t* request = extra;
  MPI_Fint error = MPI_SUCCESS, logical = complete != 0;
  request->cancel(&request->extra, &logical, &error);
  return error;
}
