/* SPDX-License-Identifier: Apache-2.0 */
/* What environment variables set. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_ENVIRONMENT_H
#define TOROID_FIRMWARE_MPI_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/* The longest message, in bytes, that is sent by each protocol; longer ones go by the next that takes them, and by
 * rendezvous in the end. */
typedef struct {
  uint32_t short_bytes;    /* BGLMPI_SHORT: one packet; 0 to 224, default 224 */
  uint32_t eager_bytes;    /* BGLMPI_EAGER: default 1000, as the real library's */
  uint32_t adaptive_bytes; /* BGLMPI_ADAPTIVE: adaptive eager; default 0, none */
  bool check_types;        /* BGLMPI_CHECK_TYPES: 1 (default), 0 */
} bglmpi_limits_t;

const bglmpi_limits_t* bglmpi_limits(void);

/* Read the variables. Ends the job where one says something it may not. */
void bglmpi_environment_init(void);

#endif
