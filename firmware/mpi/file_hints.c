// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/file_hints.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BUFFER = 4 << 20,
  LEAST_BUFFER = 1 << 10,
  MOST_BUFFER = 1 << 28,
  BUFFER_ALONE = 512 << 10,
};

void mpii_hints_init(mpii_hints_t* hints, uint32_t aggregators) {
  *hints = (mpii_hints_t){
      .aggregators = aggregators,
      .buffer = BUFFER,
      .read_buffer = BUFFER_ALONE,
      .write_buffer = BUFFER_ALONE,
  };
}

/// A number in a hint's value; `otherwise` if it is not a number. It is limited to the allowed range.
static uint32_t number(const struct mpii_info* info, const char* key, uint32_t least, uint32_t most,
                       uint32_t otherwise) {
  const char* text = mpii_info_value(info, key);
  if (text == NULL || text[0] < '0' || text[0] > '9') return otherwise;
  char* end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (*end != '\0') return otherwise;
  if (errno != 0 || value > most) return most;
  return value < least ? least : (uint32_t)value;
}

static const char* const switches[] = {[MPII_AUTOMATIC] = "automatic", "enable", "disable"};

static mpii_switch_t one_of(const struct mpii_info* info, const char* key, mpii_switch_t otherwise) {
  for (unsigned i = 0; i < sizeof switches / sizeof *switches; ++i) {
    if (mpii_info_says(info, key, switches[i])) return (mpii_switch_t)i;
  }
  return otherwise;
}

void mpii_hints_take(mpii_hints_t* hints, const struct mpii_info* info, int ranks) {
  if (info == NULL) return;
  hints->aggregators = number(info, "cb_nodes", 1, (uint32_t)ranks, hints->aggregators);
  hints->buffer = number(info, "cb_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->buffer);
  hints->read_buffer = number(info, "ind_rd_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->read_buffer);
  hints->write_buffer = number(info, "ind_wr_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->write_buffer);
  if (mpii_info_says(info, "collective_buffering", "true")) {
    hints->gather_reads = hints->gather_writes = MPII_ENABLE;
  } else if (mpii_info_says(info, "collective_buffering", "false")) {
    hints->gather_reads = hints->gather_writes = MPII_DISABLE;
  }
  hints->gather_reads = one_of(info, "romio_cb_read", hints->gather_reads);
  hints->gather_writes = one_of(info, "romio_cb_write", hints->gather_writes);
  hints->sieve_reads = one_of(info, "romio_ds_read", hints->sieve_reads);
}

static void tell_number(struct mpii_info* info, const char* key, uint32_t value) {
  char text[16];
  snprintf(text, sizeof text, "%u", value);
  mpii_info_set(info, key, text);
}

struct mpii_info* mpii_hints_tell(const mpii_hints_t* hints) {
  struct mpii_info* info = mpii_info_copy(NULL);
  tell_number(info, "cb_nodes", hints->aggregators);
  tell_number(info, "cb_buffer_size", hints->buffer);
  tell_number(info, "ind_rd_buffer_size", hints->read_buffer);
  tell_number(info, "ind_wr_buffer_size", hints->write_buffer);
  mpii_info_set(info, "romio_cb_read", switches[hints->gather_reads]);
  mpii_info_set(info, "romio_cb_write", switches[hints->gather_writes]);
  mpii_info_set(info, "romio_ds_read", switches[hints->sieve_reads]);
  mpii_info_set(info, "romio_ds_write", switches[MPII_DISABLE]);
  return info;
}
