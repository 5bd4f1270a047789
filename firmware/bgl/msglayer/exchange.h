// SPDX-License-Identifier: Apache-2.0
/// The exchange in progress at this rank: all-to-all, allgatherv. For the layer's own files only.
#ifndef TOROID_FIRMWARE_MSGLAYER_EXCHANGE_H
#define TOROID_FIRMWARE_MSGLAYER_EXCHANGE_H

#include "drivers/bgl/cache.h"
#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/connection.h"
#include "firmware/bgl/msglayer/pass.h"

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
  uint32_t bytes;           ///< of a block, in an all-to-all of equal ones
  const uint32_t* counts;   ///< of the blocks, otherwise
  const uint32_t* offsets;  ///< and their places in `receive`
  bglml_exchange_peer_t* peers;
  uint32_t sent, received;  ///< blocks, of an allgatherv
} bglml_exchange_t;

/// The packets of an all-to-all that wait for one injection FIFO: a message to many ranks, on a lane of its own.
typedef struct {
  bglml_message_t base;
  bglml_connection_t way;
  const uint32_t* ranks;  ///< in the order of sending
  uint32_t count;
  uint32_t at;
  uint32_t offset;    ///< within the blocks
  uint32_t due;       ///< cycle from which the next packet may be sent
  uint32_t interval;  ///< cycles from a packet of 8 chunks to the next; 0: no pacing
} bglml_packet_stream_t;

enum { BGLML_PACKET_STREAMS = 8 };  ///< send queues

enum { BGLML_EXCHANGE_PAYLOAD = BGLML_ONE_PACKET_MAX - BGLML_QUAD_BYTES };

/// The contents of the first quad of such a packet.
typedef struct {
  uint32_t sequence;
  uint32_t bytes;  ///< of a block
  uint32_t unused[2];
} bglml_exchange_lead_t;

/// One all-to-all by packets.
typedef struct {
  uint8_t handler;
  bool takes;         ///< full packets can be read directly from the FIFO to their destination
  bool whole_lines;   ///< these destinations are whole cache lines
  uint32_t taken;     ///< packets received in this way that are not counted yet
  uint32_t sequence;  ///< of such exchanges
  const uint8_t* send;
  uint8_t* receive;
  uint32_t bytes;      ///< of a block
  uint32_t remaining;  ///< bytes that have not arrived
  uint32_t open;       ///< streams that are not completely sent
  uint32_t next_due;   ///< cycle before which none of them needs attention
  bglml_quad_t lead;   ///< of every packet
  bglml_packet_stream_t streams[BGLML_PACKET_STREAMS];
} bglml_packet_exchange_t;

/// Receives a full packet with this header and first quad without calling the handler: counts it and returns the
/// destination of its payload. Returns NULL if the handler must receive the packet.
static inline uint8_t* bglml_exchange_take(bglml_packet_exchange_t* exchange, const torus_header_t* header,
                                           const bglml_exchange_lead_t* lead, uint32_t ranks) {
  const uint32_t word2 = bgl_torus_software(header, 2), source = word2 & BGLML_WORD2_ID_MAX;
  const uint32_t offset = bgl_torus_software(header, 3);
  if (word2 >> 24 != exchange->handler || lead->sequence != exchange->sequence || lead->bytes != exchange->bytes ||
      offset > exchange->bytes - BGLML_EXCHANGE_PAYLOAD || offset % BGL_CACHE_LINE_BYTES != 0 || source >= ranks ||
      bgl_torus_header_chunks(header) != TORUS_MAX_CHUNKS) {
    return NULL;
  }
  exchange->remaining -= BGLML_EXCHANGE_PAYLOAD;
  exchange->taken += 1;
  uint8_t* const to = exchange->receive + (size_t)source * exchange->bytes + offset;
  if (exchange->whole_lines) bgl_cache_establish(to, BGLML_EXCHANGE_PAYLOAD);
  return to;
}

void bglml_packet_exchange_init(bglml_packet_exchange_t* exchange);

/// Exchanges all blocks except the rank's own. `scheduled`: BGLML_ALLTOALL_SCHEDULED. `ranks` has room for two numbers
/// for each rank.
void bglml_packet_exchange(bglml_packet_exchange_t* exchange, const void* send, void* receive, uint32_t bytes,
                           bool scheduled, uint32_t* ranks);

#ifdef __cplusplus
}
#endif

#endif
