// SPDX-License-Identifier: Apache-2.0
/// Whether a process can have threads that call MPI at the same time. firmware/mpi/threads.h says what follows from it.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGL_TRANSPORT_THREADS_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGL_TRANSPORT_THREADS_H

#define MPIT_THREADS 0

#endif
