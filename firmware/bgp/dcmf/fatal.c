// SPDX-License-Identifier: Apache-2.0
// Ends a process that uses the layer incorrectly.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/bgp/dcmf/state.h"

int DCMF_Failing_flag;

void dcmf_fatal(const char* format, ...) {
  // One write: standard error is not buffered, and other ranks write to it as well.
  char what[640];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  char line[sizeof what + 64];
  snprintf(line, sizeof line, "DCMF: rank %u: %s\n", (unsigned)dcmf_instance->rank, what);
  fflush(stdout);
  fputs(line, stderr);
  DCMF_Failing_flag = 1;
  exit(EXIT_FAILURE);
}
