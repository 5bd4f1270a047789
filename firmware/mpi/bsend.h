// SPDX-License-Identifier: Apache-2.0
/// Buffered sends. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_BSEND_H
#define TOROID_FIRMWARE_MPI_BSEND_H

#include "firmware/mpi/request.h"

/// Copy what a request describes into the user's buffer and send it from there; the request is complete at once.
/// MPI_ERR_BUFFER if it has no room.
int mpii_bsend_start(mpii_request_t* request);

/// Advance until all buffered messages are sent.
void mpii_bsend_drain(void);

#endif
