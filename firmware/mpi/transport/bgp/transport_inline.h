// SPDX-License-Identifier: Apache-2.0
/// The inline functions of Blue Gene/P's transport, so that the library calls DCMF directly. Included at the end of
/// firmware/mpi/transport.h, which documents them.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGP_TRANSPORT_INLINE_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGP_TRANSPORT_INLINE_H

#include <dcmf.h>

#include "hw/kernel/kernel_abi.h"

static inline bool mpit_advance(void) {
  return DCMF_Messager_advance() != 0;
}

// DCMF's critical section is the library's lock, as other software of the process takes it when it lets DCMF advance.
// It costs a look at a flag below MPI_THREAD_MULTIPLE, unless there is or was a window that may be locked.
void mpit_bgp_lock(void);
void mpit_bgp_unlock(void);
void mpit_bgp_give_way(void);

static inline void mpit_lock(void) {
  if (DCMF_CriticalSection_flag) mpit_bgp_lock();
}

static inline void mpit_unlock(void) {
  if (DCMF_CriticalSection_flag) mpit_bgp_unlock();
}

static inline void mpit_give_way(void) {
  if (DCMF_CriticalSection_flag) mpit_bgp_give_way();
}

static inline void mpit_wait(const volatile uint32_t* flag) {
  while (*flag == 0) {
    DCMF_Messager_advance();
    mpii_give_way();
  }
}

extern struct toroid_activity toroid_activity;

static inline void mpit_start_waiting(const char* what, uintptr_t first, uintptr_t second, uintptr_t third,
                                      uintptr_t fourth) {
  toroid_activity.arguments[0] = first;
  toroid_activity.arguments[1] = second;
  toroid_activity.arguments[2] = third;
  toroid_activity.arguments[3] = fourth;
  toroid_activity.what = (uint32_t)(uintptr_t)what;
}

static inline void mpit_stop_waiting(void) {
  toroid_activity.what = 0;
}

/// A short message is one packet of DCMF, which begins with what the library has written.
typedef struct {
  uint8_t packet[MPIT_SHORT_LEAST] __attribute__((aligned(16)));
  DCMF_Request_t request;
  mpit_done_t done;
  void* context;
} mpit_bgp_short_t;

/// The registrations of a channel with DCMF.
typedef struct {
  DCMF_Protocol_t one_packet, eager, offer;
} mpit_bgp_ports_t;

extern mpit_bgp_ports_t mpit_bgp_ports[MPIT_CHANNELS];

/// Messages that DCMF has not taken over from their sender.
extern uint32_t mpit_bgp_sending;
void mpit_bgp_short_sent(void* message, DCMF_Error_t* error);

static inline void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                                   void* context) {
  mpit_bgp_short_t* message = (mpit_bgp_short_t*)state;
  message->done = done;
  message->context = context;
  mpit_bgp_sending += 1;
  DCMF_Send(&mpit_bgp_ports[channel].one_packet, &message->request, (DCMF_Callback_t){mpit_bgp_short_sent, message},
            DCMF_MATCH_CONSISTENCY, peer, bytes, (char*)message->packet, NULL, 0);
}

bool mpit_bgp_barrier(void);
static inline bool mpit_barrier(const mpit_part_t* of) {
  (void)of;
  return mpit_bgp_barrier();
}

/// The DMA does not match messages.
static inline bool mpit_matches(void) {
  return false;
}

static inline bool mpit_reaches(void) {
  return true;
}

#endif
