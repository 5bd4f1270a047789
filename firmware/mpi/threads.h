// SPDX-License-Identifier: Apache-2.0
/// Threads that call MPI at the same time, on machines whose processes can have any (MPIT_THREADS). For the library's
/// own files.
///
/// One lock, the transport's, protects the state of the library and of the transport. Each function of MPI holds it
/// from its beginning to its end: MPII_PUBLIC() makes the function that the program calls, which takes the lock, calls
/// the one that the source file defines, and releases the lock. The library's own calls of PMPI_ functions take no
/// lock. A wait releases the lock after each turn, so that other threads can call MPI; what is not the waiting call's
/// own may have changed when the turn ends.
///
/// Where there are no such threads, nothing of this is compiled.
#ifndef TOROID_FIRMWARE_MPI_THREADS_H
#define TOROID_FIRMWARE_MPI_THREADS_H

#include "firmware/mpi/error.h"
#include "firmware/mpi/transport.h"

#if MPIT_THREADS

/// The main thread begins, in a program that requires a level of threads.
void mpii_require_threads(int required);
void mpii_threads_init(void);
/// The level that is provided: to one that required this, and in general.
int mpii_provided_to(int required);
int mpii_thread_level(void);
bool mpii_is_main_thread(void);

/// Learn whether any process provides MPI_THREAD_MULTIPLE, when messages can be sent; then say it, the same at all
/// processes.
void mpii_threads_agree(void);
bool mpii_anyone_multiple(void);

/// One turn of a wait.
static inline void mpii_turn(void) {
  mpit_advance();
  mpii_give_way();
}

/// For what programs call without MPII_PUBLIC(): the lock is recursive.
static inline void mpii_lock(void) {
  mpit_lock();
}
static inline void mpii_unlock(void) {
  mpit_unlock();
}

#else  // the kernel has no threads: the caller is the main one

static inline void mpii_require_threads(int required) {
  (void)required;
}
static inline void mpii_threads_init(void) {}
static inline int mpii_provided_to(int required) {
  return required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
}
static inline int mpii_thread_level(void) {
  return MPI_THREAD_FUNNELED;
}
static inline bool mpii_is_main_thread(void) {
  return true;
}
static inline void mpii_threads_agree(void) {}
static inline bool mpii_anyone_multiple(void) {
  return false;
}
static inline void mpii_turn(void) {
  mpit_advance();
}
static inline void mpii_lock(void) {}
static inline void mpii_unlock(void) {}

#endif

#endif
