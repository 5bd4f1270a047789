// SPDX-License-Identifier: Apache-2.0
// Attributes of datatypes.
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/datatype.h"

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* del, int* key,
                            void* extra) {
  mpii_enter("MPI_Type_create_keyval");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  *key = mpii_keyval_new(MPII_DATATYPE, copy, del, extra);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_create_keyval);

int PMPI_Type_free_keyval(int* key) {
  mpii_enter("MPI_Type_free_keyval");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  return mpii_keyval_free(NULL, MPII_DATATYPE, key);
}
MPII_PUBLIC(Type_free_keyval);

int PMPI_Type_set_attr(MPI_Datatype handle, int key, void* value) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_set_attr");
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  return mpii_attribute_set(NULL, handle, &datatype->attributes, key, value);
}
MPII_PUBLIC(Type_set_attr);

int PMPI_Type_get_attr(MPI_Datatype handle, int key, void* value, int* flag) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_get_attr");
  MPII_TRY(mpii_check_given(NULL, value, "value"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  return mpii_attribute_get(NULL, handle, datatype->attributes, key, value, flag);
}
MPII_PUBLIC(Type_get_attr);

int PMPI_Type_delete_attr(MPI_Datatype handle, int key) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Type_delete_attr");
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  return mpii_attribute_delete(NULL, handle, &datatype->attributes, key);
}
MPII_PUBLIC(Type_delete_attr);
