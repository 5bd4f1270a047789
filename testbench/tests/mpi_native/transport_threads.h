// SPDX-License-Identifier: Apache-2.0
/// Whether ranks have threads. The build says it: the library is compiled both ways.
#ifndef TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_THREADS_H
#define TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_THREADS_H

#ifndef MPIT_THREADS
#define MPIT_THREADS 0
#endif

#endif
