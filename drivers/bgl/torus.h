// SPDX-License-Identifier: Apache-2.0
/// Packet layer of the Blue Gene/L torus: thin and stateless. It reads the FIFO status, writes packets to injection
/// FIFOs and reads packets from reception FIFOs, in quads of 16 bytes. All state (queues, connections, the assignment
/// of packets to FIFOs) belongs to the layer above.
///
///   group      FIFO group 0 or 1. Either core may use either; the usual split is one each.
///   fifo       injection FIFO BGL_TORUS_I0..IH, reception FIFO BGL_TORUS_R0..RH.
///   chunks     packet size in chunks of 32 bytes, 1..8. quads: in quads of 16 bytes; a chunk is two quads.
///
/// Misuse. The functions do not check their arguments, because a check would cost as much as the access. If the
/// hardware detects an error, the access ends the program with a report: a write to a full injection FIFO, a read from
/// an empty reception FIFO, a malformed header. Errors that it cannot detect are described at each function.
///
/// Sources: register addresses and status layout bl_torus.h; header and the rule of 24 chunks BGL_TorusPktSPI.h; the
/// costs that the design considers (reads: long latency, four in flight; partial packets; realignment within the read)
/// sections 3 and 5.3 of the message-layer paper.
#ifndef TOROID_DRIVERS_BGL_TORUS_H_
#define TOROID_DRIVERS_BGL_TORUS_H_

#include <stdint.h>

#include "drivers/bgl/access.h"
#include "drivers/bgl/names.h"
#include "nic/bgl/torus_packet.h"
#include "nic/bgl/torus_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

// FIFOs. ------------------------------------------------------------------------------------------------------------

enum {
  BGL_TORUS_I0 = 0,
  BGL_TORUS_I1 = 1,
  BGL_TORUS_I2 = 2,
  BGL_TORUS_IH = 3,  ///< high priority
  BGL_TORUS_INJECTION_FIFOS = 4
};

enum {
  BGL_TORUS_R0 = 0,  ///< packets from the X+ neighbour
  BGL_TORUS_R1 = 1,  ///< X-
  BGL_TORUS_R2 = 2,  ///< Y+
  BGL_TORUS_R3 = 3,  ///< Y-
  BGL_TORUS_R4 = 4,  ///< Z+
  BGL_TORUS_R5 = 5,  ///< Z-
  BGL_TORUS_RH = 6,  ///< high priority, from any link
  BGL_TORUS_RECEPTION_FIFOS = 7
};

/// Depth of each FIFO. Software fills BGL_TORUS_USABLE_CHUNKS of an injection FIFO (nic/bgl/torus_packet.h).
#define BGL_TORUS_FIFO_CHUNKS 32u

/// Window of an injection FIFO.
static inline uintptr_t bgl_torus_injection_window(unsigned group, unsigned fifo) {
  return BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE + BGL_TORUS_INJECTION_OFFSET +
         fifo * BGL_TORUS_INJECTION_STRIDE;
}

/// Window of a reception FIFO.
static inline uintptr_t bgl_torus_reception_window(unsigned group, unsigned fifo) {
  return BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE +
         (fifo == BGL_TORUS_RH ? BGL_TORUS_RECEPTION_HIGH_OFFSET
                               : BGL_TORUS_RECEPTION_OFFSET + fifo * BGL_TORUS_RECEPTION_STRIDE);
}

// Status. -----------------------------------------------------------------------------------------------------------

// The status quad of a group: one byte for each FIFO with the number of occupied chunks; byte numbers
// BGL_TORUS_STATUS_..._BYTE.
#ifdef __cplusplus
struct alignas(16) bgl_torus_status_t {
  uint8_t chunks[16];
};
#else
typedef struct {
  _Alignas(16) uint8_t chunks[16];
} bgl_torus_status_t;
#endif

