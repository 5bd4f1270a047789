// SPDX-License-Identifier: Apache-2.0
// Ends a process that uses the layer incorrectly or receives an invalid packet.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/bgl/msglayer/state.h"

static bool failing;

bool bglml_is_failing(void) {
  return failing;
}

void bglml_fatal(const char* format, ...) {
  failing = true;
  // One write: standard error is not buffered, and other ranks write to it as well.
  char what[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  char line[sizeof what + 64];
  if (bglml_instance->initialised) {
    snprintf(line, sizeof line, "message layer: rank %u: %s\n", bglml_instance->rank, what);
  } else {  // the rank is not known yet
    snprintf(line, sizeof line, "message layer: %s\n", what);
  }
  fflush(stdout);
  fputs(line, stderr);
  exit(BGLML_EXIT_FATAL);
}

void bglml_require(const char* what) {
  const bglml_state_t* state = bglml_instance;
  if (!state->initialised) bglml_fatal("%s before bglml_init()", what);
  if (bglml_on_coprocessor(&state->coprocessor)) bglml_coprocessor_fail(what, " by a work unit");
}

void bglml_require_outside(const char* what) {
  bglml_require(what);
  if (bglml_instance->in_turn) bglml_fatal("%s from a callback; a callback may only post", what);
}
