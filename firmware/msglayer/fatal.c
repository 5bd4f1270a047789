// SPDX-License-Identifier: Apache-2.0
// The end of a process that was used wrongly, or got a packet that makes no sense.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/msglayer/state.h"

void bglml_fatal(const char* format, ...) {
  fflush(stdout);
  fprintf(stderr, "message layer: rank %u: ", bglml_instance->rank);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(BGLML_EXIT_FATAL);
}
