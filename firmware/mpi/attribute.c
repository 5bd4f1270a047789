// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/attribute.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct {
  mpii_object_t object;
  mpii_kind_t kind;  ///< of the objects whose attributes have this key
  mpii_copy_function_t* copy;
  mpii_delete_function_t* del;
  void* extra;
  bool freed;  ///< by the program: only attributes refer to it
} keyval_t;

struct mpii_attribute {
  struct mpii_attribute* next;
  keyval_t* keyval;
  void* value;
};

typedef struct mpii_attribute attribute_t;

// ---------------------------------------------------------------------------------------------------------------
// Keys

int mpii_keyval_new(mpii_kind_t kind, mpii_copy_function_t* copy, mpii_delete_function_t* del, void* extra) {
  keyval_t* keyval = mpii_allocate(sizeof *keyval);
  keyval->kind = kind;
  keyval->copy = copy;
  keyval->del = del;
  keyval->extra = extra;
  keyval->object.references = 1;
  return mpii_object_open(keyval, MPII_KEYVAL);
}

static void release(keyval_t* keyval) {
  if (!mpii_release(keyval)) return;
  mpii_object_close(keyval);
  free(keyval);
}

static const char* kind_text(mpii_kind_t kind) {
  return kind == MPII_COMM ? "communicators" : kind == MPII_DATATYPE ? "datatypes" : "windows";
}

/// The key of attributes of a kind of object.
static int find_key(mpii_comm_t* comm, mpii_kind_t kind, int key, keyval_t** keyval) {
  *keyval = mpii_object(key, MPII_KEYVAL);
  if (*keyval != NULL && (*keyval)->kind == kind) return MPI_SUCCESS;
  if (key == MPI_KEYVAL_INVALID) return mpii_fail(comm, MPI_ERR_KEYVAL, "the key is MPI_KEYVAL_INVALID");
  if (key >= MPI_TAG_UB && key <= MPI_WIN_MODEL) {
    return mpii_fail(comm, MPI_ERR_KEYVAL, "key %d is the library's own; it can only be read", key);
  }
  return mpii_fail(comm, MPI_ERR_KEYVAL, "0x%X is no key of attributes of %s, or a freed one", (unsigned)key,
                   kind_text(kind));
}

int mpii_keyval_free(mpii_comm_t* comm, mpii_kind_t kind, int* key) {
  keyval_t* keyval;
  MPII_TRY(find_key(comm, kind, *key, &keyval));
  // A delete function may free its own key, which other attributes still have; programs that then free it once more
  // mean the same.
  if (!keyval->freed) {
    keyval->freed = true;
    release(keyval);
  }
  *key = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

// ---------------------------------------------------------------------------------------------------------------
// Attributes

static attribute_t* find(attribute_t* list, const keyval_t* keyval) {
  while (list != NULL && list->keyval != keyval) list = list->next;
  return list;
}

static attribute_t* make(keyval_t* keyval, void* value, attribute_t* next) {
  attribute_t* attribute = mpii_allocate(sizeof *attribute);
  *attribute = (attribute_t){next, mpii_retain(keyval), value};
  return attribute;
}

/// Take one out of the list, as its delete function permits.
static int drop(mpii_comm_t* comm, int handle, attribute_t** list, attribute_t* attribute) {
  keyval_t* keyval = attribute->keyval;
  if (keyval->del != NULL) {
    const char* running = mpii_running;
    const int error = keyval->del(handle, keyval->object.handle, attribute->value, keyval->extra);
    mpii_running = running;  // it may call MPI
    if (error != MPI_SUCCESS) {
      return mpii_fail(comm, error, "the delete function of key 0x%X returned error %d",
                       (unsigned)keyval->object.handle, error);
    }
  }
  // The function may have set and deleted other attributes of the object.
  while (*list != attribute) list = &(*list)->next;
  *list = attribute->next;
  free(attribute);
  release(keyval);
  return MPI_SUCCESS;
}

int mpii_attribute_set(mpii_comm_t* comm, int handle, attribute_t** list, int key, void* value) {
  keyval_t* keyval;
  MPII_TRY(find_key(comm, mpii_kind_of(handle), key, &keyval));
  mpii_retain(keyval);  // should the delete function of the old value free it
  attribute_t* old = find(*list, keyval);
  const int error = old != NULL ? drop(comm, handle, list, old) : MPI_SUCCESS;
  if (error == MPI_SUCCESS) *list = make(keyval, value, *list);
  release(keyval);
  return error;
}

int mpii_attribute_get(mpii_comm_t* comm, int handle, attribute_t* list, int key, void* value, int* flag) {
  keyval_t* keyval;
  MPII_TRY(find_key(comm, mpii_kind_of(handle), key, &keyval));
  const attribute_t* attribute = find(list, keyval);
  *flag = attribute != NULL;
  if (attribute != NULL) *(void**)value = attribute->value;
  return MPI_SUCCESS;
}

int mpii_attribute_delete(mpii_comm_t* comm, int handle, attribute_t** list, int key) {
  keyval_t* keyval;
  MPII_TRY(find_key(comm, mpii_kind_of(handle), key, &keyval));
  attribute_t* attribute = find(*list, keyval);
  if (attribute == NULL) {
    return mpii_fail(comm, MPI_ERR_KEYVAL, "there is no attribute with key 0x%X to delete", (unsigned)key);
  }
  return drop(comm, handle, list, attribute);
}

int mpii_attributes_delete(int handle, attribute_t** list) {
  mpii_comm_t* comm = mpii_object(handle, MPII_COMM);  // NULL, which is right, for other objects
  while (*list != NULL) MPII_TRY(drop(comm, handle, list, *list));
  return MPI_SUCCESS;
}

/// The earliest first.
int mpii_attributes_copy(int handle, const attribute_t* from, attribute_t** to) {
  if (from == NULL) {
    *to = NULL;
    return MPI_SUCCESS;
  }
  MPII_TRY(mpii_attributes_copy(handle, from->next, to));
  keyval_t* keyval = from->keyval;
  if (keyval->copy == NULL) return MPI_SUCCESS;
  void* value = NULL;
  int flag = 0;
  const char* running = mpii_running;
  const int error = keyval->copy(handle, keyval->object.handle, keyval->extra, from->value, &value, &flag);
  mpii_running = running;
  if (error != MPI_SUCCESS) {
    return mpii_fail(mpii_object(handle, MPII_COMM), error, "the copy function of key 0x%X returned error %d",
                     (unsigned)keyval->object.handle, error);
  }
  if (flag) *to = make(keyval, value, *to);
  return MPI_SUCCESS;
}

int PMPI_DUP_FN(int object, int key, void* extra, void* in, void* out, int* flag) {
  (void)object, (void)key, (void)extra;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
MPII_PUBLIC(DUP_FN);
