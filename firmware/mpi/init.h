// SPDX-License-Identifier: Apache-2.0
/// The library's start and end. For its own files.
#ifndef TOROID_FIRMWARE_MPI_INIT_H
#define TOROID_FIRMWARE_MPI_INIT_H

/// End the job with an exit status, whatever the other ranks do.
void mpii_end_job(int status) __attribute__((noreturn));

#endif
