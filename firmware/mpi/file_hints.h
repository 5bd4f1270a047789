// SPDX-License-Identifier: Apache-2.0
/// Hints of files, under the names of the standard and those that programs give ROMIO. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_FILE_HINTS_H
#define TOROID_FIRMWARE_MPI_FILE_HINTS_H

#include "firmware/mpi/info.h"

/// Whether an optimisation is applied: always, never, or if it is likely to pay.
typedef enum { MPII_AUTOMATIC, MPII_ENABLE, MPII_DISABLE } mpii_switch_t;

typedef struct {
  uint32_t aggregators;        ///< cb_nodes: processes that access the file for the others
  uint32_t buffer;             ///< cb_buffer_size: bytes that each of them has at a time
  uint32_t read_buffer;        ///< ind_rd_buffer_size: longest access of a process by itself that has to be taken apart
  uint32_t write_buffer;       ///< ind_wr_buffer_size
  mpii_switch_t gather_reads;  ///< romio_cb_read: collective reads go through aggregators
  mpii_switch_t gather_writes;  ///< romio_cb_write
  mpii_switch_t sieve_reads;    ///< romio_ds_read: gaps are read, too
} mpii_hints_t;

/// The defaults.
void mpii_hints_init(mpii_hints_t* hints, uint32_t aggregators);
/// Take over those of an info object (NULL: none) with valid values; others are ignored, as the standard permits.
void mpii_hints_take(mpii_hints_t* hints, const struct mpii_info* info, int ranks);
/// All that are in effect.
struct mpii_info* mpii_hints_tell(const mpii_hints_t* hints);

#endif
