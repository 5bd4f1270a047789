// SPDX-License-Identifier: Apache-2.0
/// Reduction operations. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_OP_H
#define TOROID_FIRMWARE_MPI_OP_H

#include "firmware/mpi/comm.h"
#include "firmware/mpi/datatype.h"

typedef struct {
  mpii_object_t object;
  bool commutes;
  MPI_User_function* function;  ///< NULL: predefined
  int predefined;               ///< which one: MPI_SUM and so on; 0: the user's
} mpii_op_t;

/// b[i] = a[i] op b[i] for `count` elements of one kind.
typedef void (*mpii_combine_t)(const void* a, void* b, uint32_t count);

/// The function of a predefined operation on elements of a kind; NULL if the standard has no such pair.
mpii_combine_t mpii_combine(MPI_Op predefined, mpii_basic_t basic);

/// The operation of a handle, for a reduction of elements of `datatype`; MPI_ERR_OP if there is none.
int mpii_op(mpii_comm_t* comm, MPI_Op handle, const mpii_datatype_t* datatype, mpii_op_t** op);

/// inout[i] = in[i] op inout[i]: the left operand is `in`.
void mpii_op_apply(const mpii_op_t* op, const void* in, void* inout, uint32_t count, mpii_datatype_t* datatype);

void mpii_op_release(mpii_op_t* op);
void mpii_op_init(void);

#endif
