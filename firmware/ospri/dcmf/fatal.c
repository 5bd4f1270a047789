// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/fatal.h"

#include <dcmf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, EXIT_FATAL = 1 };

void ospri_fatal(const char* format, ...) {
  // One write: standard error is not buffered, and other ranks write to it as well.
  char text[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "OSPRI: rank %u: %s\n", (unsigned)DCMF_Messager_rank(), text);
  exit(EXIT_FATAL);
}

void* ospri_allocate(unsigned long bytes) {
  const size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* const memory = aligned_alloc(ALIGNMENT, whole != 0 ? whole : ALIGNMENT);
  if (!memory) ospri_fatal("no memory for %lu bytes", bytes);
  return memset(memory, 0, whole);
}
