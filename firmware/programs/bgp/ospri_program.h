// SPDX-License-Identifier: Apache-2.0
/// What the programs on OSPRI share: start and end, memory that all processes know, arguments, times.
///
/// They print a line of results for each measurement, with times in cycles of the core by the time base. In which mode
/// OSPRI runs is for the environment to say (docs/guide/ospri.md).
#ifndef TOROID_FIRMWARE_PROGRAMS_BGP_OSPRI_PROGRAM_H
#define TOROID_FIRMWARE_PROGRAMS_BGP_OSPRI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { OSPRI_EXIT_MISMATCH = 1, OSPRI_EXIT_USAGE = 2 };

/// Initialises OSPRI. Ends the process with a message from rank 0 if there are fewer than `ranks` processes.
void program_start(const char* name, unsigned ranks);
void program_end(void);

unsigned program_rank(void);
unsigned program_size(void);

/// Collective: `bytes` of memory here, zeroed; program_segment(rank) is where each process has its own. Once.
char* program_allocate(unsigned bytes);
char* program_segment(unsigned rank);

/// The number after `--name`, or `otherwise`. Ends the process with a message if it is none, or out of its bounds.
unsigned program_number(int argc, char** argv, const char* name, unsigned least, unsigned most, unsigned otherwise);

/// A list of numbers after `--name`, as 8,64,512; returns how many.
unsigned program_list(int argc, char** argv, const char* name, const char* otherwise, unsigned* numbers, unsigned room,
                      unsigned most);

/// Cycles of an operation, in the mean of `rounds`.
typedef void (*program_operation_t)(void* what);
double program_measure(program_operation_t operation, void* what, unsigned rounds);

/// Fills, and checks that memory holds what a rank fills in. Returns the first byte that differs, or `bytes`.
void program_fill(char* memory, unsigned bytes, unsigned rank);
unsigned program_differs(const char* memory, unsigned bytes, unsigned rank);

/// Ends the job with a message.
void program_fail(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
