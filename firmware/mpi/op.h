/* SPDX-License-Identifier: Apache-2.0 */
/* Reduction operations. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_OP_H
#define TOROID_FIRMWARE_MPI_OP_H

#include "firmware/mpi/comm.h"
#include "firmware/mpi/datatype.h"

typedef struct {
  bglmpi_object_t object;
  bool commutes;
  MPI_User_function* function; /* NULL: predefined */
  int predefined;              /* which one: MPI_SUM and so on; 0: the user's */
} bglmpi_op_t;

/* b[i] = a[i] op b[i] for `count` elements of one kind. */
typedef void (*bglmpi_combine_t)(const void* a, void* b, uint32_t count);

/* What a predefined operation does to elements of a kind; NULL where the standard has no such pair. */
bglmpi_combine_t bglmpi_combine(MPI_Op predefined, bglmpi_basic_t basic);

/* The operation of a handle, for a reduction of elements of `datatype`; MPI_ERR_OP where there is none. */
int bglmpi_op(bglmpi_comm_t* comm, MPI_Op handle, const bglmpi_datatype_t* datatype, bglmpi_op_t** op);

/* inout[i] = in[i] op inout[i]: the left operand is `in`. */
void bglmpi_op_apply(const bglmpi_op_t* op, const void* in, void* inout, uint32_t count, bglmpi_datatype_t* datatype);

void bglmpi_op_release(bglmpi_op_t* op);
void bglmpi_op_init(void);

#endif
