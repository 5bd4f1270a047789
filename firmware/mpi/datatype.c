// SPDX-License-Identifier: Apache-2.0
// Datatypes: looking them up, their ends, what is asked of them.
#include "firmware/mpi/datatype.h"

#include <stdlib.h>

#include "firmware/mpi/attribute.h"
#include "firmware/mpi/comm.h"
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/type_builder.h"

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

MPI_Datatype bglmpi_datatype_open(bglmpi_datatype_t* datatype) {
  if (datatype->predefined) return datatype->object.handle;
  if (datatype->opened++ == 0) bglmpi_object_open(datatype, BGLMPI_DATATYPE);
  bglmpi_retain(datatype);
  return datatype->object.handle;
}

static void destroy(void* object) {
  bglmpi_datatype_t* datatype = object;
  free(datatype->runs);
  free(datatype->blocks);
  bglmpi_recipe_free(datatype->recipe);
  free(datatype->given_name);
  free(datatype);
}

void bglmpi_datatype_release(bglmpi_datatype_t* datatype) {
  if (!bglmpi_release(datatype)) return;
  if (bglmpi_interrupted) {
    bglmpi_later(destroy, datatype);
  } else {
    destroy(datatype);
  }
}

int PMPI_Type_commit(MPI_Datatype* handle) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_commit");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "datatype"));
  BGLMPI_TRY(bglmpi_datatype_any(NULL, *handle, &datatype));
  datatype->committed = true;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_commit);

int PMPI_Type_free(MPI_Datatype* handle) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "datatype"));
  BGLMPI_TRY(bglmpi_datatype_any(NULL, *handle, &datatype));
  if (datatype->predefined) return bglmpi_fail(NULL, MPI_ERR_TYPE, "%s cannot be freed", datatype->name);
  if (datatype->opened == 1) {
    BGLMPI_TRY(bglmpi_attributes_delete(*handle, &datatype->attributes));
    bglmpi_object_close(datatype);
  }
  datatype->opened -= 1;
  bglmpi_datatype_release(datatype);
  *handle = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_free);

int PMPI_Type_size(MPI_Datatype handle, int* size) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_size");
  BGLMPI_TRY(bglmpi_check_given(NULL, size, "size"));
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  *size = (int)datatype->size;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_size);

static int bound(const char* function, MPI_Datatype handle, MPI_Aint* place, const char* name,
                 bglmpi_datatype_t** datatype) {
  bglmpi_enter(function);
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, datatype));
  return bglmpi_check_given(NULL, place, name);
}

int PMPI_Type_extent(MPI_Datatype handle, MPI_Aint* extent) {
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bound("MPI_Type_extent", handle, extent, "extent", &datatype));
  *extent = datatype->extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_extent);

int PMPI_Type_lb(MPI_Datatype handle, MPI_Aint* lb) {
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bound("MPI_Type_lb", handle, lb, "lb", &datatype));
  *lb = datatype->lb;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_lb);

int PMPI_Type_ub(MPI_Datatype handle, MPI_Aint* ub) {
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bound("MPI_Type_ub", handle, ub, "ub", &datatype));
  *ub = datatype->lb + datatype->extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_ub);

int PMPI_Type_get_extent(MPI_Datatype handle, MPI_Aint* lb, MPI_Aint* extent) {
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bound("MPI_Type_get_extent", handle, lb, "lb", &datatype));
  BGLMPI_TRY(bglmpi_check_given(NULL, extent, "extent"));
  *lb = datatype->lb;
  *extent = datatype->extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_get_extent);

int PMPI_Type_get_true_extent(MPI_Datatype handle, MPI_Aint* lb, MPI_Aint* extent) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_get_true_extent");
  BGLMPI_TRY(bglmpi_check_given(NULL, lb, "lb"));
  BGLMPI_TRY(bglmpi_check_given(NULL, extent, "extent"));
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  *lb = datatype->true_lb;
  *extent = datatype->true_extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_get_true_extent);

// The same with numbers of 64 bits, which nothing on a 32-bit machine needs.

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count* size) {
  int small;
  bglmpi_enter("MPI_Type_size_x");
  BGLMPI_TRY(bglmpi_check_given(NULL, size, "size"));
  BGLMPI_TRY(PMPI_Type_size(datatype, &small));
  *size = small;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_size_x);

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint small_lb, small_extent;
  bglmpi_enter("MPI_Type_get_extent_x");
  BGLMPI_TRY(bglmpi_check_given(NULL, lb, "lb"));
  BGLMPI_TRY(bglmpi_check_given(NULL, extent, "extent"));
  BGLMPI_TRY(PMPI_Type_get_extent(datatype, &small_lb, &small_extent));
  *lb = small_lb;
  *extent = small_extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_get_extent_x);

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint small_lb, small_extent;
  bglmpi_enter("MPI_Type_get_true_extent_x");
  BGLMPI_TRY(bglmpi_check_given(NULL, lb, "lb"));
  BGLMPI_TRY(bglmpi_check_given(NULL, extent, "extent"));
  BGLMPI_TRY(PMPI_Type_get_true_extent(datatype, &small_lb, &small_extent));
  *lb = small_lb;
  *extent = small_extent;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_get_true_extent_x);
