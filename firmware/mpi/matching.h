// SPDX-License-Identifier: Apache-2.0
/// The queues of posted receives and of unexpected messages. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_MATCHING_H
#define TOROID_FIRMWARE_MPI_MATCHING_H

#include "firmware/mpi/request.h"

/// The first posted receive that matches a message, removed from the queue; NULL: none.
mpii_request_t* mpii_match_posted(const mpit_envelope_t* envelope);
void mpii_post(mpii_request_t* request);
/// Remove it from the queue. Returns false if it is no longer there.
bool mpii_unpost(mpii_request_t* request);

/// The first unexpected message that matches a receive, removed from the queue; NULL: none.
mpii_unexpected_t* mpii_match_unexpected(const mpii_request_t* request);
void mpii_unexpected_add(mpii_unexpected_t* message);

/// At MPI_Finalize(): report on standard error which messages and receives of the program have not matched.
void mpii_matching_finish(void);

/// Whether elements sent as one kind may be received as the other.
bool mpii_basics_match(mpii_basic_t sent, mpii_basic_t received);

#endif
