// SPDX-License-Identifier: Apache-2.0
/// Virtual FIFOs: how the two processes of a node send each other packets in virtual node mode. They lie in the
/// scratchpad, one towards each process; the one process writes packets into it as into an injection FIFO, the other
/// reads them as from a reception FIFO. Packets are those of the torus: 1 to 8 chunks with the same header.
///
/// The chunks that a FIFO holds stand in the scratchpad's status quad, as those of the torus FIFOs stand in theirs.
/// Both processes change the count, under the FIFO's lock; where the next packet begins each keeps for itself.
#ifndef TOROID_FIRMWARE_MSGLAYER_VIRTUAL_FIFO_H
#define TOROID_FIRMWARE_MSGLAYER_VIRTUAL_FIFO_H

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/bgl/msglayer/scratchpad.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Chunks that a FIFO may hold. A packet begins before the end of these and lies in one piece, so the last one may
  /// reach up to seven chunks further.
  BGLML_VIRTUAL_CHUNKS = BGLML_PAD_VIRTUAL_FIFO_BYTES / TORUS_CHUNK_BYTES - (TORUS_MAX_CHUNKS - 1),
};

/// Chunks that a reader keeps from its writer before it gives them back, all at once: the lock is not taken for each
/// short message.
enum { BGLML_VIRTUAL_KEPT = BGLML_VIRTUAL_CHUNKS / 4 };

/// One process's view of the pair.
typedef struct {
  bool present;     ///< the node's other process takes part
  uint8_t in, out;  ///< the FIFO read from (this process's t) and the one written to
  uint32_t head;    ///< chunk at which the next packet to be read begins
  uint32_t kept;    ///< chunks that have been read, but not been taken from the count
  uint32_t tail;    ///< chunk at which the next packet is written
} bglml_virtual_fifos_t;

void bglml_virtual_init(bglml_virtual_fifos_t* fifos, unsigned t);

/// The status quad, for the functions below.
static inline void bglml_virtual_read_status(bgl_scratchpad_quad_t* status) {
  bgl_scratchpad_read_quad(BGLML_PAD_STATUS, status);
}
static inline unsigned bglml_virtual_received(const bglml_virtual_fifos_t* fifos, const bgl_scratchpad_quad_t* status) {
  return status->word[fifos->in] - fifos->kept;
}
static inline unsigned bglml_virtual_room(const bglml_virtual_fifos_t* fifos, const bgl_scratchpad_quad_t* status) {
  return BGLML_VIRTUAL_CHUNKS - status->word[fifos->out];
}

/// Write a packet: its header, which says its size, the leading quads of `head`, `bytes` of payload, zeros. Room must
/// have been seen.
void bglml_virtual_inject(bglml_virtual_fifos_t* fifos, const torus_header_t* header, const bglml_head_t* head,
                          const void* payload, uint32_t bytes);

/// Hand the `chunks` chunks of whole packets that have been seen to their handlers, and free their room, sooner or
/// later.
void bglml_virtual_drain(bglml_virtual_fifos_t* fifos, unsigned chunks);

#ifdef __cplusplus
}
#endif

#endif
