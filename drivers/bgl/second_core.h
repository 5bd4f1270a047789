// SPDX-License-Identifier: Apache-2.0
//
// Starting and stopping the second core of a Blue Gene/L node, in coprocessor mode: the kernel starts the process on
// core 0, and core 1 waits until the process sends it somewhere.
//
// The second core runs in the same memory with its own caches, which nothing keeps coherent: see cache.h. It starts
// with clean caches. bgl_second_core_start() writes back what the caller's cache holds, so that the second core reads
// all that was written before the start.
//
// What runs there may not use the state of the C library (errno, malloc, stdio), which is the first core's. Plain
// system calls work; a fault, or the end of the process on either core, ends both.
#ifndef TOROID_DRIVERS_BGL_SECOND_CORE_H_
#define TOROID_DRIVERS_BGL_SECOND_CORE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Runs function(argument) on the second core, on the stack of `bytes` bytes at `stack`: whole lines of the cache (see
// bgl_cache_whole_lines()) that nothing else uses until the core has stopped. When the function returns the core stops.
// Returns 0, or a positive errno: EBUSY while the core runs, ENOSYS in virtual node mode, EINVAL for a stack that is
// not made of whole lines.
int bgl_second_core_start(void (*function)(void*), void* argument, void* stack, uint32_t bytes);

// On the second core: stops it, with its cache written back. It may be started again.
void bgl_second_core_stop(void) __attribute__((noreturn));

// On the second core: writes `line` to standard error and ends the process with `status`, without the C library.
void bgl_second_core_fail(const char* line, int status) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_SECOND_CORE_H_
