// SPDX-License-Identifier: Apache-2.0
/// Where the data packets of a rendezvous message belong. Nothing here touches the instance: a core that shares no
/// memory with it may take packets by a slot alone, which is one quad on the machine.
///
/// A data packet carries the slot's id in word 2 (in place of a rank) and the address of its first byte in word 3. The
/// address counts from what the acknowledgement gave as the address of byte 0: the receive buffer's own for contiguous
/// data, 0 for a layout. Every packet is full but the last, and but the first where that begins at an odd address: it
/// ends with a quad of the receiver's memory, so that all others land aligned.
#ifndef TOROID_FIRMWARE_MSGLAYER_RENDEZVOUS_DATA_H
#define TOROID_FIRMWARE_MSGLAYER_RENDEZVOUS_DATA_H

#include "firmware/bgl/msglayer/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The administration of a message whose data comes in.
typedef struct {
  uint8_t* buffer;     ///< where byte 0 goes; NULL: it has a layout
  uint32_t length;     ///< bytes
  uint32_t remaining;  ///< bytes that have not come yet
  uint32_t id;         ///< what its packets carry
} bglml_data_slot_t;

/// A slot that no packet names.
#define BGLML_NO_DATA 0xFFFFFFFFu

/// Bytes of a message that a packet carries.
typedef struct {
  uint32_t offset;
  uint32_t bytes;  ///< 0: there is no such byte
} bglml_data_place_t;

/// What a packet for `address` carries that begins with byte `offset` of `length`; the same for sender and receiver.
static inline bglml_data_place_t bglml_data_place(uint32_t offset, uint32_t address, uint32_t length) {
  const uint32_t full = BGLML_ONE_PACKET_MAX - address % BGLML_QUAD_BYTES;
  const uint32_t left = offset < length ? length - offset : 0;
  return (bglml_data_place_t){offset, left < full ? left : full};
}

/// The place of a packet for `address` in the slot's message.
static inline bglml_data_place_t bglml_data_find(const bglml_data_slot_t* slot, uint32_t address) {
  return bglml_data_place(address - (uint32_t)(uintptr_t)slot->buffer, address, slot->length);
}

#ifdef __cplusplus
}
#endif

#endif
