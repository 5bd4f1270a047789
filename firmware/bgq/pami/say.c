// SPDX-License-Identifier: Apache-2.0
// What is said of errors, and settings that are read from the environment.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "firmware/bgq/pami/job.h"

enum { kLength = 256 };

static _Thread_local char last[kLength];

void pami_fatal(const char* form, ...) {
  char line[kLength + 64];
  int length = snprintf(line, sizeof line, "PAMI, task %u: ", pami_job.me);
  va_list rest;
  va_start(rest, form);
  length += vsnprintf(line + length, sizeof line - 1 - (size_t)length, form, rest);
  va_end(rest);
  if ((size_t)length > sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  (void)!write(2, line, (size_t)length);
  _exit(1);
}

pami_result_t pami_error(pami_result_t result, const char* form, ...) {
  va_list rest;
  va_start(rest, form);
  vsnprintf(last, sizeof last, form, rest);
  va_end(rest);
  return result;
}

size_t PAMI_Error_text(char* string, size_t length) {
  if (string == NULL || length == 0) return 0;
  const size_t have = strlen(last);
  const size_t written = have < length ? have : length - 1;
  memcpy(string, last, written);
  string[written] = 0;
  return written;
}

uint64_t pami_bytes_of_environment(const char* name, uint64_t otherwise, uint64_t least, uint64_t multiple_of) {
  const char* text = getenv(name);
  if (text == NULL || *text == 0) return otherwise;
  char* end;
  uint64_t bytes = strtoull(text, &end, 0);
  if (*end == 'k' || *end == 'K')
    bytes <<= 10, ++end;
  else if (*end == 'm' || *end == 'M')
    bytes <<= 20, ++end;
  if (*end != 0 || end == text || bytes < least || bytes % multiple_of != 0)
    pami_fatal("%s=%s: it must be a number of bytes, from %llu on, a multiple of %llu; k or m may follow", name, text,
               (unsigned long long)least, (unsigned long long)multiple_of);
  return bytes;
}
