// SPDX-License-Identifier: Apache-2.0
// The standard's own copy and delete functions of attributes, as Fortran programs pass them.
#include "firmware/mpi/fortran.h"

#define COPY_NONE(name)                                                                             \
  void name(const MPI_Fint* object, const MPI_Fint* key, const MPI_Aint* extra, const MPI_Aint* in, \
            const MPI_Aint* out, MPI_Fint* flag, MPI_Fint* ierror) {                                \
    (void)object, (void)key, (void)extra, (void)in, (void)out;                                      \
    *flag = 0;                                                                                      \
    *ierror = MPI_SUCCESS;                                                                          \
  }
#define COPY_VALUE(name)                                                                                           \
  void name(const MPI_Fint* object, const MPI_Fint* key, const MPI_Aint* extra, const MPI_Aint* in, MPI_Aint* out, \
            MPI_Fint* flag, MPI_Fint* ierror) {                                                                    \
    (void)object, (void)key, (void)extra;                                                                          \
    *out = *in;                                                                                                    \
    *flag = 1;                                                                                                     \
    *ierror = MPI_SUCCESS;                                                                                         \
  }
#define DELETE_NOTHING(name)                                                                           \
  void name(const MPI_Fint* object, const MPI_Fint* key, const MPI_Aint* value, const MPI_Aint* extra, \
            MPI_Fint* ierror) {                                                                        \
    (void)object, (void)key, (void)value, (void)extra;                                                 \
    *ierror = MPI_SUCCESS;                                                                             \
  }

COPY_NONE(mpi_null_copy_fn_)
COPY_NONE(mpi_comm_null_copy_fn_)
COPY_NONE(mpi_type_null_copy_fn_)
COPY_NONE(mpi_win_null_copy_fn_)
COPY_VALUE(mpi_dup_fn_)
COPY_VALUE(mpi_comm_dup_fn_)
COPY_VALUE(mpi_type_dup_fn_)
COPY_VALUE(mpi_win_dup_fn_)
DELETE_NOTHING(mpi_null_delete_fn_)
DELETE_NOTHING(mpi_comm_null_delete_fn_)
DELETE_NOTHING(mpi_type_null_delete_fn_)
DELETE_NOTHING(mpi_win_null_delete_fn_)
