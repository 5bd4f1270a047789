// SPDX-License-Identifier: Apache-2.0
/// The inline functions of the transport for tests. firmware/mpi/transport.h documents them.
#ifndef TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_INLINE_H
#define TOROID_TESTBENCH_TESTS_MPI_NATIVE_TRANSPORT_INLINE_H

bool native_advance(void);
void native_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                       void* context);
extern bool native_matches, native_reaches;

static inline bool mpit_advance(void) {
  return native_advance();
}

static inline void mpit_wait(const volatile uint32_t* flag) {
  while (*flag == 0) {
    mpit_advance();
#if MPIT_THREADS
    mpii_give_way();
#endif
  }
}

static inline void mpit_start_waiting(const char* what, uintptr_t first, uintptr_t second, uintptr_t third,
                                      uintptr_t fourth) {
  (void)what, (void)first, (void)second, (void)third, (void)fourth;
}

static inline void mpit_stop_waiting(void) {}

static inline void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                                   void* context) {
  native_send_short(state, channel, peer, bytes, done, context);
}

#if MPIT_THREADS
extern bool native_locks;
void native_lock(void);
void native_unlock(void);
void native_give_way(void);

static inline void mpit_lock(void) {
  if (native_locks) native_lock();
}

static inline void mpit_unlock(void) {
  if (native_locks) native_unlock();
}

static inline void mpit_give_way(void) {
  if (native_locks) native_give_way();
}
#endif

static inline bool mpit_matches(void) {
  return native_matches;
}

static inline bool mpit_reaches(void) {
  return native_reaches;
}

static inline bool mpit_barrier(const mpit_part_t* of) {
  (void)of;
  return false;
}

#endif
