// SPDX-License-Identifier: Apache-2.0
// Attributes of datatypes.
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/datatype.h"

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* del, int* key,
                            void* extra) {
  bglmpi_enter("MPI_Type_create_keyval");
  BGLMPI_TRY(bglmpi_check_given(NULL, key, "key"));
  *key = bglmpi_keyval_new(BGLMPI_DATATYPE, copy, del, extra);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Type_create_keyval);

int PMPI_Type_free_keyval(int* key) {
  bglmpi_enter("MPI_Type_free_keyval");
  BGLMPI_TRY(bglmpi_check_given(NULL, key, "key"));
  return bglmpi_keyval_free(NULL, BGLMPI_DATATYPE, key);
}
BGLMPI_PUBLIC(Type_free_keyval);

int PMPI_Type_set_attr(MPI_Datatype handle, int key, void* value) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_set_attr");
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  return bglmpi_attribute_set(NULL, handle, &datatype->attributes, key, value);
}
BGLMPI_PUBLIC(Type_set_attr);

int PMPI_Type_get_attr(MPI_Datatype handle, int key, void* value, int* flag) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_get_attr");
  BGLMPI_TRY(bglmpi_check_given(NULL, value, "value"));
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  return bglmpi_attribute_get(NULL, handle, datatype->attributes, key, value, flag);
}
BGLMPI_PUBLIC(Type_get_attr);

int PMPI_Type_delete_attr(MPI_Datatype handle, int key) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Type_delete_attr");
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  return bglmpi_attribute_delete(NULL, handle, &datatype->attributes, key);
}
BGLMPI_PUBLIC(Type_delete_attr);
