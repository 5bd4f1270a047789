// SPDX-License-Identifier: Apache-2.0
/// The inline functions of Blue Gene/L's transport, so that the library calls the message layer directly. Included at
/// the end of firmware/mpi/transport.h, which documents them.
#ifndef TOROID_FIRMWARE_MPI_TRANSPORT_BGL_TRANSPORT_INLINE_H
#define TOROID_FIRMWARE_MPI_TRANSPORT_BGL_TRANSPORT_INLINE_H

#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/msglayer.h"

static inline bool mpit_advance(void) {
  return bglml_advance();
}

static inline void mpit_wait(const volatile uint32_t* flag) {
  bglml_wait(flag);
}

static inline void mpit_start_waiting(const char* what, uintptr_t first, uintptr_t second, uintptr_t third,
                                      uintptr_t fourth) {
  bglml_say_waiting(what, first, second, third, fourth);
}

static inline void mpit_stop_waiting(void) {
  bglml_say_done();
}

/// A short message is one packet, which begins with what the library has written.
typedef struct {
  uint8_t packet[BGLML_ONE_PACKET_MAX] __attribute__((aligned(BGLML_QUAD_BYTES)));
  bglml_one_packet_t message;
} mpit_bgl_short_t;

/// The ports of a channel in the message layer, one for each protocol.
typedef struct {
  bglml_port_t one_packet, eager, adaptive, rendezvous;
} mpit_bgl_ports_t;

extern mpit_bgl_ports_t mpit_bgl_ports[MPIT_CHANNELS];

static inline void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                                   void* context) {
  mpit_bgl_short_t* message = (mpit_bgl_short_t*)state;
  bglml_one_packet_init(&message->message, mpit_bgl_ports[channel].one_packet, peer, 0, message->packet, bytes, done,
                        context);
  bglml_one_packet_post(&message->message);
}

/// Over the global interrupts.
static inline bool mpit_barrier(const mpit_part_t* of) {
  (void)of;
  if (!bglml_barrier_is_wired()) return false;
  bglml_barrier();
  return true;
}

/// The network neither matches messages nor accesses the memory of other processes.
static inline bool mpit_matches(void) {
  return false;
}

static inline bool mpit_reaches(void) {
  return false;
}

#endif
