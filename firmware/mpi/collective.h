/* SPDX-License-Identifier: Apache-2.0 */
/* What collective operations share. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_COLLECTIVE_H
#define TOROID_FIRMWARE_MPI_COLLECTIVE_H

#include "firmware/mpi/request.h"

/* Tags of the messages of collective operations, one an operation: a call that meets another operation's never matches,
 * and the report of the deadlock says so. */
typedef enum {
  BGLMPI_TAG_AGREE,
  BGLMPI_TAG_BARRIER,
  BGLMPI_TAG_BCAST,
  BGLMPI_TAG_GATHER,
  BGLMPI_TAG_SCATTER,
  BGLMPI_TAG_ALLGATHER,
  BGLMPI_TAG_ALLTOALL,
  BGLMPI_TAG_REDUCE,
  BGLMPI_TAG_ALLREDUCE,
  BGLMPI_TAG_REDUCE_SCATTER,
  BGLMPI_TAG_SCAN,
  BGLMPI_TAG_INTERCOMM,
  BGLMPI_TAGS
} bglmpi_collective_tag_t;

/* The greatest of the numbers of all members of an intracommunicator, at all of them. */
uint32_t bglmpi_agree_max(bglmpi_comm_t* comm, uint32_t number);

#endif
