// SPDX-License-Identifier: Apache-2.0
// Datatypes: looking them up, their ends, what is asked of them.
#include "firmware/mpi/datatype.h"

#include <stdlib.h>

#include "firmware/mpi/attribute.h"
#include "firmware/mpi/comm.h"
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/type_builder.h"

int mpii_datatype_any(mpii_comm_t* comm, MPI_Datatype handle, mpii_datatype_t** datatype) {
  *datatype = mpii_object(handle, MPII_DATATYPE);
  if (*datatype != NULL) return MPI_SUCCESS;
  if (handle == MPI_DATATYPE_NULL) return mpii_fail(comm, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  return mpii_fail(comm, MPI_ERR_TYPE, "0x%X is no datatype, or a freed one", (unsigned)handle);
}

int mpii_datatype(mpii_comm_t* comm, MPI_Datatype handle, mpii_datatype_t** datatype) {
  MPII_TRY(mpii_datatype_any(comm, handle, datatype));
  if ((*datatype)->committed) return MPI_SUCCESS;
  return mpii_fail(comm, MPI_ERR_TYPE, "the datatype is not committed; call MPI_Type_commit() before it is used");
}

MPI_Datatype mpii_datatype_open(mpii_datatype_t* datatype) {
  if (datatype->predefined) return datatype->object.handle;
  if (datatype->opened++ == 0) mpii_object_open(datatype, MPII_DATATYPE);
  mpii_retain(datatype);
  return datatype->object.handle;
}

static void destroy(void* object) {
  mpii_datatype_t* datatype = object;
  free(datatype->runs);
  free(datatype->blocks);
  mpii_recipe_free(datatype->recipe);
  free(datatype->given_name);
  free(datatype);
}

void mpii_datatype_release(mpii_datatype_t* datatype) {
  if (!mpii_release(datatype)) return;
  if (mpii_interrupted) {
    mpii_later(destroy, datatype);
  } else {
    destroy(datatype);
  }
}

int PMPI_Type_commit(MPI_Datatype* handle) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_commit");
  MPII_TRY(mpii_check_given(NULL, handle, "datatype"));
  MPII_TRY(mpii_datatype_any(NULL, *handle, &datatype));
  datatype->committed = true;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_commit);

int PMPI_Type_free(MPI_Datatype* handle) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_free");
  MPII_TRY(mpii_check_given(NULL, handle, "datatype"));
  MPII_TRY(mpii_datatype_any(NULL, *handle, &datatype));
  if (datatype->predefined) return mpii_fail(NULL, MPI_ERR_TYPE, "%s cannot be freed", datatype->name);
  if (datatype->opened == 1) {
    MPII_TRY(mpii_attributes_delete(*handle, &datatype->attributes));
    mpii_object_close(datatype);
  }
  datatype->opened -= 1;
  mpii_datatype_release(datatype);
  *handle = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_free);

int PMPI_Type_size(MPI_Datatype handle, int* size) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_size");
  MPII_TRY(mpii_check_given(NULL, size, "size"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  *size = datatype->size <= INT32_MAX ? (int)datatype->size : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_size);

static int bound(const char* function, MPI_Datatype handle, MPI_Aint* place, const char* name,
                 mpii_datatype_t** datatype) {
  mpii_enter(function);
  MPII_TRY(mpii_datatype_any(NULL, handle, datatype));
  return mpii_check_given(NULL, place, name);
}

int PMPI_Type_extent(MPI_Datatype handle, MPI_Aint* extent) {
  mpii_datatype_t* datatype;
  MPII_TRY(bound("MPI_Type_extent", handle, extent, "extent", &datatype));
  *extent = datatype->extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_extent);

int PMPI_Type_lb(MPI_Datatype handle, MPI_Aint* lb) {
  mpii_datatype_t* datatype;
  MPII_TRY(bound("MPI_Type_lb", handle, lb, "lb", &datatype));
  *lb = datatype->lb;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_lb);

int PMPI_Type_ub(MPI_Datatype handle, MPI_Aint* ub) {
  mpii_datatype_t* datatype;
  MPII_TRY(bound("MPI_Type_ub", handle, ub, "ub", &datatype));
  *ub = datatype->lb + datatype->extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_ub);

int PMPI_Type_get_extent(MPI_Datatype handle, MPI_Aint* lb, MPI_Aint* extent) {
  mpii_datatype_t* datatype;
  MPII_TRY(bound("MPI_Type_get_extent", handle, lb, "lb", &datatype));
  MPII_TRY(mpii_check_given(NULL, extent, "extent"));
  *lb = datatype->lb;
  *extent = datatype->extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_extent);

int PMPI_Type_get_true_extent(MPI_Datatype handle, MPI_Aint* lb, MPI_Aint* extent) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_get_true_extent");
  MPII_TRY(mpii_check_given(NULL, lb, "lb"));
  MPII_TRY(mpii_check_given(NULL, extent, "extent"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  *lb = datatype->true_lb;
  *extent = datatype->true_extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_true_extent);

// The same with numbers of 64 bits.

int PMPI_Type_size_x(MPI_Datatype handle, MPI_Count* size) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_size_x");
  MPII_TRY(mpii_check_given(NULL, size, "size"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  *size = (MPI_Count)datatype->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_size_x);

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint small_lb, small_extent;
  mpii_enter("MPI_Type_get_extent_x");
  MPII_TRY(mpii_check_given(NULL, lb, "lb"));
  MPII_TRY(mpii_check_given(NULL, extent, "extent"));
  MPII_TRY(PMPI_Type_get_extent(datatype, &small_lb, &small_extent));
  *lb = small_lb;
  *extent = small_extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_extent_x);

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  MPI_Aint small_lb, small_extent;
  mpii_enter("MPI_Type_get_true_extent_x");
  MPII_TRY(mpii_check_given(NULL, lb, "lb"));
  MPII_TRY(mpii_check_given(NULL, extent, "extent"));
  MPII_TRY(PMPI_Type_get_true_extent(datatype, &small_lb, &small_extent));
  *lb = small_lb;
  *extent = small_extent;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_get_true_extent_x);
