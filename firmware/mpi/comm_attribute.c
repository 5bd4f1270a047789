// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators, those that the library sets, and the names that all of it had in MPI-1.
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/transport.h"

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
      universe = (int)mpit_size();
      return &universe;
    case MPI_LASTUSEDCODE:
      last_code = mpii_last_code();
      return &last_code;
    case MPI_APPNUM:
      return &program;
    default:
      return NULL;
  }
}

static int create(const char* function, mpii_copy_function_t* copy, mpii_delete_function_t* del, int* key,
                  void* extra) {
  mpii_enter(function);
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  *key = mpii_keyval_new(MPII_COMM, copy, del, extra);
  return MPI_SUCCESS;
}

static int set(const char* function, MPI_Comm handle, int key, void* value) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm(function, handle, &comm));
  return mpii_attribute_set(comm, handle, &comm->attributes, key, value);
}

static int get(const char* function, MPI_Comm handle, int key, void* value, int* flag) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm(function, handle, &comm));
  MPII_TRY(mpii_check_given(comm, value, "value"));
  MPII_TRY(mpii_check_given(comm, flag, "flag"));
  const int* own = own_value(key);
  if (own == NULL) return mpii_attribute_get(comm, handle, comm->attributes, key, value, flag);
  *(const int**)value = own;
  *flag = 1;
  return MPI_SUCCESS;
}

static int remove_one(const char* function, MPI_Comm handle, int key) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm(function, handle, &comm));
  return mpii_attribute_delete(comm, handle, &comm->attributes, key);
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* del, int* key,
                            void* extra) {
  return create("MPI_Comm_create_keyval", copy, del, key, extra);
}
MPII_PUBLIC(Comm_create_keyval);

int PMPI_Comm_free_keyval(int* key) {
  mpii_enter("MPI_Comm_free_keyval");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  return mpii_keyval_free(NULL, MPII_COMM, key);
}
MPII_PUBLIC(Comm_free_keyval);

int PMPI_Comm_set_attr(MPI_Comm comm, int key, void* value) {
  return set("MPI_Comm_set_attr", comm, key, value);
}
MPII_PUBLIC(Comm_set_attr);

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
  return get("MPI_Comm_get_attr", comm, key, value, flag);
}
MPII_PUBLIC(Comm_get_attr);

int PMPI_Comm_delete_attr(MPI_Comm comm, int key) {
  return remove_one("MPI_Comm_delete_attr", comm, key);
}
MPII_PUBLIC(Comm_delete_attr);

int PMPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* del, int* key, void* extra) {
  return create("MPI_Keyval_create", copy, del, key, extra);
}
MPII_PUBLIC(Keyval_create);

int PMPI_Keyval_free(int* key) {
  mpii_enter("MPI_Keyval_free");
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  return mpii_keyval_free(NULL, MPII_COMM, key);
}
MPII_PUBLIC(Keyval_free);

int PMPI_Attr_put(MPI_Comm comm, int key, void* value) {
  return set("MPI_Attr_put", comm, key, value);
}
MPII_PUBLIC(Attr_put);

int PMPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag) {
  return get("MPI_Attr_get", comm, key, value, flag);
}
MPII_PUBLIC(Attr_get);

int PMPI_Attr_delete(MPI_Comm comm, int key) {
  return remove_one("MPI_Attr_delete", comm, key);
}
MPII_PUBLIC(Attr_delete);
