// SPDX-License-Identifier: Apache-2.0
/// Errors of MPI calls. A function that finds one returns what mpii_fail() returns, when it returns: the communicator's
/// error handler decides (MPI_ERRORS_ARE_FATAL, the default, ends the job with one line on standard error). For the
/// library's own files.
#ifndef TOROID_FIRMWARE_MPI_ERROR_H
#define TOROID_FIRMWARE_MPI_ERROR_H

#include "firmware/mpi/mpi.h"
#include "transport_constants.h"  // transport/<machine>/transport_constants.h

#if MPIT_THREADS
#include "mpi_locked.h"  // generated: MPII_LOCKED_Send and all others
#endif

enum { MPII_EXIT_ERROR = 113 };  // exit status after an error that is fatal

/// Define MPI_name as another name for PMPI_name, which a program may define itself: MPI's profiling interface. Where
/// threads may call MPI at the same time (threads.h), PMPI_name becomes a function that calls the one before this line
/// and holds the lock.
#if MPIT_THREADS
#define MPII_PUBLIC(name) \
  MPII_LOCKED_##name extern __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)))
#else
#define MPII_PUBLIC(name) extern __typeof__(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)))
#endif

/// Return from a function at once with the error that `call` returns.
#define MPII_TRY(call)                        \
  do {                                        \
    const int error_ = (call);                \
    if (error_ != MPI_SUCCESS) return error_; \
  } while (0)

/// The MPI function that runs, for messages: "MPI_Send".
extern const char* mpii_running;

struct mpii_comm;

/// Report an error of class `code` to the error handler of `comm` (NULL: to MPI_COMM_WORLD's) and return `code`. The
/// text says what is wrong and what would be right, and is printed only if the error is fatal.
int mpii_fail(struct mpii_comm* comm, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

/// The same for an error whose text is the class's own.
int mpii_fail_class(struct mpii_comm* comm, int code);

/// MPI_ERR_ARG if an argument that must not be NULL is a null pointer. The text contains the name of the parameter in
/// mpi.h: MPII_TRY(mpii_check_given(comm, handle, "request")).
static inline int mpii_check_given(struct mpii_comm* comm, const void* pointer, const char* name) {
  return pointer != NULL ? MPI_SUCCESS : mpii_fail(comm, MPI_ERR_ARG, "%s is a null pointer", name);
}

/// The same in a call that is right before MPI_Init() and after MPI_Finalize() as well, and so has not been begun.
int mpii_check_anytime(const char* function, const void* pointer, const char* name);

/// The same for an array of `count` elements: an empty one may be a null pointer.
static inline int mpii_check_array(struct mpii_comm* comm, const void* array, int count, const char* name) {
  return count <= 0 ? MPI_SUCCESS : mpii_check_given(comm, array, name);
}

/// End the job: one line on standard error with the rank and the MPI function, MPII_EXIT_ERROR.
void mpii_end(const char* format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/// One line on standard error, and the program goes on.
void mpii_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The meaning of an error class in a few words; NULL for other numbers.
const char* mpii_class_text(int code);

/// The state of the library.
typedef enum {
  MPII_BEFORE,
  MPII_BETWEEN,
  MPII_AFTER,
  MPII_SERVED  ///< between, outside MPI, and interrupts may come (mpit_serve_begin())
} mpii_phase_t;
extern mpii_phase_t mpii_phase;

/// If interrupts are possible, to be called at the beginning of an MPI call.
extern void (*mpii_served)(void);

/// Begin an MPI call. Ends the job before MPI_Init() and after MPI_Finalize().
static inline void mpii_enter(const char* function) {
  extern void mpii_come_in(void);
  mpii_running = function;
  if (mpii_phase != MPII_BETWEEN) mpii_come_in();
}

void mpii_errhandler_init(void);

#endif
