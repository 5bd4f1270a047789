// SPDX-License-Identifier: Apache-2.0
// Texts between Fortran, where blanks pad them, and C.
#include <string.h>

#include "firmware/mpi/fortran.h"
#include "firmware/mpi/object.h"

char* mpii_fortran_text(const char* text, size_t length, bool strip_start) {
  while (length != 0 && text[length - 1] == ' ') --length;
  while (strip_start && length != 0 && *text == ' ') ++text, --length;
  char* copy = mpii_allocate(length + 1);
  memcpy(copy, text, length);
  return copy;
}

void mpii_fortran_pad(char* variable, size_t length, const char* text) {
  const size_t whole = strlen(text), filled = whole < length ? whole : length;
  memcpy(variable, text, filled);
  memset(variable + filled, ' ', length - filled);
}
