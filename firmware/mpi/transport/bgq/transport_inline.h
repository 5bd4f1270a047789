// SPDX-License-Identifier: Apache-2.0
/// The inline functions of Blue Gene/Q's transport, so that the library calls PAMI directly. Included at the end of
/// firmware/mpi/transport.h, which documents them.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_TRANSPORT_INLINE_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGQ_TRANSPORT_INLINE_H

#include <pami.h>

#include "hw/kernel/kernel_abi.h"

extern pami_client_t mpit_bgq_client;
extern pami_context_t mpit_bgq_context;

static inline bool mpit_advance(void) {
  return PAMI_Context_advance(mpit_bgq_context, 1) == PAMI_SUCCESS;
}

/// Whether several threads may call MPI at a time.
extern bool mpit_bgq_multiple;
void mpit_bgq_lock(void);
void mpit_bgq_unlock(void);
void mpit_bgq_give_way(void);

static inline void mpit_lock(void) {
  if (mpit_bgq_multiple) mpit_bgq_lock();
}

static inline void mpit_unlock(void) {
  if (mpit_bgq_multiple) mpit_bgq_unlock();
}

static inline void mpit_give_way(void) {
  if (mpit_bgq_multiple) mpit_bgq_give_way();
}

static inline void mpit_wait(const volatile uint32_t* flag) {
  while (*flag == 0) {
    PAMI_Context_advance(mpit_bgq_context, 1);
    mpii_give_way();
  }
}

extern struct toroid_activity toroid_activity;

/// Static programs lie below 4 GiB, and so does their heap.
static inline void mpit_start_waiting(const char* what, uintptr_t first, uintptr_t second, uintptr_t third,
                                      uintptr_t fourth) {
  toroid_activity.arguments[0] = (uint32_t)first;
  toroid_activity.arguments[1] = (uint32_t)second;
  toroid_activity.arguments[2] = (uint32_t)third;
  toroid_activity.arguments[3] = (uint32_t)fourth;
  toroid_activity.what = (uint32_t)(uintptr_t)what;
}

static inline void mpit_stop_waiting(void) {
  toroid_activity.what = 0;
}

/// The numbers of dispatches. Those with a channel are for MPIT_MESSAGES, and one more for MPIT_ACCESSES.
enum {
  MPIT_BGQ_SHORT = 0,
  MPIT_BGQ_EAGER = MPIT_BGQ_SHORT + MPIT_CHANNELS,
  MPIT_BGQ_ORDERED = MPIT_BGQ_EAGER + MPIT_CHANNELS,
  MPIT_BGQ_OFFER = MPIT_BGQ_ORDERED + MPIT_CHANNELS,
  MPIT_BGQ_TAKEN = MPIT_BGQ_OFFER + MPIT_CHANNELS,  ///< an offered message has been received
  MPIT_BGQ_ASK,                                     ///< for the memory region that holds an address
  MPIT_BGQ_ANSWER
};

/// The only context of a process that has MPI.
static inline pami_endpoint_t mpit_bgq_endpoint(uint32_t peer) {
  pami_endpoint_t endpoint;
  PAMI_Endpoint_create(mpit_bgq_client, peer, 0, &endpoint);
  return endpoint;
}

/// End the job, because a call of PAMI has failed: its arguments are wrong.
void mpit_bgq_failed(pami_result_t result, const char* call) __attribute__((noreturn, cold));

static inline void mpit_bgq_check(pami_result_t result, const char* call) {
  if (result != PAMI_SUCCESS) mpit_bgq_failed(result, call);
}

/// Send bytes that PAMI takes at once.
static inline void mpit_bgq_say(size_t dispatch, uint32_t peer, const void* data, size_t bytes) {
  pami_send_immediate_t message = {
      .header = {.iov_base = (void*)(uintptr_t)data, .iov_len = bytes},
      .dispatch = dispatch,
      .dest = mpit_bgq_endpoint(peer),
  };
  mpit_bgq_check(PAMI_Send_immediate(mpit_bgq_context, &message), "PAMI_Send_immediate");
}

static inline void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                                   void* context) {
  mpit_bgq_say(MPIT_BGQ_SHORT + (size_t)channel, peer, state, bytes);
  done(context);
}

bool mpit_bgq_barrier(const mpit_part_t* of);
static inline bool mpit_barrier(const mpit_part_t* of) {
  return mpit_bgq_barrier(of);
}

/// The Messaging Unit does not match messages.
static inline bool mpit_matches(void) {
  return false;
}

static inline bool mpit_reaches(void) {
  return true;
}

#endif
