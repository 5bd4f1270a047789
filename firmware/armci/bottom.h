// SPDX-License-Identifier: Apache-2.0
/// The bottom: what ARMCI needs of a machine. Each machine has one in a folder of its name here, and the build chooses
/// it. Strides, lists, accumulates, mutexes, messages, groups and handles are above it and are the same on all
/// machines.
///
/// What the bottom provides begins with armcib_; what it calls in the library begins with armcii_ and is at the end.
///
/// All of it is called with the lock held, by armcib_enter(), if nothing else is said. The bottom calls the library
/// from within armcib_advance() and, while the lock is not held by the program, from interrupts or from a thread of its
/// own: those calls hold the lock as well.
#ifndef TOROID_FIRMWARE_ARMCI_BOTTOM_H
#define TOROID_FIRMWARE_ARMCI_BOTTOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The job and this process in it. -------------------------------------------------------------------------------------

/// Once, before all else and without the lock; collective: other processes may be reached when it has returned.
void armcib_init(void);
/// Once, at the end and without the lock, when no process has anything on its way any more.
void armcib_finalize(void);

uint32_t armcib_rank(void);
uint32_t armcib_size(void);
/// Seconds since some time in the past.
double armcib_time(void);
/// End the job with an exit status, whatever the other processes do.
void armcib_end_job(int status) __attribute__((noreturn));

// The lock and progress. ----------------------------------------------------------------------------------------------

/// The lock of the process, without which nothing below is called. The library enters once, not again inside.
void armcib_enter(void);
void armcib_exit(void);

/// Receive, complete, start what had to wait; let other threads have the lock for a moment.
void armcib_advance(void);

/// Who advances while the program is outside ARMCI.
typedef enum {
  ARMCIB_POLLING,     ///< nobody
  ARMCIB_INTERRUPTS,  ///< an interrupt, when something arrives
  ARMCIB_THREAD       ///< a thread that does nothing else
} armcib_progress_t;

/// Choose, without the lock; returns what the machine can do instead of `wanted`. At the end, choose ARMCIB_POLLING.
armcib_progress_t armcib_progress(armcib_progress_t wanted);

// Memory. -------------------------------------------------------------------------------------------------------------

/// Memory of whole pages that does not come from the C library, for use in interrupts too; NULL: none.
void* armcib_pages(size_t bytes);

/// How a process tells others of memory that they may reach directly.
typedef struct {
  size_t bytes;  ///< of a description
  /// Describe memory of this process: `bytes` may be 0.
  void (*describe)(void* memory, size_t bytes, void* description);
  /// Learn of memory of another process.
  void (*learn)(uint32_t target, const void* description);
} armcib_regions_t;

/// NULL: all memory of each process can be reached by its address. Otherwise the library exchanges what is allocated;
/// the bottom finds out itself about other memory, for which it may need the target's software.
extern const armcib_regions_t* const armcib_regions;

/// to[i] += from[i], at addresses that need not be aligned, by instructions that the compiler does not use; NULL: the
/// machine has none.
extern void (*const armcib_add_doubles)(double* to, const double* from, size_t n);

// Direct operations: the target's software has no part in them. -------------------------------------------------------

typedef void (*armcib_done_t)(void* context);

/// `remote` is an address in the target, which may be this process. `done` is called later, in armcib_advance(): of a
/// put, the source may be changed; of a get, the data are there. The data of puts to a target get there in the order of
/// the puts. Puts and gets of 0 bytes are not made. May advance if it is called by the program and not by a handler.
void armcib_put(uint32_t target, const void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context);
void armcib_get(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcib_done_t done, void* context);

/// `done`: the data of all puts to the target that were started before are in its memory.
void armcib_flush(uint32_t target, armcib_done_t done, void* context);

/// Whether a get from a target reads what earlier puts of this process have put there, without a flush.
extern const bool armcib_gets_follow_puts;

// Requests: the target's library handles them. ------------------------------------------------------------------------

enum {
  ARMCIB_HEADER_MAX = 112,  ///< bytes of a request's header
  ARMCIB_PAYLOAD_MAX = 8192,
};

/// Send a request: `header_bytes`, a multiple of 8, are copied; the payload may be changed when `done`, unless NULL,
/// has been called. The target calls armcii_handle(), for the requests of a process in the order in which they were
/// sent, and for each when the data of puts that the process started before are in memory. Requests that a handler
/// sends have an order of their own.
void armcib_request(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                    armcib_done_t done, void* context);

/// A barrier of all processes; not by me: false, and nothing has been done.
bool armcib_barrier(void);

// What the bottom calls. ----------------------------------------------------------------------------------------------

/// Handle a request. Header and payload are aligned to 8 at least, and gone after it. It may send requests, but
/// may neither put, get, flush nor advance.
void armcii_handle(uint32_t source, const void* header, size_t header_bytes, const void* payload, size_t bytes);

/// Buffers for requests that arrive in pieces or have to wait: of so many bytes, at most ARMCIB_PAYLOAD_MAX, aligned to
/// 16. Those of up to ARMCII_SMALL_BYTES take little more than that.
enum { ARMCII_SMALL_BYTES = 256 };
void* armcii_buffer_for(size_t bytes);
void armcii_buffer_free(void* buffer);

/// A number from the environment; the job ends unless it is one of `least` to `most`.
unsigned armcii_setting(const char* name, unsigned otherwise, unsigned least, unsigned most);

/// Report an error that the program cannot handle, as printf(), and end the job.
void armcii_fail(const char* format, ...) __attribute__((cold, noreturn, format(printf, 1, 2)));

#endif
