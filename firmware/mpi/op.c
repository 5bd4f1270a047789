// SPDX-License-Identifier: Apache-2.0
// Operations of reductions: predefined ones and the user's, and MPI_Reduce_local().
#include "firmware/mpi/op.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/type_builder.h"

static const char* const names[] = {
    "MPI_OP_NULL", "MPI_MAX",  "MPI_MIN",  "MPI_SUM",    "MPI_PROD",   "MPI_LAND",    "MPI_BAND",  "MPI_LOR",
    "MPI_BOR",     "MPI_LXOR", "MPI_BXOR", "MPI_MAXLOC", "MPI_MINLOC", "MPI_REPLACE", "MPI_NO_OP",
};
enum { PREDEFINED = sizeof names / sizeof *names };

static mpii_op_t ops[PREDEFINED];

void mpii_op_init(void) {
  // From the last on, as datatypes are.
  for (int number = PREDEFINED - 1; number > 0; --number) {
    ops[number].predefined = MPI_OP_NULL + number;
    ops[number].commutes = ops[number].predefined != MPI_REPLACE && ops[number].predefined != MPI_NO_OP;
    mpii_object_open_as(&ops[number], ops[number].predefined);
  }
}

void mpii_op_release(mpii_op_t* op) {
  if (mpii_release(op)) free(op);
}

static int find(mpii_comm_t* comm, MPI_Op handle, mpii_op_t** op) {
  *op = mpii_object(handle, MPII_OP);
  if (*op != NULL) return MPI_SUCCESS;
  if (handle == MPI_OP_NULL) return mpii_fail(comm, MPI_ERR_OP, "the operation is MPI_OP_NULL");
  return mpii_fail(comm, MPI_ERR_OP, "0x%X is no operation, or a freed one", (unsigned)handle);
}

/// A predefined datatype, or one that stands for it: a duplicate, or what MPI_Type_create_f90_real() and its kin make.
static bool is_basic(const mpii_datatype_t* datatype) {
  if (datatype->predefined) return true;
  const int combiner = datatype->recipe == NULL ? MPI_COMBINER_NAMED : datatype->recipe->combiner;
  return datatype->elements == 1 && (combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_F90_REAL ||
                                     combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER);
}

int mpii_op(mpii_comm_t* comm, MPI_Op handle, const mpii_datatype_t* datatype, mpii_op_t** op) {
  MPII_TRY(find(comm, handle, op));
  if ((*op)->predefined == 0) return MPI_SUCCESS;
  const char* name = names[handle - MPI_OP_NULL];
  if (!is_basic(datatype)) {
    return mpii_fail(comm, MPI_ERR_OP,
                     "%s does not work on a derived datatype; use the predefined datatype with a larger count, or an "
                     "operation of MPI_Op_create()",
                     name);
  }
  if (mpii_combine(handle, datatype->basic) == NULL) {
    return mpii_fail(comm, MPI_ERR_OP, "%s does not work on %s", name,
                     datatype->name != NULL ? datatype->name : "this datatype");
  }
  return MPI_SUCCESS;
}

void mpii_op_apply(const mpii_op_t* op, const void* in, void* inout, uint32_t count, mpii_datatype_t* datatype) {
  if (count == 0) return;
  if (op->predefined != 0) {
    mpii_combine(op->predefined, datatype->basic)(in, inout, count);
    return;
  }
  int length = (int)count;
  MPI_Datatype handle = datatype->object.handle;
  op->function((void*)(uintptr_t)in, inout, &length, &handle);
}

int PMPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* handle) {
  mpii_enter("MPI_Op_create");
  MPII_TRY(mpii_check_given(NULL, handle, "op"));
  if (function == NULL) return mpii_fail(NULL, MPI_ERR_ARG, "the function is a null pointer");
  mpii_op_t* op = mpii_allocate(sizeof *op);
  op->function = function;
  op->commutes = commutes != 0;
  op->object.references = 1;
  *handle = mpii_object_open(op, MPII_OP);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Op_create);

int PMPI_Op_free(MPI_Op* handle) {
  mpii_op_t* op;
  mpii_enter("MPI_Op_free");
  MPII_TRY(mpii_check_given(NULL, handle, "op"));
  MPII_TRY(find(NULL, *handle, &op));
  if (op->predefined != 0) {
    return mpii_fail(NULL, MPI_ERR_OP, "%s cannot be freed", names[*handle - MPI_OP_NULL]);
  }
  // Operations that are under way have references of their own.
  mpii_object_close(op);
  mpii_op_release(op);
  *handle = MPI_OP_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Op_free);

int PMPI_Op_commutative(MPI_Op handle, int* commutes) {
  mpii_op_t* op;
  mpii_enter("MPI_Op_commutative");
  MPII_TRY(mpii_check_given(NULL, commutes, "commutes"));
  MPII_TRY(find(NULL, handle, &op));
  *commutes = op->commutes;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Op_commutative);

int PMPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype handle, MPI_Op op_handle) {
  mpii_datatype_t* datatype;
  mpii_op_t* op;
  mpii_enter("MPI_Reduce_local");
  if (count < 0) return mpii_fail(NULL, MPI_ERR_COUNT, "count is %d; it must be 0 or more", count);
  MPII_TRY(mpii_datatype(NULL, handle, &datatype));
  MPII_TRY(mpii_op(NULL, op_handle, datatype, &op));
  if (in == MPI_IN_PLACE || inout == MPI_IN_PLACE) {
    return mpii_fail(NULL, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning here; both buffers are operands");
  }
  if ((in == NULL || inout == NULL) && count != 0 && datatype->size != 0) {
    return mpii_fail(NULL, MPI_ERR_BUFFER, "the buffer of %d elements is a null pointer", count);
  }
  if (in == inout && count != 0) return mpii_fail(NULL, MPI_ERR_BUFFER, "both operands are the same buffer");
  mpii_op_apply(op, in, inout, (uint32_t)count, datatype);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Reduce_local);
