// SPDX-License-Identifier: Apache-2.0
/// Messages between the processes of collective operations. Unlike DCMF_Send's they meet receives by a key: a message
/// that nobody waits for yet is kept, if it is short, or stays with its sender until somebody does. So nothing that is
/// large is ever copied or buffered.
#ifndef TOROID_FIRMWARE_DCMF_EXCHANGE_H
#define TOROID_FIRMWARE_DCMF_EXCHANGE_H

#include "firmware/bgp/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which message of a rank it is: the geometry and the operation, and the step within it.
typedef struct {
  uint32_t geometry;
  uint32_t operation;
} dcmf_key_t;

typedef void (*dcmf_then_t)(void* owner);

/// A receive that waits for its message, or a message that waits for its receive.
typedef struct dcmf_waiting {
  struct dcmf_waiting* next;
  dcmf_key_t key;
  uint32_t rank;
  uint32_t bytes;
  char* buffer;
  dcmf_then_t then;
  void* owner;
  dcmf_reception_t* reception;  ///< of a message whose data is still with its sender
  char data[DCMF_SHORT_BYTES];  ///< of one that is here
} dcmf_waiting_t;

/// Registers what receives them; before any other registration.
void dcmf_exchange_initialize(void);

/// When the last user goes: ends the process if messages have come that no operation took.
void dcmf_exchange_finalize(void);

/// Sends; then(owner) is called when `data` may be changed, from advance() or at once.
void dcmf_exchange_send(uint32_t rank, dcmf_key_t key, const void* data, uint32_t bytes, dcmf_then_t then, void* owner);
/// Receives `bytes` of that key from `rank`; then(owner) is called when they are there, from advance() or at once.
void dcmf_exchange_receive(uint32_t rank, dcmf_key_t key, void* buffer, uint32_t bytes, dcmf_then_t then, void* owner);

#ifdef __cplusplus
}
#endif

#endif
