/* SPDX-License-Identifier: Apache-2.0 */
/* The queues of posted receives and of unexpected messages. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_MATCHING_H
#define TOROID_FIRMWARE_MPI_MATCHING_H

#include "firmware/mpi/request.h"

/* The first posted receive that a message fits, taken out of the queue; NULL: none. */
bglmpi_request_t* bglmpi_match_posted(const bglmpi_envelope_t* envelope);
void bglmpi_post(bglmpi_request_t* request);

/* The first unexpected message that fits a receive, taken out of the queue; NULL: none. */
bglmpi_unexpected_t* bglmpi_match_unexpected(const bglmpi_request_t* request);
void bglmpi_unexpected_add(bglmpi_unexpected_t* message);

/* At MPI_Finalize(): say on standard error which of the program's messages and receives have not met. */
void bglmpi_matching_finish(void);

/* Whether elements sent as one kind may be received as the other. */
bool bglmpi_basics_match(bglmpi_basic_t sent, bglmpi_basic_t received);

#endif
