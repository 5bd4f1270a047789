// SPDX-License-Identifier: Apache-2.0
/// Streams: the full packets in the middle of a long message. They differ by their place in the message only, so the
/// advance loop sends and takes them itself, straight between FIFO and buffer, and asks the protocol again for whatever
/// is not such a packet. This is what decides how many links a core can keep busy.
///
/// Both ways word 3 of the header grows by the payload from packet to packet, and the first and the last packet of a
/// message are never part of a stream.
#ifndef TOROID_FIRMWARE_MSGLAYER_STREAM_H
#define TOROID_FIRMWARE_MSGLAYER_STREAM_H

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Packets of a lane's first message that are to be sent next.
typedef struct {
  bgl_torus_header_t header;  ///< of the next one
  const uint8_t* from;        ///< its payload, a multiple of 16
  uint32_t packets;           ///< that are left; 0: the protocol is asked
} bglml_outflow_t;

/// Packets that a reception FIFO may bring next: in any order, to any place of the message.
typedef struct bglml_inflow {
  uint32_t word2;        ///< of their headers; BGLML_NO_INFLOW: none
  uint32_t argument;     ///< word 3 of the first of them
  uint32_t quads;        ///< from there on, one past the last place where such a packet may begin
  uint8_t* to;           ///< where the first one's payload goes, a multiple of 16
  uint32_t* remaining;   ///< bytes of the message that have not come
  uint32_t end;          ///< word 3 of the byte behind the message
  bool* disordered;      ///< set where one overtakes others; NULL: that is an error
  bglml_counted_t kind;  ///< what they count as
  uint32_t taken;        ///< not counted yet
} bglml_inflow_t;

/// No header's: there are fewer handlers.
#define BGLML_NO_INFLOW 0xFFFFFFFFu

/// Send packets of the stream while they and `room` chunks last. Returns the room left.
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
    room -= BGL_TORUS_MAX_CHUNKS;
  } while (packets != 0 && room >= BGL_TORUS_MAX_CHUNKS);
  flow->packets = packets;
  flow->from = from;
  return room;
}

/// Note a packet that has overtaken others.
void bglml_inflow_early(const bglml_inflow_t* flow);

/// Take a packet with this header out of the protocol's hands: count it in and say where its payload goes. NULL where
/// it is the protocol's after all.
static inline uint8_t* bglml_inflow_take(bglml_inflow_t* flow, const bgl_torus_header_t* header) {
  if (bgl_torus_software(header, 2) != flow->word2) return NULL;
  const uint32_t argument = bgl_torus_software(header, 3);
  const uint32_t distance = argument - flow->argument;
  const uint32_t remaining = *flow->remaining;
  // In quads; a distance that is none, or negative, comes out huge.
  if ((distance >> 4 | distance << 28) >= flow->quads || remaining <= BGLML_ONE_PACKET_MAX ||
      bgl_torus_header_chunks(header) != BGL_TORUS_MAX_CHUNKS) {
    return NULL;
  }
  const int32_t ahead = (int32_t)(argument - (flow->end - remaining));  // of the first place that is still empty
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
