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

void bglmpi_hints_init(bglmpi_hints_t* hints, uint32_t aggregators) {
  *hints = (bglmpi_hints_t){
      .aggregators = aggregators,
      .buffer = BUFFER,
      .read_buffer = BUFFER_ALONE,
      .write_buffer = BUFFER_ALONE,
  };
}

/// A number in a hint's value; `otherwise` where it is none. More or less than may be is the most or the least.
static uint32_t number(const struct bglmpi_info* info, const char* key, uint32_t least, uint32_t most,
                       uint32_t otherwise) {
  const char* text = bglmpi_info_value(info, key);
  if (text == NULL || text[0] < '0' || text[0] > '9') return otherwise;
  char* end;
  errno = 0;
  const unsigned long value = strtoul(text, &end, 10);
  if (*end != '\0') return otherwise;
  if (errno != 0 || value > most) return most;
  return value < least ? least : (uint32_t)value;
}

static const char* const switches[] = {[BGLMPI_AUTOMATIC] = "automatic", "enable", "disable"};

static bglmpi_switch_t one_of(const struct bglmpi_info* info, const char* key, bglmpi_switch_t otherwise) {
  for (unsigned i = 0; i < sizeof switches / sizeof *switches; ++i) {
    if (bglmpi_info_says(info, key, switches[i])) return (bglmpi_switch_t)i;
  }
  return otherwise;
}

void bglmpi_hints_take(bglmpi_hints_t* hints, const struct bglmpi_info* info, int ranks) {
  if (info == NULL) return;
  hints->aggregators = number(info, "cb_nodes", 1, (uint32_t)ranks, hints->aggregators);
  hints->buffer = number(info, "cb_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->buffer);
  hints->read_buffer = number(info, "ind_rd_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->read_buffer);
  hints->write_buffer = number(info, "ind_wr_buffer_size", LEAST_BUFFER, MOST_BUFFER, hints->write_buffer);
  if (bglmpi_info_says(info, "collective_buffering", "true")) {
    hints->gather_reads = hints->gather_writes = BGLMPI_ENABLE;
  } else if (bglmpi_info_says(info, "collective_buffering", "false")) {
    hints->gather_reads = hints->gather_writes = BGLMPI_DISABLE;
  }
  hints->gather_reads = one_of(info, "romio_cb_read", hints->gather_reads);
  hints->gather_writes = one_of(info, "romio_cb_write", hints->gather_writes);
  hints->sieve_reads = one_of(info, "romio_ds_read", hints->sieve_reads);
}

static void tell_number(struct bglmpi_info* info, const char* key, uint32_t value) {
  char text[16];
  snprintf(text, sizeof text, "%u", value);
  bglmpi_info_set(info, key, text);
}

struct bglmpi_info* bglmpi_hints_tell(const bglmpi_hints_t* hints) {
  struct bglmpi_info* info = bglmpi_info_copy(NULL);
  tell_number(info, "cb_nodes", hints->aggregators);
  tell_number(info, "cb_buffer_size", hints->buffer);
  tell_number(info, "ind_rd_buffer_size", hints->read_buffer);
  tell_number(info, "ind_wr_buffer_size", hints->write_buffer);
  bglmpi_info_set(info, "romio_cb_read", switches[hints->gather_reads]);
  bglmpi_info_set(info, "romio_cb_write", switches[hints->gather_writes]);
  bglmpi_info_set(info, "romio_ds_read", switches[hints->sieve_reads]);
  bglmpi_info_set(info, "romio_ds_write", switches[BGLMPI_DISABLE]);
  return info;
}
