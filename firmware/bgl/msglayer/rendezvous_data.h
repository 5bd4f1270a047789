// SPDX-License-Identifier: Apache-2.0
/// The destinations of the data packets of a rendezvous message. The functions do not use the instance: a core that
/// does not share its memory can receive packets with only a slot, which is one quad on the machine.
///
/// A data packet carries the slot's id in word 2 (in place of a rank) and the address of its first byte in word 3. The
/// address counts from what the acknowledgement gave as the address of byte 0: the receive buffer's own for contiguous
/// data, 0 for a layout. All packets are full except the last, and except the first if its address is not aligned to a
/// quad: it ends at a quad boundary of the receiver's memory, so that all others are aligned.
#ifndef TOROID_FIRMWARE_MSGLAYER_RENDEZVOUS_DATA_H
#define TOROID_FIRMWARE_MSGLAYER_RENDEZVOUS_DATA_H

#include "firmware/bgl/msglayer/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/// State of a message whose data is being received.
typedef struct {
  uint8_t* buffer;     ///< destination of byte 0; NULL: it has a layout
  uint32_t length;     ///< bytes
  uint32_t remaining;  ///< bytes that have not arrived yet
  uint32_t id;         ///< id that its packets carry
} bglml_data_slot_t;

/// Id of an unused slot; no packet carries it.
#define BGLML_NO_DATA 0xFFFFFFFFu

/// Bytes of a message that a packet carries.
typedef struct {
  uint32_t offset;
  uint32_t bytes;  ///< 0: there is no such byte
} bglml_data_place_t;

/// The contents of a packet for `address` that begins with byte `offset` of `length`; the same for sender and receiver.
static inline bglml_data_place_t bglml_data_place(uint32_t offset, uint32_t address, uint32_t length) {
  const uint32_t full = BGLML_ONE_PACKET_MAX - address % BGLML_QUAD_BYTES;
  const uint32_t left = offset < length ? length - offset : 0;
  return (bglml_data_place_t){offset, left < full ? left : full};
}

/// The position of a packet for `address` in the slot's message.
static inline bglml_data_place_t bglml_data_find(const bglml_data_slot_t* slot, uint32_t address) {
  return bglml_data_place(address - (uint32_t)(uintptr_t)slot->buffer, address, slot->length);
}

#ifdef __cplusplus
}
#endif

#endif
