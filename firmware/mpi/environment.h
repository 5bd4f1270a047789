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
  bool interrupts;         /* BGLMPI_INTERRUPTS: 1 (default), 0: windows are served in calls of MPI only */
  /* Collective operations. Those of all processes in their order use the machine's networks. */
  bool networks;            /* BGLMPI_NETWORKS: 1 (default), 0: messages only */
  uint32_t bcast_tree;      /* BGLMPI_BCAST_TREE: longest broadcast over the tree */
  uint32_t bcast_torus;     /* BGLMPI_BCAST_TORUS: shortest broadcast along lines of the torus */
  uint32_t reduce_tree;     /* BGLMPI_REDUCE_TREE: longest reduction over the tree */
  uint32_t sum_tree;        /* BGLMPI_SUM_TREE: longest sum of doubles over the tree */
  uint32_t sum_wide;        /* BGLMPI_SUM_WIDE: most doubles that are summed in one pass, a packet each */
  uint32_t allgather_tree;  /* BGLMPI_ALLGATHER_TREE: all blocks together, over the tree */
  uint32_t allgather_torus; /* BGLMPI_ALLGATHER_TORUS: the least together that go around the torus */
  uint32_t alltoall_torus;  /* BGLMPI_ALLTOALL_TORUS: shortest block of an all-to-all packet by packet */
  /* Others, by messages. */
  uint32_t bcast_binomial;     /* BGLMPI_BCAST_BINOMIAL: longest along a binomial tree; others in parts, by a ring */
  uint32_t gather_binomial;    /* BGLMPI_GATHER_BINOMIAL: all blocks together, along a binomial tree; others straight */
  uint32_t allgather_doubling; /* BGLMPI_ALLGATHER_DOUBLING: all blocks together; others by a ring */
  uint32_t allreduce_doubling; /* BGLMPI_ALLREDUCE_DOUBLING: longest by recursive doubling; others in halves */
  uint32_t reduce_scatter_root; /* BGLMPI_REDUCE_SCATTER_ROOT: most by way of rank 0; others in pairs */
} bglmpi_limits_t;

const bglmpi_limits_t* bglmpi_limits(void);

/* Read the variables. Ends the job where one says something it may not. */
void bglmpi_environment_init(void);

#endif
