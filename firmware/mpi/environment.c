// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/environment.h"

#include <errno.h>
#include <stdlib.h>

#include "firmware/mpi/request.h"

static bglmpi_limits_t limits = {.short_bytes = BGLMPI_SHORT_MAX, .eager_bytes = 1000, .check_types = true};

const bglmpi_limits_t* bglmpi_limits(void) {
  return &limits;
}

static uint32_t number(const char* name, uint32_t otherwise, uint32_t most) {
  const char* text = getenv(name);
  if (text == NULL) return otherwise;
  char* end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most) {
    bglmpi_end("%s is '%s'; it must be a number from 0 to %u", name, text, most);
  }
  return (uint32_t)value;
}

void bglmpi_environment_init(void) {
  // Messages that are sent without asking are stored where nobody waits for them: not too large.
  enum { EAGER_MOST = 1 << 24 };
  limits.short_bytes = number("BGLMPI_SHORT", limits.short_bytes, BGLMPI_SHORT_MAX);
  limits.eager_bytes = number("BGLMPI_EAGER", limits.eager_bytes, EAGER_MOST);
  limits.adaptive_bytes = number("BGLMPI_ADAPTIVE", limits.adaptive_bytes, EAGER_MOST);
  limits.check_types = number("BGLMPI_CHECK_TYPES", limits.check_types, 1) != 0;
}
