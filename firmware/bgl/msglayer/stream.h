// SPDX-License-Identifier: Apache-2.0
/// Streams: the full packets in the middle of a long message. They differ only by their offset in the message, so the
/// advance loop itself sends and receives them, directly between FIFO and buffer, and calls the protocol only for other
/// packets. This determines how many links a core can keep busy.
///
/// In both directions, word 3 of the header grows by the payload size from packet to packet, and the first and the last
/// packet of a message are never part of a stream.
#ifndef TOROID_FIRMWARE_MSGLAYER_STREAM_H
#define TOROID_FIRMWARE_MSGLAYER_STREAM_H

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The next packets of a lane's first message.
typedef struct {
  torus_header_t header;  ///< of the next one
  const uint8_t* from;    ///< its payload, a multiple of 16
  uint32_t packets;       ///< number of packets left; 0: the protocol is called
} bglml_outflow_t;

/// Packets that a reception FIFO may deliver next: in any order, for any part of the message.
typedef struct bglml_inflow {
  uint32_t word2;        ///< of their headers; BGLML_NO_INFLOW: none
  uint32_t argument;     ///< word 3 of the first of them
  uint32_t quads;        ///< from there on, one past the last quad at which such a packet may begin
  uint8_t* to;           ///< destination of the first one's payload, a multiple of 16
  uint32_t* remaining;   ///< bytes of the message that have not arrived
  uint32_t end;          ///< word 3 for the byte after the message
  bool* disordered;      ///< set if one overtakes others; NULL: that is an error
  bglml_counted_t kind;  ///< counter to which they belong
  uint32_t taken;        ///< not counted yet
} bglml_inflow_t;

/// Matches no header, because there are fewer handlers.
#define BGLML_NO_INFLOW 0xFFFFFFFFu

/// Sends packets of the stream while there are packets and `room` chunks. Returns the room left.
static inline unsigned bglml_outflow_send(bglml_outflow_t* flow, unsigned group, unsigned fifo, unsigned room) {
  uint32_t packets = flow->packets;
  const uint8_t* from = flow->from;
  uint32_t argument = bgl_torus_software(&flow->header, 3);
  do {
    bgl_torus_inject_full(group, fifo, &flow->header, from);
    from += BGLML_ONE_PACKET_MAX;
    argument += BGLML_ONE_PACKET_MAX;
    bgl_torus_set_argument(&flow->header, argument);
    packets -= 1;
    room -= TORUS_MAX_CHUNKS;
  } while (packets != 0 && room >= TORUS_MAX_CHUNKS);
  flow->packets = packets;
  flow->from = from;
  return room;
}

/// Records a packet that has overtaken others.
void bglml_inflow_early(const bglml_inflow_t* flow);

/// Receives a packet with this header without calling the protocol: counts it and returns the destination of its
/// payload. Returns NULL if the protocol must receive the packet.
static inline uint8_t* bglml_inflow_take(bglml_inflow_t* flow, const torus_header_t* header) {
  if (bgl_torus_software(header, 2) != flow->word2) return NULL;
  const uint32_t argument = bgl_torus_software(header, 3);
  const uint32_t distance = argument - flow->argument;
  const uint32_t remaining = *flow->remaining;
  // In quads; an invalid or negative distance becomes a huge number.
  if ((distance >> 4 | distance << 28) >= flow->quads || remaining <= BGLML_ONE_PACKET_MAX ||
      bgl_torus_header_chunks(header) != TORUS_MAX_CHUNKS) {
    return NULL;
  }
  const int32_t ahead = (int32_t)(argument - (flow->end - remaining));  // of the first part that is still missing
  if (ahead != 0) {
    if (flow->disordered == NULL) return NULL;
    if (ahead > 0) bglml_inflow_early(flow);
  }
  *flow->remaining = remaining - BGLML_ONE_PACKET_MAX;
  flow->taken += 1;
  return flow->to + distance;
}

#ifdef __cplusplus
}
#endif

#endif
