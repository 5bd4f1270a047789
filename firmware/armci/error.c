// SPDX-License-Identifier: Apache-2.0
// Errors that end the job.
#include <stdarg.h>
#include <stdio.h>

#include "firmware/armci/process.h"

static void end(int code) __attribute__((noreturn));
static void end(int code) {
  fflush(NULL);
  armcib_end_job(code != 0 ? code : 1);
}

void armcii_fail(const char* format, ...) {
  // One write: standard error is not buffered, and other processes write to it as well.
  char text[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "ARMCI, process %u: %s\n", armcii_self, text);
  end(1);
}

void ARMCI_Error(char* text, int code) {
  fprintf(stderr, "ARMCI, process %u: %s (%d)\n", armcii_self, text, code);
  end(code);
}

void armci_die(char* text, int code) {
  ARMCI_Error(text, code);
}

void armci_die2(char* text, int code1, int code2) {
  fprintf(stderr, "ARMCI, process %u: %s (%d, %d)\n", armcii_self, text, code1, code2);
  end(code1);
}

void armci_msg_abort(int code) {
  fprintf(stderr, "ARMCI, process %u: ended by the program (%d)\n", armcii_self, code);
  end(code);
}

void derr_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

int dassertp_fail(const char* condition, const char* file, const char* function, unsigned line) {
  fprintf(stderr, "ARMCI, process %u: %s does not hold, in %s() at %s:%u\n", armcii_self, condition, function, file,
          line);
  end(1);
}
