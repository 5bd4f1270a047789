// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgp/ospri_program.h"

#include <a1.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 2 };

static const char* program;
static void** segments;

void program_start(const char* name, unsigned ranks) {
  program = name;
  A1_Initialize(A1_THREAD_SINGLE);
  if (program_size() >= ranks) return;
  if (program_rank() == 0) fprintf(stderr, "%s: %u processes are needed, there are %u\n", name, ranks, program_size());
  exit(OSPRI_EXIT_USAGE);
}

void program_end(void) {
  if (segments) {
    A1_Release_segments(A1_GROUP_WORLD, segments[program_rank()]);
    A1_Free_segment(segments[program_rank()]);
    free(segments);
  }
  A1_Finalize();
}

unsigned program_rank(void) {
  return (unsigned)A1_Process_id(A1_GROUP_WORLD);
}

unsigned program_size(void) {
  return (unsigned)A1_Process_total(A1_GROUP_WORLD);
}

char* program_allocate(unsigned bytes) {
  segments = calloc(program_size(), sizeof *segments);
  void** const mine = &segments[program_rank()];
  if (A1_Alloc_segment(mine, (int)bytes) != A1_SUCCESS) program_fail("no memory for %u bytes", bytes);
  memset(*mine, 0, bytes);
  A1_Exchange_segments(A1_GROUP_WORLD, segments);
  return *mine;
}

char* program_segment(unsigned rank) {
  return segments[rank];
}

void program_fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: rank %u: ", program, program_rank());
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(OSPRI_EXIT_MISMATCH);
}

static const char* argument(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return NULL;
}

/// All processes have the same arguments; one speaks.
static void refuse(const char* name, const char* text, unsigned least, unsigned most) {
  if (program_rank() == 0) {
    fprintf(stderr, "%s: %s %s: expected numbers from %u to %u\n", program, name, text, least, most);
  }
  exit(OSPRI_EXIT_USAGE);
}

unsigned program_number(int argc, char** argv, const char* name, unsigned least, unsigned most, unsigned otherwise) {
  const char* const text = argument(argc, argv, name);
  if (!text) return otherwise;
  char* end;
  const unsigned long number = strtoul(text, &end, 0);
  if (end == text || *end != '\0' || number < least || number > most) refuse(name, text, least, most);
  return (unsigned)number;
}

unsigned program_list(int argc, char** argv, const char* name, const char* otherwise, unsigned* numbers, unsigned room,
                      unsigned most) {
  const char* const text = argument(argc, argv, name);
  const char* at = text ? text : otherwise;
  for (unsigned count = 0; count < room; ++at) {
    char* end;
    const unsigned long number = strtoul(at, &end, 0);
    if (end == at || number == 0 || number > most || (*end != ',' && *end != '\0')) break;
    numbers[count++] = (unsigned)number;
    if (*end == '\0') return count;
    at = end;
  }
  refuse(name, text ? text : otherwise, 1, most);
  return 0;
}

double program_measure(program_operation_t operation, void* what, unsigned rounds) {
  unsigned long long start = 0;
  for (unsigned round = 0; round < WARM_UP + rounds; ++round) {
    if (round == WARM_UP) start = A1_Time_cycles();
    operation(what);
  }
  return (double)(A1_Time_cycles() - start) / rounds;
}

static char content(unsigned at, unsigned rank) {
  return (char)(at * 7 + at / 256 + rank * 31 + 1);
}

void program_fill(char* memory, unsigned bytes, unsigned rank) {
  for (unsigned i = 0; i < bytes; ++i) memory[i] = content(i, rank);
}

unsigned program_differs(const char* memory, unsigned bytes, unsigned rank) {
  unsigned i = 0;
  while (i < bytes && memory[i] == content(i, rank)) ++i;
  return i;
}
