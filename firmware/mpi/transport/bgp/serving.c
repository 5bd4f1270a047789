// SPDX-License-Identifier: Apache-2.0
// The library's lock, and serving passive targets while their program is outside MPI.
//
// DCMF's interrupts do that: what arrives has a communication thread of the process advance, but only while nobody
// holds the lock, which is DCMF's critical section. So a window that may be locked gives its process the lock, whatever
// level of threads the program has, and the library is at rest when it is interrupted. The process keeps the lock when
// its last window ends, because a communication thread may still be about to take it.
//
// The communication thread may run on the core of a thread that is in the middle of malloc(), so that what it does for
// MPI is an interrupt's work (interrupted.h). It does that only while no thread is in MPI or waits to get in.
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/transport/bgp/bgp.h"

static uint32_t users;             ///< calls of mpit_serve_begin() without their mpit_serve_end()
static uint32_t inside;            ///< calls of mpit_lock() without mpit_unlock(), of the thread that has the lock
static DCMF_Interrupts before_us;  ///< what other software of the process has asked for

void mpit_bgp_lock(void) {
  DCMF_CriticalSection_enter_func(0);
  if (++inside != 1) return;
  mpii_got_lock();
}

void mpit_bgp_unlock(void) {
  if (--inside == 0 && users != 0) mpii_lets_interrupt();
  DCMF_CriticalSection_exit_func(0);
}

void mpit_bgp_give_way(void) {
  if (inside != 1) return;
  inside = 0;
  DCMF_CriticalSection_cycle_func(0);
  inside = 1;
  mpii_interrupted = false;
}

static DCMF_Configure_t configure(DCMF_Thread threads, DCMF_Interrupts interrupts) {
  DCMF_Configure_t wanted = {.thread_level = threads, .interrupts = interrupts}, holds;
  mpit_bgp_check(DCMF_Messager_configure(&wanted, &holds), "DCMF_Messager_configure");
  return holds;
}

bool mpit_serve_begin(void) {
  if (users != 0) {
    users += 1;
    return true;
  }
  DCMF_Configure_t before;
  mpit_bgp_check(DCMF_Messager_configure(NULL, &before), "DCMF_Messager_configure");
  configure(DCMF_THREAD_MULTIPLE, before.interrupts);
  // Whoever called MPI releases the lock at the end of the call, now that there is one.
  const bool first_lock = before.thread_level != DCMF_THREAD_MULTIPLE;
  if (first_lock) mpit_lock();
  before_us = before.interrupts;
  if (configure(DCMF_THREAD_MULTIPLE, DCMF_INTERRUPTS_ON).interrupts == DCMF_INTERRUPTS_ON) {
    users = 1;
    return true;
  }
  // DCMF has got no thread or no interrupts.
  if (first_lock) {
    mpit_unlock();
    configure(before.thread_level, before.interrupts);
  }
  return false;
}

void mpit_serve_end(void) {
  users -= 1;
  if (users == 0) configure(DCMF_THREAD_MULTIPLE, before_us);
}
