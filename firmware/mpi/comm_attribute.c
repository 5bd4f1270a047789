// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators, those that the library sets, and the names that all of it had in MPI-1.
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/errhandler.h"

/// The value of a key that is the library's own; NULL: it is none of communicators.
static const int* own_value(int key) {
  static const int tag_ub = MPI_TAG_UB_VALUE_, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE;
  static const int clock_is_global = 1, program = 0;
  static int universe, last_code;
  switch (key) {
    case MPI_TAG_UB:
      return &tag_ub;
    case MPI_HOST:
      return &host;
    case MPI_IO:
      return &io;
    case MPI_WTIME_IS_GLOBAL:
      return &clock_is_global;
    case MPI_UNIVERSE_SIZE:
      universe = (int)bglml_size();
      return &universe;
    case MPI_LASTUSEDCODE:
      last_code = bglmpi_last_code();
      return &last_code;
    case MPI_APPNUM:
      return &program;
    default:
      return NULL;
  }
}

static int create(const char* function, bglmpi_copy_function_t* copy, bglmpi_delete_function_t* del, int* key,
                  void* extra) {
  bglmpi_enter(function);
  BGLMPI_TRY(bglmpi_check_given(NULL, key, "key"));
  *key = bglmpi_keyval_new(BGLMPI_COMM, copy, del, extra);
  return MPI_SUCCESS;
}

static int set(const char* function, MPI_Comm handle, int key, void* value) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, &comm));
  return bglmpi_attribute_set(comm, handle, &comm->attributes, key, value);
}

static int get(const char* function, MPI_Comm handle, int key, void* value, int* flag) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, value, "value"));
  BGLMPI_TRY(bglmpi_check_given(comm, flag, "flag"));
  const int* own = own_value(key);
  if (own == NULL) return bglmpi_attribute_get(comm, handle, comm->attributes, key, value, flag);
  *(const int**)value = own;
  *flag = 1;
  return MPI_SUCCESS;
}

static int remove_one(const char* function, MPI_Comm handle, int key) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, &comm));
  return bglmpi_attribute_delete(comm, handle, &comm->attributes, key);
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* del, int* key,
                            void* extra) {
  return create("MPI_Comm_create_keyval", copy, del, key, extra);
}
BGLMPI_PUBLIC(Comm_create_keyval);

int PMPI_Comm_free_keyval(int* key) {
  bglmpi_enter("MPI_Comm_free_keyval");
  BGLMPI_TRY(bglmpi_check_given(NULL, key, "key"));
  return bglmpi_keyval_free(NULL, BGLMPI_COMM, key);
}
BGLMPI_PUBLIC(Comm_free_keyval);

int PMPI_Comm_set_attr(MPI_Comm comm, int key, void* value) {
  return set("MPI_Comm_set_attr", comm, key, value);
}
BGLMPI_PUBLIC(Comm_set_attr);

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
  return get("MPI_Comm_get_attr", comm, key, value, flag);
}
BGLMPI_PUBLIC(Comm_get_attr);

int PMPI_Comm_delete_attr(MPI_Comm comm, int key) {
  return remove_one("MPI_Comm_delete_attr", comm, key);
}
BGLMPI_PUBLIC(Comm_delete_attr);

int PMPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* del, int* key, void* extra) {
  return create("MPI_Keyval_create", copy, del, key, extra);
}
BGLMPI_PUBLIC(Keyval_create);

int PMPI_Keyval_free(int* key) {
  bglmpi_enter("MPI_Keyval_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, key, "key"));
  return bglmpi_keyval_free(NULL, BGLMPI_COMM, key);
}
BGLMPI_PUBLIC(Keyval_free);

int PMPI_Attr_put(MPI_Comm comm, int key, void* value) {
  return set("MPI_Attr_put", comm, key, value);
}
BGLMPI_PUBLIC(Attr_put);

int PMPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag) {
  return get("MPI_Attr_get", comm, key, value, flag);
}
BGLMPI_PUBLIC(Attr_get);

int PMPI_Attr_delete(MPI_Comm comm, int key) {
  return remove_one("MPI_Attr_delete", comm, key);
}
BGLMPI_PUBLIC(Attr_delete);
