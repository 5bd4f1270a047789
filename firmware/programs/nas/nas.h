// SPDX-License-Identifier: Apache-2.0
/// What the kernels here share. Each has the computation and the communication of one of the NAS parallel benchmarks in
/// outline, in our own words and at sizes that an emulator can run; their results are not those of the benchmarks.
///
/// One line on rank 0's standard output, the seconds by the emulated clock of the slowest task, without set-up:
///   nas kernel=cg tasks=32 seconds=0.012345678 operations=12345678 result=1.2345678901234e+01
/// `operations` are those that the method needs, of all tasks together, whatever their number; `result` must not depend
/// on the number of tasks but for rounding.
#ifndef TOROID_FIRMWARE_PROGRAMS_NAS_NAS_H
#define TOROID_FIRMWARE_PROGRAMS_NAS_NAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/mpi/mpi.h"

typedef struct {
  int rank, tasks;
} nas_t;

extern nas_t nas;

/// MPI_Init() and the rest. `--iterations N` in the arguments overrides `*iterations`, `--size N` overrides `*size`:
/// each kernel defines what it counts.
void nas_begin(int argc, char** argv, int* iterations, int* size);

/// Ends the job if the kernel does not support this number of tasks.
void nas_require(bool good, const char* tasks);

/// All begin together, after one warm-up that the kernel has done.
void nas_start(void);
void nas_stop(void);
/// The line, and MPI_Finalize(). Returns main()'s status.
int nas_end(const char* kernel, double operations, double result);

/// Uniform in [0, 1), the same sequence from the same state on all tasks.
double nas_random(uint64_t* state);
/// The state after `count` numbers.
uint64_t nas_skip(uint64_t state, uint64_t count);

/// The tasks along two dimensions, the first the smaller or the same: 4 x 8 of 32.
void nas_grid(int tasks, int* rows, int* columns);

/// Zeroed memory; ends the job if there is none.
void* nas_allocate(size_t count, size_t size);

#endif
