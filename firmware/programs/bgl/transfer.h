// SPDX-License-Identifier: Apache-2.0
/// Messages of any length with a selectable protocol, for measurements of several protocols. A thin cover over
/// msglayer.h, whose rules of ownership, completion and order hold here too.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGL_TRANSFER_H
#define TOROID_FIRMWARE_PROGRAMS_BGL_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/bgl/msglayer/msglayer.h"

/// Names of the protocols, for messages to people.
#define TRANSFER_PROTOCOLS "eager, adaptive-eager or rendezvous"

typedef union {
  bglml_eager_t eager;
  bglml_adaptive_t adaptive;
  bglml_rendezvous_t rendezvous;
} transfer_send_t;

typedef union {
  bglml_eager_receive_t eager;
  bglml_adaptive_receive_t adaptive;
  bglml_rendezvous_receive_t rendezvous;
} transfer_receive_t;

/// The destination of an arrived message: its state, its buffer, and the callback for its completion.
typedef struct {
  transfer_receive_t* receive;
  void* buffer;
  uint32_t capacity;  ///< bytes at `buffer` that belong to the reception
  bglml_done_t recvdone;
  void* context;
} transfer_place_t;

/// Called when a message has arrived, with the sender's `tag` and `length`.
typedef transfer_place_t (*transfer_arrival_t)(uint32_t source, uint32_t tag, uint32_t length);

/// Selects the protocol, once in each process and the same in all. Returns false if there is none of that name.
bool transfer_open(const char* protocol, transfer_arrival_t arrival);

/// Send `length` bytes at `buffer`. `senddone` may be NULL.
void transfer_post(transfer_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t length,
                   bglml_done_t senddone, void* context);

#endif
