// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"

static _Noreturn void usage(const char* program, const program_option_t* options, unsigned count, bool speak) {
  if (speak) {
    fprintf(stderr, "usage: %s [option value]...\n", program);
    for (unsigned i = 0; i < count; ++i) fprintf(stderr, "  %-14s %s\n", options[i].name, options[i].help);
  }
  exit(PROGRAM_EXIT_USAGE);
}

static const program_option_t* find(const char* name, const program_option_t* options, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (strcmp(options[i].name, name) == 0) return &options[i];
  }
  return NULL;
}

void program_print_at_the_end(void) {
  setvbuf(stdout, NULL, _IOFBF, 0);
}

void program_options(int argc, char** argv, const program_option_t* options, unsigned count, bool speak) {
  program_print_at_the_end();
  for (int i = 1; i < argc; i += 2) {
    const program_option_t* option = find(argv[i], options, count);
    if (option == NULL || i + 1 == argc) {
      if (speak) fprintf(stderr, option ? "%s: a value is missing\n" : "%s: no such option\n", argv[i]);
      usage(argv[0], options, count, speak);
    }
    const char* value = argv[i + 1];
    if (option->number == NULL) {
      *option->text = value;
      continue;
    }
    char* end;
    const unsigned long long number = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || number < option->least || number > option->most) {
      if (speak) fprintf(stderr, "%s %s: a number %u..%u is wanted\n", argv[i], value, option->least, option->most);
      usage(argv[0], options, count, speak);
    }
    *option->number = (uint32_t)number;
  }
}

bool program_is_first(void) {
  struct toroid_personality me;
  return bgl_get_personality(&me) == 0 && me.rank == 0;
}

bool program_second_core(const char* text, bglml_options_t* options) {
  const bool used = strcmp(text, "used") == 0;
  if (!used && strcmp(text, "unused") != 0) return false;
  options->second_core = used ? BGLML_SECOND_CORE_COMMUNICATES : BGLML_SECOND_CORE_UNUSED;
  return true;
}

uint32_t program_numbers(const char* text, uint32_t* numbers, uint32_t most_count, uint32_t least, uint32_t most) {
  uint32_t count = 0;
  for (const char* at = text;; ++at) {
    char* end;
    const unsigned long number = strtoul(at, &end, 10);
    if (*at < '0' || *at > '9' || number < least || number > most || count == most_count) return 0;
    numbers[count++] = (uint32_t)number;
    if (*end == '\0') return count;
    if (*end != ',') return 0;
    at = end;
  }
}

uint32_t program_neighbour(uint32_t rank, unsigned direction) {
  const bglml_coordinates_t shape = bglml_shape();
  bglml_coordinates_t at = bglml_coordinates(rank);
  uint8_t* const along[] = {&at.x, &at.y, &at.z};
  const uint8_t sizes[] = {shape.x, shape.y, shape.z};
  uint8_t* coordinate = along[direction / 2];
  const uint8_t size = sizes[direction / 2];
  *coordinate = (uint8_t)((*coordinate + (direction % 2 ? size - 1 : 1)) % size);
  return bglml_rank_at(at);
}
