// SPDX-License-Identifier: Apache-2.0
// Attributes of Fortran programs on those of C.
#include "firmware/mpi/fortran.h"
#include "firmware/mpi/object.h"
#include "firmware/mpi/threads.h"

/// Integers that attributes point to: one for each value, kept for good, since it is unknown when C's pointers to it
/// end.
typedef struct cells {
  struct cells* next;
  int used;
  MPI_Aint values[62];
} cells_t;
static cells_t* cells;

enum { CELLS = sizeof cells->values / sizeof *cells->values };

static inline MPI_Aint* find_cell(MPI_Aint value) {
  for (cells_t* part = cells; part != NULL; part = part->next) {
    for (int i = 0; i < part->used; ++i) {
      if (part->values[i] == value) return &part->values[i];
    }
  }
  return NULL;
}

static inline MPI_Aint* add_cell(MPI_Aint value) {
  if (cells == NULL || cells->used == CELLS) {
    cells_t* part = mpii_program_allocate(sizeof *part);
    part->next = cells;
    cells = part;
  }
  MPI_Aint* cell = &cells->values[cells->used++];
  *cell = value;
  return cell;
}

void* mpii_fortran_cell(MPI_Aint value) {
  mpii_lock();
  MPI_Aint* cell = find_cell(value);
  if (cell == NULL) cell = add_cell(value);
  mpii_unlock();
  return cell;
}

static bool is_cell(const MPI_Aint* pointer) {
  for (const cells_t* part = cells; part != NULL; part = part->next) {
    if (pointer >= part->values && pointer < part->values + CELLS) return true;
  }
  return false;
}

/// An attribute's value in Fortran, of a key that a program has made.
static MPI_Aint value_of(void* pointer) {
  mpii_lock();
  const MPI_Aint value = is_cell(pointer) ? *(MPI_Aint*)pointer : (MPI_Aint)pointer;
  mpii_unlock();
  return value;
}

MPI_Aint mpii_fortran_value(int key, void* pointer) {
  switch (key) {  // the library's own are pointers to integers, but for the address of a window
    case MPI_TAG_UB:
    case MPI_HOST:
    case MPI_IO:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_UNIVERSE_SIZE:
    case MPI_LASTUSEDCODE:
    case MPI_APPNUM:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
      return *(const int*)pointer;
    case MPI_WIN_SIZE:
      return *(const MPI_Aint*)pointer;
    default:
      return value_of(pointer);
  }
}

/// The extra state, for MPI, of a key with functions of Fortran. Kept for good: attributes may outlive their key.
typedef struct {
  mpii_fortran_copy_t* copy;
  mpii_fortran_delete_t* del;
  MPI_Aint extra;
} keyval_t;

void* mpii_fortran_keyval(mpii_fortran_copy_t* copy, mpii_fortran_delete_t* del, MPI_Aint extra) {
  keyval_t* keyval = mpii_program_allocate(sizeof *keyval);
  *keyval = (keyval_t){copy, del, extra};
  return keyval;
}

int mpii_fortran_call_copy(int object, int key, void* extra, void* in, void* out, int* flag) {
  keyval_t* keyval = extra;
  MPI_Aint value = value_of(in), copied = 0;
  MPI_Fint copies = 0, error = MPI_SUCCESS;
  keyval->copy(&object, &key, &keyval->extra, &value, &copied, &copies, &error);
  *flag = copies != 0;
  if (*flag) *(void**)out = mpii_fortran_cell(copied);
  return error;
}

int mpii_fortran_call_delete(int object, int key, void* value, void* extra) {
  keyval_t* keyval = extra;
  MPI_Aint number = value_of(value);
  MPI_Fint error = MPI_SUCCESS;
  keyval->del(&object, &key, &number, &keyval->extra, &error);
  return error;
}

// ---------------------------------------------------------------------------------------------------------------
// MPI-1's, of default INTEGERs

typedef struct {
  mpii_fortran_old_copy_t* copy;
  mpii_fortran_old_delete_t* del;
  MPI_Fint extra;
} old_keyval_t;

void* mpii_fortran_old_keyval(mpii_fortran_old_copy_t* copy, mpii_fortran_old_delete_t* del, MPI_Fint extra) {
  old_keyval_t* keyval = mpii_program_allocate(sizeof *keyval);
  *keyval = (old_keyval_t){copy, del, extra};
  return keyval;
}

int mpii_fortran_call_old_copy(int object, int key, void* extra, void* in, void* out, int* flag) {
  old_keyval_t* keyval = extra;
  MPI_Fint value = (MPI_Fint)value_of(in), copied = 0, copies = 0, error = MPI_SUCCESS;
  keyval->copy(&object, &key, &keyval->extra, &value, &copied, &copies, &error);
  *flag = copies != 0;
  if (*flag) *(void**)out = mpii_fortran_cell(copied);
  return error;
}

int mpii_fortran_call_old_delete(int object, int key, void* value, void* extra) {
  old_keyval_t* keyval = extra;
  MPI_Fint number = (MPI_Fint)value_of(value), error = MPI_SUCCESS;
  keyval->del(&object, &key, &number, &keyval->extra, &error);
  return error;
}
