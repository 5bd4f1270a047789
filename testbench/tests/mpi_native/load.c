// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ranks.h"

static uint32_t size;

void ranks_fail(const char* what, const char* why) {
  fprintf(stderr, "mpi_ranks: %s: %s\n", what, why);
  _exit(2);
}

const char* ranks_directory(void) {
  const char* directory = getenv("TMPDIR");
  return directory != NULL ? directory : P_tmpdir;
}

uint32_t ranks_arguments(int argc, char** argv) {
  size = argc >= 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
  if (size == 0 || size > RANKS_MOST) {
    ranks_fail("usage", "mpi_ranks COUNT PROGRAM.so [NAME=VALUE]..., with 1 to 64 ranks");
  }
  for (int i = 3; i < argc; ++i) putenv(argv[i]);
  return size;
}

uint32_t ranks_size(void) {
  return size;
}

ranks_inbox_t* ranks_inbox(uint32_t rank) {
  static ranks_inbox_t inboxes[RANKS_MOST];
  return &inboxes[rank];
}

uint32_t* ranks_arrivals(void) {
  static uint32_t arrivals;
  return &arrivals;
}

/// A copy of the file: the loader takes the same file twice for the same library.
main_t* ranks_load(const char* program) {
  char copy[4096];
  snprintf(copy, sizeof copy, "%s/mpi_ranks_XXXXXX", ranks_directory());
  const int out = mkstemp(copy);
  FILE* in = fopen(program, "rb");
  if (out < 0 || in == NULL) ranks_fail(program, "cannot be copied");
  char buffer[1 << 16];
  size_t bytes;
  while ((bytes = fread(buffer, 1, sizeof buffer, in)) != 0) {
    if (write(out, buffer, bytes) != (ssize_t)bytes) ranks_fail(copy, "cannot be written");
  }
  fclose(in);
  close(out);
  void* library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  unlink(copy);
  if (library == NULL) ranks_fail(program, dlerror());
  main_t* found;
  *(void**)&found = dlsym(library, "main");
  if (found == NULL) ranks_fail(program, "has no main()");
  return found;
}
