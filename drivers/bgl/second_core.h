// SPDX-License-Identifier: Apache-2.0
/// Starting and stopping the second core of a Blue Gene/L node, in coprocessor mode: the kernel starts the process on
/// core 0, and core 1 is idle until the process starts it.
///
/// The second core uses the same memory with its own caches, which are not coherent: see cache.h. Its caches are empty
/// at the start. bgl_second_core_start() writes back the caller's cache, so that the second core sees everything that
/// was written before the start.
///
/// Code on the second core must not use the state of the C library (errno, malloc, stdio), which belongs to the first
/// core. Plain system calls work; a fault, or the end of the process on either core, ends both.
#ifndef TOROID_DRIVERS_BGL_SECOND_CORE_H_
#define TOROID_DRIVERS_BGL_SECOND_CORE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs function(argument) on the second core, on the stack of `bytes` bytes at `stack`: whole cache lines (see
/// bgl_cache_whole_lines()) that are not used otherwise until the core has stopped. The core stops when the function
/// returns. Returns 0, or a positive errno: EBUSY while the core runs, ENOSYS in virtual node mode, EINVAL if the stack
/// does not consist of whole lines.
int bgl_second_core_start(void (*function)(void*), void* argument, void* stack, uint32_t bytes);

/// On the second core: writes back its cache and stops it. It may be started again.
void bgl_second_core_stop(void) __attribute__((noreturn));

/// On the second core: writes `line` to standard error and ends the process with `status`, without the C library.
void bgl_second_core_fail(const char* line, int status) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_SECOND_CORE_H_
