// SPDX-License-Identifier: Apache-2.0
// Texts between Fortran, where blanks pad them, and C; and MPI-1's short addresses.
#include <string.h>

#include "firmware/mpi/error.h"
#include "firmware/mpi/fortran.h"
#include "firmware/mpi/object.h"

char* mpii_fortran_text(const char* text, size_t length, bool strip_start) {
  while (length != 0 && text[length - 1] == ' ') --length;
  while (strip_start && length != 0 && *text == ' ') ++text, --length;
  char* copy = mpii_program_allocate(length + 1);
  memcpy(copy, text, length);
  return copy;
}

void mpii_fortran_pad(char* variable, size_t length, const char* text) {
  const size_t whole = strlen(text), filled = whole < length ? whole : length;
  memcpy(variable, text, filled);
  memset(variable + filled, ' ', length - filled);
}

MPI_Aint* mpii_fortran_addresses(const MPI_Fint* addresses, MPI_Fint count) {
  if (addresses == NULL || count <= 0) return NULL;
  MPI_Aint* all = mpii_program_allocate((size_t)count * sizeof *all);
  for (MPI_Fint i = 0; i < count; ++i) all[i] = addresses[i];
  return all;
}

int mpii_fortran_shorten(MPI_Aint address, MPI_Fint* result) {
  if ((MPI_Fint)address != address) {
    return mpii_fail(NULL, MPI_ERR_ARG,
                     "%ld does not fit a default INTEGER; MPI-2's functions, as MPI_GET_ADDRESS, have "
                     "longer ones",
                     address);
  }
  *result = (MPI_Fint)address;
  return MPI_SUCCESS;
}
