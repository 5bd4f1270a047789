/* SPDX-License-Identifier: Apache-2.0 */
/* Hints of files, under the names of the standard and those that programs give ROMIO. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_FILE_HINTS_H
#define TOROID_FIRMWARE_MPI_FILE_HINTS_H

#include "firmware/mpi/info.h"

/* Whether something is done: always, never, or where it is likely to pay. */
typedef enum { BGLMPI_AUTOMATIC, BGLMPI_ENABLE, BGLMPI_DISABLE } bglmpi_switch_t;

typedef struct {
  uint32_t aggregators;  /* cb_nodes: processes that access the file for the others */
  uint32_t buffer;       /* cb_buffer_size: bytes that each of them has at a time */
  uint32_t read_buffer;  /* ind_rd_buffer_size: longest access of a process by itself that has to be taken apart */
  uint32_t write_buffer; /* ind_wr_buffer_size */
  bglmpi_switch_t gather_reads;  /* romio_cb_read: collective reads go through aggregators */
  bglmpi_switch_t gather_writes; /* romio_cb_write */
  bglmpi_switch_t sieve_reads;   /* romio_ds_read: gaps are read, too */
} bglmpi_hints_t;

/* What holds without hints. */
void bglmpi_hints_init(bglmpi_hints_t* hints, uint32_t aggregators);
/* Take over those of an info object (NULL: none) that say something sensible; others are ignored, as hints are. */
void bglmpi_hints_take(bglmpi_hints_t* hints, const struct bglmpi_info* info, int ranks);
/* All that are in effect. */
struct bglmpi_info* bglmpi_hints_tell(const bglmpi_hints_t* hints);

#endif
