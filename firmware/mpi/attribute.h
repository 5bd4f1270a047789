// SPDX-License-Identifier: Apache-2.0
/// Attributes: values that programs and libraries attach to communicators and datatypes. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_ATTRIBUTE_H
#define TOROID_FIRMWARE_MPI_ATTRIBUTE_H

#include "firmware/mpi/comm.h"

/// Those of an object, the latest first.
struct mpii_attribute;

/// Functions of keys of any kind of object: all handles are ints.
typedef int mpii_copy_function_t(int handle, int key, void* extra, void* in, void* out, int* flag);
typedef int mpii_delete_function_t(int handle, int key, void* value, void* extra);

/// Make a key for the attributes of a kind of object.
int mpii_keyval_new(mpii_kind_t kind, mpii_copy_function_t* copy, mpii_delete_function_t* del, void* extra);

/// Free a key; attributes that have it keep it until they go. MPI_ERR_KEYVAL at `comm` if it is none of `kind`.
int mpii_keyval_free(mpii_comm_t* comm, mpii_kind_t kind, int* key);

/// Set, get and delete one attribute. Errors go to `comm`.
int mpii_attribute_set(mpii_comm_t* comm, int handle, struct mpii_attribute** list, int key, void* value);
int mpii_attribute_get(mpii_comm_t* comm, int handle, struct mpii_attribute* list, int key, void* value, int* flag);
int mpii_attribute_delete(mpii_comm_t* comm, int handle, struct mpii_attribute** list, int key);

/// Call the delete functions, as their keys have them, of all of an object's attributes, and free them, the latest
/// first. Returns and reports the first function's error: its attribute and the earlier ones stay.
int mpii_attributes_delete(int handle, struct mpii_attribute** list);

/// What a duplicate of an object gets: call the copy functions. Returns and reports the first function's error: *to
/// holds what was copied before, to be deleted.
int mpii_attributes_copy(int handle, const struct mpii_attribute* from, struct mpii_attribute** to);

#endif
