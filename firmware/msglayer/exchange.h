// SPDX-License-Identifier: Apache-2.0
/// The exchange that is under way at this rank: all-to-all, allgatherv. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_EXCHANGE_H
#define TOROID_FIRMWARE_MSGLAYER_EXCHANGE_H

#include "firmware/msglayer/connection.h"
#include "firmware/msglayer/pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A peer's part, in the workspace.
typedef struct {
  bglml_pass_send_t send;
  bglml_pass_receive_t receive;
  uint32_t sent, received;  ///< 1: done
} bglml_exchange_peer_t;

/// One exchange by messages.
typedef struct {
  uint8_t* receive;
  uint32_t bytes;           ///< of a block, in an all-to-all
  const uint32_t* counts;   ///< of the blocks, in an allgatherv
  const uint32_t* offsets;  ///< and their places in `receive`
  bglml_exchange_peer_t* peers;
  uint32_t sent, received;  ///< messages
} bglml_exchange_t;

/// The packets of an all-to-all that wait for one injection FIFO: a message to many ranks, on a lane of its own.
typedef struct {
  bglml_message_t base;
  bglml_connection_t way;
  const uint32_t* ranks;  ///< in the order of their turns
  uint32_t count;
  uint32_t at;
  uint32_t offset;    ///< in the blocks
  uint32_t due;       ///< cycle from which the next packet may go
  uint32_t interval;  ///< cycles from a packet of 8 chunks to the next; 0: as they can
} bglml_packet_stream_t;

enum { BGLML_PACKET_STREAMS = 8 };  // send queues

/// One all-to-all by packets.
typedef struct {
  uint8_t handler;
  uint32_t sequence;  ///< of such exchanges
  const uint8_t* send;
  uint8_t* receive;
  uint32_t bytes;      ///< of a block
  uint32_t remaining;  ///< bytes that have not come
  uint32_t open;       ///< streams that are not all sent
  bglml_quad_t lead;   ///< of every packet
  bglml_packet_stream_t streams[BGLML_PACKET_STREAMS];
} bglml_packet_exchange_t;

void bglml_packet_exchange_init(bglml_packet_exchange_t* exchange);

/// All blocks but the own one. `scheduled`: BGLML_ALLTOALL_SCHEDULED. `ranks` has room for a number a rank.
void bglml_packet_exchange(bglml_packet_exchange_t* exchange, const void* send, void* receive, uint32_t bytes,
                           bool scheduled, uint32_t* ranks);

#ifdef __cplusplus
}
#endif

#endif
