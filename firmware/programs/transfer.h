// SPDX-License-Identifier: Apache-2.0
/// Messages of any length by the protocol that a program's user names: what measurements over several protocols share.
/// A thin cover over msglayer.h, whose rules of ownership, completion and order hold here too.
#ifndef TOROID_FIRMWARE_PROGRAMS_TRANSFER_H
#define TOROID_FIRMWARE_PROGRAMS_TRANSFER_H

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

/// Where a message that has come shall go: its state, its buffer, and whom to tell when it is complete.
typedef struct {
  transfer_receive_t* receive;
  void* buffer;
  uint32_t capacity;  ///< bytes at `buffer` that belong to the reception
  bglml_done_t recvdone;
  void* context;
} transfer_place_t;

/// A message has come: `tag` and `length` are its sender's.
typedef transfer_place_t (*transfer_arrival_t)(uint32_t source, uint32_t tag, uint32_t length);

/// Choose the protocol, once a process and the same in all of them. Returns false where there is none of that name.
bool transfer_open(const char* protocol, transfer_arrival_t arrival);

/// Send `length` bytes at `buffer`. `senddone` may be NULL.
void transfer_post(transfer_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t length,
                   bglml_done_t senddone, void* context);

#endif
