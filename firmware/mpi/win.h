// SPDX-License-Identifier: Apache-2.0
/// The library's representation of windows. An access is cut into pieces, each a message to the target, which serves it
/// from within the transport's calls: while it waits in an MPI call, or in an interrupt. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_WIN_H
#define TOROID_FIRMWARE_MPI_WIN_H

#include "firmware/mpi/info.h"
#include "firmware/mpi/request.h"

struct mpii_attribute;

/// The access epoch of a process.
typedef enum {
  MPII_NO_ACCESS,
  MPII_ACCESS_FENCE,    ///< between fences: all
  MPII_ACCESS_START,    ///< since MPI_Win_start(): its group
  MPII_ACCESS_LOCK,     ///< the processes whose locks it holds
  MPII_ACCESS_LOCK_ALL  ///< all; their locks are requested at the first access
} mpii_access_t;

/// A process's lock at another.
typedef enum {
  MPII_UNLOCKED,
  MPII_LOCKED,
  MPII_LOCK_ASSUMED  ///< MPI_MODE_NOCHECK: the lock was not requested from the target
} mpii_lock_t;

/// A process of the window's group: what it exposes, and the state of accesses from and to it.
typedef struct {
  uint8_t* base;  ///< its part of the window; NULL in a dynamic one, which has all of its memory
  size_t size;    ///< bytes
  uint32_t unit;  ///< bytes of a displacement of 1
  // Accesses of this process to it. Loops wait until these counts are zero.
  volatile uint32_t unsent;    ///< messages to it whose buffers are still in use
  volatile uint32_t replies;   ///< outstanding
  volatile uint32_t reaching;  ///< accesses of the network to its memory, which are among the replies
  volatile uint32_t answers;   ///< outstanding confirmations
  volatile uint32_t unlocked;  ///< its lock is not granted yet: 1
  volatile int32_t posted;  ///< its MPI_Win_post() calls for this process, less those that MPI_Win_start() has consumed
  uint8_t lock;             ///< mpii_lock_t: this process's at it
  bool dirty;               ///< accesses may not be complete at it
  bool started;             ///< it is in the group of MPI_Win_start()
  // Its accesses to this process.
  uint32_t arriving;           ///< its long messages that are not complete
  uint32_t asks;               ///< bit k: message k (mpii_rma_kind_t) waits for them
  volatile uint32_t complete;  ///< its MPI_Win_complete() calls that MPI_Win_wait() has not consumed
  uint8_t wants;               ///< the lock it waits for: MPI_LOCK_
  int next;                    ///< in the queue for the lock; -1: last
} mpii_peer_t;

/// Memory of a dynamic window.
typedef struct mpii_attached {
  struct mpii_attached* next;
  uint8_t* base;
  size_t size;
} mpii_attached_t;

struct mpii_rma;

typedef struct mpii_win {
  mpii_object_t object;
  struct mpii_win* next;  ///< of this process's
  mpii_comm_t* comm;      ///< the window's own; its context is the window's number, its name and handler the window's
  void* base;
  MPI_Aint size;
  int unit;
  int flavor;
  void* allocated;  ///< to be freed with the window
  mpii_attached_t* attached;
  bool served;  ///< while this process is outside MPI
  bool locks;   ///< the hint no_locks has not been given: it may be accessed while this process is outside MPI
  struct mpii_attribute* attributes;
  mpii_peer_t* peers;  ///< a process each, by rank
  uint8_t access;      ///< mpii_access_t
  bool accessed;       ///< since the last fence
  int started_count;   ///< processes of MPI_Win_start(), by rank
  int* started;
  int locked;  ///< locks that this process has, MPI_Win_lock_all()'s not counted
  bool posted;
  int posted_count;  ///< processes of MPI_Win_post(), by rank
  int* posted_to;
  // This process's lock.
  int sharing;      ///< the number of processes that hold it
  bool exclusive;   ///< one process holds it alone
  int first, last;  ///< the queue for it; -1: empty
  // Long messages that were announced: their data comes in this order from each process.
  struct mpii_rma* expected;
} mpii_win_t;

/// Begin a call on a window: MPII_TRY(mpii_enter_win("MPI_Put", handle, &win)).
int mpii_enter_win(const char* function, MPI_Win handle, mpii_win_t** win);

/// The window of a number that a message has; NULL: this process is not in it.
mpii_win_t* mpii_win_find(uint32_t context);

/// Whether `bytes` bytes at an address are this process's part.
bool mpii_win_covers(const mpii_win_t* win, uintptr_t address, uint32_t bytes);

/// A rank of the window, or MPI_ERR_RANK; MPI_PROC_NULL is right.
int mpii_win_check_rank(mpii_win_t* win, int rank);
/// MPI_ERR_ASSERT if an assertion has other bits.
int mpii_win_check_assertion(mpii_win_t* win, int assertion, int allowed);

/// What a call waits for, in the report of a job that does not end: `what` has %s for the function, %s for the window
/// and %d for a rank.
void mpii_win_say(const mpii_win_t* win, const char* what, int rank);
/// Wait until a count is zero.
void mpii_win_await(const mpii_win_t* win, const volatile uint32_t* count, const char* what, int rank);

/// Until all processes have called it.
void mpii_win_barrier(mpii_win_t* win);

/// Wait until the network has performed all accesses to a rank. Required before a message that ends an epoch, which may
/// otherwise overtake them.
void mpii_win_reach(mpii_win_t* win, int rank);

/// Complete all accesses at a rank; and locally: this process's buffers and results.
void mpii_win_flush(mpii_win_t* win, int rank);
void mpii_win_flush_local(mpii_win_t* win, int rank);
void mpii_win_flush_all(mpii_win_t* win);

/// Wait for a lock at a rank.
void mpii_win_take_lock(mpii_win_t* win, int rank, int type);

#endif
