// SPDX-License-Identifier: Apache-2.0
/// MPI's objects and their handles. A handle is the kind of object in the upper byte and its number below; number 0 is
/// that kind's null handle. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_OBJECT_H
#define TOROID_FIRMWARE_MPI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  MPII_COMM = 1,
  MPII_GROUP,
  MPII_DATATYPE,
  MPII_OP,
  MPII_REQUEST,
  MPII_ERRHANDLER,
  MPII_INFO,
  MPII_WIN,
  MPII_MESSAGE,
  MPII_KEYVAL,
  MPII_FILE,
  MPII_KINDS
} mpii_kind_t;

enum { MPII_KIND_SHIFT = 24, MPII_NUMBER_MASK = 0xFFFFFF };

/// Every object begins with this. It is freed with its last reference: the handle's, or that of an operation or an
/// object which uses it.
typedef struct {
  int handle;  ///< 0: it has none
  uint32_t references;
} mpii_object_t;

static inline mpii_kind_t mpii_kind_of(int handle) {
  return (mpii_kind_t)((uint32_t)handle >> MPII_KIND_SHIFT);
}

/// The object of a handle, or NULL if the handle is null, of another kind or of no object.
void* mpii_object(int handle, mpii_kind_t kind);

/// Give an object its handle, which takes over a reference of the caller. Ends the process if there is no memory.
int mpii_object_open(void* object, mpii_kind_t kind);

/// The same under a number of its own and with its first reference, for predefined objects.
void mpii_object_open_as(void* object, int handle);

/// Invalidate the handle: it no longer leads to the object. The caller releases the reference.
void mpii_object_close(void* object);

static inline void* mpii_retain(void* object) {
  ((mpii_object_t*)object)->references += 1;
  return object;
}

/// One reference less. Returns whether it was the last one: then the caller frees what the object is.
static inline bool mpii_release(void* object) {
  return --((mpii_object_t*)object)->references == 0;
}

/// Zeroed memory of the C library, for what runs before the library's lock is taken, as Fortran's functions do: an
/// interrupt may be served meanwhile. Ends the job if there is none.
void* mpii_program_allocate(size_t bytes);

/// Zeroed memory; ends the job if there is none. Aligned: to whole cache lines of 32 bytes, which the network's
/// FIFOs and the coprocessor use without a copy.
void* mpii_allocate(size_t bytes);
void* mpii_allocate_aligned(size_t bytes);
/// Such memory, or that of malloc(), at any time: in an interrupt the C library must not be called.
void mpii_free(void* memory);

#endif