/// Reads the status of `group`, after a barrier: it includes everything that this core has written before.
static inline void bgl_torus_read_status(unsigned group, bgl_torus_status_t* status) {
  bgl_access_barrier();
  bgl_quad_store(status->chunks,
                 bgl_access_read(BGL_TORUS_BASE + group * BGL_TORUS_GROUP_STRIDE + BGL_TORUS_STATUS_OFFSET));
}

/// Occupied chunks of an injection FIFO; a packet counts until its last byte has left on the link.
static inline unsigned bgl_torus_injection_chunks(const bgl_torus_status_t* status, unsigned fifo) {
  return status->chunks[BGL_TORUS_STATUS_I0_BYTE + fifo];
}

/// Chunks that can be read from a reception FIFO: whole packets only, minus the chunks already read.
static inline unsigned bgl_torus_reception_chunks(const bgl_torus_status_t* status, unsigned fifo) {
  return status->chunks[BGL_TORUS_STATUS_R0_BYTE + fifo];
}

/// Whether a packet of `chunks` may be written to an injection FIFO. `status` does not include packets that were
/// written after it was read: pass the sum of their chunks and those of the new packet.
static inline int bgl_torus_can_inject(const bgl_torus_status_t* status, unsigned fifo, unsigned chunks) {
  return bgl_torus_injection_chunks(status, fifo) + chunks <= BGL_TORUS_USABLE_CHUNKS;
}

// Injection. --------------------------------------------------------------------------------------------------------
// The caller must have checked for room (bgl_torus_can_inject). `total_quads` must be twice the chunks in the header:
// for the hardware, a packet ends where its header says, so a packet that is too short absorbs the head of the next
// one.

/// Writes the packet of `chunks` chunks at `packet`, an address that is a multiple of 16, header first.
void bgl_torus_inject(unsigned group, unsigned fifo, const void* packet, unsigned chunks);

/// Writes a packet directly from a send buffer: `header`, then `payload_quads` quads from `payload` (a multiple of 16),
/// then zeroes up to `total_quads`. payload_quads is 0..15 and less than total_quads.
void bgl_torus_inject_gather(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload,
                             unsigned payload_quads, unsigned total_quads);

/// The same for a packet of 8 chunks, all of it payload: 240 bytes from `payload`.
void bgl_torus_inject_full(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload);

/// The same from a buffer at any address and of any length: `payload_bytes` (0..240) from `payload`, zeroes up to
/// `total_quads`. No byte beyond the buffer gets into the packet.
void bgl_torus_inject_bytes(unsigned group, unsigned fifo, const torus_header_t* header, const void* payload,
                            unsigned payload_bytes, unsigned total_quads);

// A packet in pieces: write its header (one quad, with bgl_torus_write), then the number of quads that the header says.

/// Writes `count` (0..16) quads from an address that is a multiple of 16.
void bgl_torus_write(unsigned group, unsigned fifo, const void* quads, unsigned count);

/// Writes `count` (0..240) bytes from any address, and zeroes up to `total_quads` quads.
void bgl_torus_write_bytes(unsigned group, unsigned fifo, const void* bytes, unsigned count, unsigned total_quads);

// Reception. --------------------------------------------------------------------------------------------------------
// A packet is read in two steps: first the header, which tells where the rest belongs, then the rest, directly to that
// place. The caller must have seen chunks in the FIFO (bgl_torus_reception_chunks). The rest must be read or discarded
// before the header of the next packet.

/// Reads the header of the packet at the head of a reception FIFO; its payload stays in the FIFO.
static inline void bgl_torus_peek(unsigned group, unsigned fifo, torus_header_t* header) {
  bgl_quad_store(header, bgl_access_read(bgl_torus_reception_window(group, fifo)));
}

/// Size in chunks, 1..8, of the packet whose header was read.
static inline unsigned bgl_torus_header_chunks(const torus_header_t* header) {
  return torus_chunks0(torus_be32(header->word[0]));
}

