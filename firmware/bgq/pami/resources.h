/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PAMI takes of the Messaging Unit, so that every task knows the numbers of all others:
 *
 *   reception FIFOs   context c of client k of process T: the last subgroup of the process less c, FIFO 3 - k there
 *   injection FIFOs   the last ones of the process that are free
 *   remote gets       a FIFO for each direction in which the data leaves, in subgroups 64 and 65: the node's
 *   base addresses    in subgroup 65: 0, so that offsets are physical addresses; the same for counters; a counter at
 *                     which nobody looks
 *
 * Programs that use the SPI beside PAMI find the first FIFOs of each subgroup free. MUSPI_NUMINJFIFOS is how many
 * injection FIFOs of the process PAMI leaves for them.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_RESOURCES_H
#define TOROID_FIRMWARE_BGQ_PAMI_RESOURCES_H

#include "firmware/bgq/pami/job.h"
#include "firmware/bgq/pami/spi.h"

enum {
  PAMI_SUBGROUPS = 64, /* that processes share; the node's are behind them */
  PAMI_NODE_SUBGROUP = 64,
  PAMI_BASE_MEMORY = 65 * 8,
  PAMI_BASE_COUNTER = 65 * 8 + 1,
  PAMI_BASE_SINK = 65 * 8 + 2
};

static inline unsigned pami_contexts_max(void) {
  return PAMI_SUBGROUPS / pami_job.processes;
}
static inline unsigned pami_reception_subgroup(unsigned process, unsigned offset) {
  const unsigned subgroups = PAMI_SUBGROUPS / pami_job.processes;
  return process * subgroups + (subgroups - 1 - offset);
}
static inline unsigned pami_reception_number(unsigned client) {
  return 3 - client;
}
static inline uint16_t pami_reception_id(unsigned process, unsigned client, unsigned offset) {
  return (uint16_t)(pami_reception_subgroup(process, offset) * 4 + pami_reception_number(client));
}
/* The FIFO of a node into which remote gets go whose data leaves in a direction. */
static inline uint16_t pami_remote_get_id(unsigned direction) {
  return (uint16_t)(PAMI_NODE_SUBGROUP * 8 + direction);
}

/* The first task of the node opens what is the node's; the others wait for it. */
void pami_resources_start(void);

/* Opens the last injection FIFO of the process that is free. EAGAIN: none is but those left for others. */
int pami_take_injection_fifo(MUSPI_InjFifoSubGroup_t* group, uint32_t* number);
/* How many are free but for those left for others. */
unsigned pami_free_injection_fifos(void);

/* A ring in memory for an allocated FIFO; enables it. */
void pami_start_injection_fifo(MUSPI_InjFifoSubGroup_t* group, uint32_t number, void* memory, uint64_t bytes);

#endif
