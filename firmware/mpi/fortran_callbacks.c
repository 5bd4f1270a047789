// SPDX-License-Identifier: Apache-2.0
// The standard's own copy and delete functions of attributes, as Fortran programs pass them.
#include "firmware/mpi/fortran.h"

// Those of MPI-1 have default INTEGERs.
#define COPY_NONE(name, integer)                                                                                      \
  void name(const MPI_Fint* object, const MPI_Fint* key, const integer* extra, const integer* in, const integer* out, \
            MPI_Fint* flag, MPI_Fint* ierror) {                                                                       \
    (void)object, (void)key, (void)extra, (void)in, (void)out;                                                        \
    *flag = 0;                                                                                                        \
    *ierror = MPI_SUCCESS;                                                                                            \
  }
#define COPY_VALUE(name, integer)                                                                               \
  void name(const MPI_Fint* object, const MPI_Fint* key, const integer* extra, const integer* in, integer* out, \
            MPI_Fint* flag, MPI_Fint* ierror) {                                                                 \
    (void)object, (void)key, (void)extra;                                                                       \
    *out = *in;                                                                                                 \
    *flag = 1;                                                                                                  \
    *ierror = MPI_SUCCESS;                                                                                      \
  }
#define DELETE_NOTHING(name, integer)                                                                \
  void name(const MPI_Fint* object, const MPI_Fint* key, const integer* value, const integer* extra, \
            MPI_Fint* ierror) {                                                                      \
    (void)object, (void)key, (void)value, (void)extra;                                               \
    *ierror = MPI_SUCCESS;                                                                           \
  }

void mpi_conversion_fn_null_(void* buffer, MPI_Fint* datatype, MPI_Fint* count, void* file_buffer, MPI_Offset* position,
                             MPI_Aint* extra, MPI_Fint* ierror) {
  (void)buffer, (void)datatype, (void)count, (void)file_buffer, (void)position, (void)extra;
  *ierror = MPI_ERR_CONVERSION;
}

static int never_called(void* buffer, MPI_Datatype datatype, int count, void* file_buffer, MPI_Offset position,
                        void* extra) {
  (void)buffer, (void)datatype, (void)count, (void)file_buffer, (void)position, (void)extra;
  return MPI_ERR_CONVERSION;
}

MPI_Datarep_conversion_function* mpii_fortran_conversion(mpii_fortran_conversion_t* function) {
  return function == mpi_conversion_fn_null_ ? MPI_CONVERSION_FN_NULL : never_called;
}

COPY_NONE(mpi_null_copy_fn_, MPI_Fint)
COPY_NONE(mpi_comm_null_copy_fn_, MPI_Aint)
COPY_NONE(mpi_type_null_copy_fn_, MPI_Aint)
COPY_NONE(mpi_win_null_copy_fn_, MPI_Aint)
COPY_VALUE(mpi_dup_fn_, MPI_Fint)
COPY_VALUE(mpi_comm_dup_fn_, MPI_Aint)
COPY_VALUE(mpi_type_dup_fn_, MPI_Aint)
COPY_VALUE(mpi_win_dup_fn_, MPI_Aint)
DELETE_NOTHING(mpi_null_delete_fn_, MPI_Fint)
DELETE_NOTHING(mpi_comm_null_delete_fn_, MPI_Aint)
DELETE_NOTHING(mpi_type_null_delete_fn_, MPI_Aint)
DELETE_NOTHING(mpi_win_null_delete_fn_, MPI_Aint)
