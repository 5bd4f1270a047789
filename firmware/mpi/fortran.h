// SPDX-License-Identifier: Apache-2.0
/// Between Fortran and C, for fortran_calls.c: names and calls are those of gfortran. Everything is passed by
/// reference, texts with their length behind all other arguments; a LOGICAL is an integer, 0 or 1. Handles are
/// INTEGERs, of 4 bytes on every machine; addresses are INTEGER(KIND=MPI_ADDRESS_KIND), as long as a pointer, but
/// default INTEGERs for MPI-1's functions.
#ifndef TOROID_FIRMWARE_MPI_FORTRAN_H
#define TOROID_FIRMWARE_MPI_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "firmware/mpi/mpi.h"

_Static_assert(sizeof(MPI_Aint) == sizeof(void*), "addresses fit");
_Static_assert(sizeof(MPI_Status) == MPI_STATUS_SIZE * sizeof(MPI_Fint), "a status is an array in Fortran");

/// Define mpi_name_ as another name for pmpi_name_, as MPII_PUBLIC() does for C.
#define MPII_FORTRAN(name) extern __typeof__(p##name) name __attribute__((weak, alias("p" #name)))

/// The size of any text that MPI returns, its final 0 included.
enum { MPII_FORTRAN_TEXT = MPI_MAX_INFO_VAL };
_Static_assert(MPII_FORTRAN_TEXT >= MPI_MAX_ERROR_STRING && MPII_FORTRAN_TEXT >= MPI_MAX_INFO_KEY, "any text");

/// mpif.h's variables that are recognised by their address: common blocks of one variable each.
extern MPI_Fint mpii_bottom_[1], mpii_in_place_[1], mpii_status_ignore_[MPI_STATUS_SIZE],
    mpii_statuses_ignore_[MPI_STATUS_SIZE], mpii_errcodes_ignore_[1], mpii_unweighted_[1];

static inline void* mpii_fortran_buffer(void* buffer) {
  if (buffer == mpii_bottom_) return MPI_BOTTOM;
  return buffer == mpii_in_place_ ? MPI_IN_PLACE : buffer;
}

static inline MPI_Status* mpii_fortran_status(MPI_Fint* status) {
  if (status == mpii_status_ignore_ || status == mpii_statuses_ignore_) return MPI_STATUS_IGNORE;
  return (MPI_Status*)status;
}

static inline MPI_Fint* mpii_fortran_weights(MPI_Fint* weights) {
  return weights == mpii_unweighted_ ? MPI_UNWEIGHTED : weights;
}

static inline int mpii_fortran_least(int first, int second) {
  return first < second ? first : second;
}

/// A text of Fortran without the blanks at its end (and, if requested, at its start) as a string of C, to be freed.
char* mpii_fortran_text(const char* text, size_t length, bool strip_start);

/// A text of C into a variable of Fortran: cut off, or padded with blanks.
void mpii_fortran_pad(char* variable, size_t length, const char* text);

/// Attributes. C's are pointers, Fortran's are integers. The standard defines how each language sees the other's: C
/// gets a pointer to an integer that Fortran has set, Fortran gets a pointer that C has set as an integer.
typedef void mpii_fortran_copy_t(MPI_Fint* object, MPI_Fint* key, MPI_Aint* extra, MPI_Aint* in, MPI_Aint* out,
                                 MPI_Fint* flag, MPI_Fint* ierror);
typedef void mpii_fortran_delete_t(MPI_Fint* object, MPI_Fint* key, MPI_Aint* value, MPI_Aint* extra, MPI_Fint* ierror);

/// Those of MPI-1's functions: default INTEGERs.
typedef void mpii_fortran_old_copy_t(MPI_Fint* object, MPI_Fint* key, MPI_Fint* extra, MPI_Fint* in, MPI_Fint* out,
                                     MPI_Fint* flag, MPI_Fint* ierror);
typedef void mpii_fortran_old_delete_t(MPI_Fint* object, MPI_Fint* key, MPI_Fint* value, MPI_Fint* extra,
                                       MPI_Fint* ierror);

/// The permanent address of an integer, to be set as the attribute.
void* mpii_fortran_cell(MPI_Aint value);
/// An attribute's value as Fortran sees it.
MPI_Aint mpii_fortran_value(int key, void* pointer);
/// The extra state of a key whose functions are Fortran's, and C functions that call them.
void* mpii_fortran_keyval(mpii_fortran_copy_t* copy, mpii_fortran_delete_t* del, MPI_Aint extra);
int mpii_fortran_call_copy(int object, int key, void* extra, void* in, void* out, int* flag);
int mpii_fortran_call_delete(int object, int key, void* value, void* extra);
void* mpii_fortran_old_keyval(mpii_fortran_old_copy_t* copy, mpii_fortran_old_delete_t* del, MPI_Fint extra);
int mpii_fortran_call_old_copy(int object, int key, void* extra, void* in, void* out, int* flag);
int mpii_fortran_call_old_delete(int object, int key, void* value, void* extra);

/// MPI-1's addresses. An array of them as long ones, to be freed; NULL if there are none, or there is no array.
MPI_Aint* mpii_fortran_addresses(const MPI_Fint* addresses, MPI_Fint count);
/// One as a default INTEGER. MPI_ERR_ARG, reported: it is too long for that.
int mpii_fortran_shorten(MPI_Aint address, MPI_Fint* result);

/// Conversion functions of data representations: the library only asks whether there are any.
typedef void mpii_fortran_conversion_t(void* buffer, MPI_Fint* datatype, MPI_Fint* count, void* file_buffer,
                                       MPI_Offset* position, MPI_Aint* extra, MPI_Fint* ierror);
MPI_Datarep_conversion_function* mpii_fortran_conversion(mpii_fortran_conversion_t* function);

/// Generalised requests with functions of Fortran, the same way.
typedef void mpii_fortran_query_t(MPI_Aint* extra, MPI_Status* status, MPI_Fint* ierror);
typedef void mpii_fortran_free_t(MPI_Aint* extra, MPI_Fint* ierror);
typedef void mpii_fortran_cancel_t(MPI_Aint* extra, MPI_Fint* complete, MPI_Fint* ierror);
void* mpii_fortran_grequest(mpii_fortran_query_t* query, mpii_fortran_free_t* free_it, mpii_fortran_cancel_t* cancel,
                            MPI_Aint extra);
int mpii_fortran_call_query(void* extra, MPI_Status* status);
int mpii_fortran_call_free(void* extra);
int mpii_fortran_call_cancel(void* extra, int complete);

#endif
