// SPDX-License-Identifier: Apache-2.0
/// Constants of the transport. firmware/mpi/transport.h says what they are for.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_TRANSPORT_CONSTANTS_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_TRANSPORT_CONSTANTS_H

/// Whether threads of a process may call MPI at the same time (firmware/mpi/threads.h).
#define MPIT_THREADS 1

/// The least value of mpit_short_bytes: what PAMI takes immediately.
enum { MPIT_SHORT_LEAST = 128 };

#endif
