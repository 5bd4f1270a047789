// SPDX-License-Identifier: Apache-2.0
/// Constants of the transport for tests.
#ifndef TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_CONSTANTS_H
#define TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_CONSTANTS_H

/// The build says whether ranks have threads: the library is compiled both ways.
#ifndef MPIT_THREADS
#define MPIT_THREADS 0
#endif

enum { MPIT_SHORT_LEAST = 240 };

#endif
