// SPDX-License-Identifier: Apache-2.0
/// What the launchers of ranks share: their arguments, what ranks know of one another, and loading copies of a program.
#ifndef TOROID_TESTBENCH_TESTS_MPI_NATIVE_LOAD_H
#define TOROID_TESTBENCH_TESTS_MPI_NATIVE_LOAD_H

#include <stdint.h>

enum { RANKS_MOST = 64 };

typedef int main_t(int argc, char** argv);

/// Check COUNT PROGRAM.so [NAME=VALUE]..., and set the variables; returns the count, which is ranks_size() from now on.
uint32_t ranks_arguments(int argc, char** argv);

/// Load a copy of a program, with variables of its own; returns its main().
main_t* ranks_load(const char* program);

/// Where programs leave files.
const char* ranks_directory(void);

/// End with a line on standard error.
void ranks_fail(const char* what, const char* why) __attribute__((noreturn));

#endif