/// Quads that follow the header of that packet: 1, 3, ... 15.
static inline unsigned bgl_torus_rest_quads(const torus_header_t* header) {
  return TORUS_CHUNK_QUADS * bgl_torus_header_chunks(header) - 1u;
}

/// Reads `quads` (0..16) quads to `destination`, a multiple of 16.
void bgl_torus_read_rest(unsigned group, unsigned fifo, void* destination, unsigned quads);

/// Reads `quads` (0..16) quads and stores their first `bytes` bytes (0..16 quads) at `destination`, any address.
/// Realigns while it reads. Writes no byte outside the destination.
void bgl_torus_read_rest_unaligned(unsigned group, unsigned fifo, void* destination, unsigned bytes, unsigned quads);

/// Reads `quads` (0..16) quads and discards them.
void bgl_torus_discard(unsigned group, unsigned fifo, unsigned quads);

// Headers. ----------------------------------------------------------------------------------------------------------
// Each function sets the hardware header and does not change the software words. All exclude the hardware header from
// the injection checksum.

/// The shape of the machine, for computing hints.
typedef struct bgl_torus_shape {
  uint8_t size[3];   ///< nodes in X, Y, Z, at least 1
  uint8_t torus[3];  ///< 1: the dimension is a ring, 0: a line
} bgl_torus_shape_t;

/// Hints of the shortest route between two nodes: at most one for each dimension; plus if both directions are equally
/// long. 0 if the nodes are the same; a packet to the node itself still needs a hint, any one of them (for example
/// TORUS_HINT_X_PLUS).
unsigned bgl_torus_minimal_hints(const bgl_torus_shape_t* shape, const uint8_t from[3], const uint8_t to[3]);

/// Adaptively routed, normal priority; packets may overtake each other. If hints is 0 the hardware selects the shortest
/// route.
void bgl_torus_dynamic_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                              unsigned chunks);

/// Routed X, then Y, then Z; packets of one source, destination and injection FIFO stay in order.
void bgl_torus_deterministic_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                                    unsigned chunks);

/// High priority, deterministic; injected through IH, received in RH.
void bgl_torus_priority_header(torus_header_t* header, const uint8_t destination[3], unsigned hints, unsigned pid,
                               unsigned chunks);

/// Deterministic, and copied to every node on the route. `destination` lies on the line through this node in the
/// direction of the one hint.
void bgl_torus_deposit_header(torus_header_t* header, const uint8_t destination[3], unsigned hint, unsigned pid,
                              unsigned chunks);

/// Changes the size in an existing header.
static inline void bgl_torus_set_chunks(torus_header_t* header, unsigned chunks) {
  const uint32_t word = torus_be32(header->word[0]) & ~TORUS_HEADER0_CHUNKS_MASK;
  header->word[0] = torus_be32(word | (uint32_t)(chunks - 1u) << TORUS_HEADER0_CHUNKS_SHIFT);
}

/// Changes the reception group in an existing header.
static inline void bgl_torus_set_group(torus_header_t* header, unsigned group) {
  const uint32_t word = torus_be32(header->word[0]) & ~TORUS_HEADER0_PID_MASK;
  header->word[0] = torus_be32(word | (uint32_t)group << TORUS_HEADER0_PID_SHIFT);
}

/// Sets or reads the two software words.
static inline void bgl_torus_set_software(torus_header_t* header, uint32_t word2, uint32_t word3) {
  header->word[2] = torus_be32(word2);
  header->word[3] = torus_be32(word3);
}
static inline void bgl_torus_set_argument(torus_header_t* header, uint32_t word3) {
  header->word[3] = torus_be32(word3);
}
static inline uint32_t bgl_torus_software(const torus_header_t* header, unsigned word) {
  return torus_be32(header->word[word]);
}

#ifdef __cplusplus
}
#endif

#endif  // TOROID_DRIVERS_BGL_TORUS_H_
