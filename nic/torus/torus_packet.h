// SPDX-License-Identifier: Apache-2.0
/// The layout of a torus packet in memory and in the FIFOs, with the part of its header that the hardware reads: plain
/// C11 and C++17, shared by device models and drivers.
///
/// A packet is 1 to 8 chunks of 32 bytes. Its first quad (16 bytes) is the header: 8 bytes that the hardware reads and
/// 8 bytes for others, such as software. Both are big-endian; here each is two 32-bit words, of which bit 0 is the
/// least significant (the comments give IBM's numbering, bit 0 = most significant, in square brackets). C bit-fields
/// are not used, because their order depends on the compiler.
///
/// Source: the torus packet interface of the machines' own drivers.
#ifndef TOROID_NIC_TORUS_TORUS_PACKET_H_
#define TOROID_NIC_TORUS_TORUS_PACKET_H_

#include <stdint.h>

#define TORUS_QUAD_BYTES 16
#define TORUS_CHUNK_BYTES 32
#define TORUS_CHUNK_QUADS 2
#define TORUS_MAX_CHUNKS 8
#define TORUS_MAX_QUADS 16
#define TORUS_PACKET_BYTES 256
#define TORUS_HEADER_BYTES 16
#define TORUS_PAYLOAD_BYTES 240

// Hardware header, word 0. ------------------------------------------------------------------------------------------

/// [0:6] CSum_Skip: 2-byte units excluded from the injection checksum, counted from the start of the packet.
#define TORUS_HEADER0_CSUM_SKIP_SHIFT 25
#define TORUS_HEADER0_CSUM_SKIP_WIDTH 7
#define TORUS_HEADER0_CSUM_SKIP_MASK 0xFE000000u
/// [7] Sk: the whole packet is excluded from the injection checksum.
#define TORUS_HEADER0_SK_SHIFT 24
#define TORUS_HEADER0_SK_WIDTH 1
#define TORUS_HEADER0_SK_MASK 0x01000000u
/// [8:13] Hint bits: the directions the packet may take. All 0: the hardware computes them.
#define TORUS_HEADER0_HINTS_SHIFT 18
#define TORUS_HEADER0_HINTS_WIDTH 6
#define TORUS_HEADER0_HINTS_MASK 0x00FC0000u
/// [14] Dp: the packet is copied into the reception FIFO of every node it passes on its line.
#define TORUS_HEADER0_DEPOSIT_SHIFT 17
#define TORUS_HEADER0_DEPOSIT_WIDTH 1
#define TORUS_HEADER0_DEPOSIT_MASK 0x00020000u
/// [15] Pid: FIFO group at the destination.
#define TORUS_HEADER0_PID_SHIFT 16
#define TORUS_HEADER0_PID_WIDTH 1
#define TORUS_HEADER0_PID_MASK 0x00010000u
/// [16:18] Packet size in chunks, minus 1.
#define TORUS_HEADER0_CHUNKS_SHIFT 13
#define TORUS_HEADER0_CHUNKS_WIDTH 3
#define TORUS_HEADER0_CHUNKS_MASK 0x0000E000u
/// [19:20] Free for software.
#define TORUS_HEADER0_SOFTWARE_SHIFT 11
#define TORUS_HEADER0_SOFTWARE_WIDTH 2
#define TORUS_HEADER0_SOFTWARE_MASK 0x00001800u
/// [21] Dynamic: 1 = adaptive routing, 0 = deterministic.
#define TORUS_HEADER0_DYNAMIC_SHIFT 10
#define TORUS_HEADER0_DYNAMIC_WIDTH 1
#define TORUS_HEADER0_DYNAMIC_MASK 0x00000400u
/// [22:23] Virtual channel; see TORUS_VC_.
#define TORUS_HEADER0_VC_SHIFT 8
#define TORUS_HEADER0_VC_WIDTH 2
#define TORUS_HEADER0_VC_MASK 0x00000300u
/// [24:31] Destination X.
#define TORUS_HEADER0_X_SHIFT 0
#define TORUS_HEADER0_X_WIDTH 8
#define TORUS_HEADER0_X_MASK 0x000000FFu

// Hardware header, word 1. ------------------------------------------------------------------------------------------

/// [0:7] Destination Y.
#define TORUS_HEADER1_Y_SHIFT 24
#define TORUS_HEADER1_Y_WIDTH 8
#define TORUS_HEADER1_Y_MASK 0xFF000000u
/// [8:15] Destination Z.
#define TORUS_HEADER1_Z_SHIFT 16
#define TORUS_HEADER1_Z_WIDTH 8
#define TORUS_HEADER1_Z_MASK 0x00FF0000u
/// [16:23] Link sequence number, filled in by the hardware.
#define TORUS_HEADER1_SEQUENCE_SHIFT 8
#define TORUS_HEADER1_SEQUENCE_WIDTH 8
#define TORUS_HEADER1_SEQUENCE_MASK 0x0000FF00u
/// [24:31] Header check, filled in by the hardware.
#define TORUS_HEADER1_CHECK_SHIFT 0
#define TORUS_HEADER1_CHECK_WIDTH 8
#define TORUS_HEADER1_CHECK_MASK 0x000000FFu

// Values. -----------------------------------------------------------------------------------------------------------

/// Hint bits, within the 6-bit field.
#define TORUS_HINT_X_PLUS 0x20u
#define TORUS_HINT_X_MINUS 0x10u
#define TORUS_HINT_Y_PLUS 0x08u
#define TORUS_HINT_Y_MINUS 0x04u
#define TORUS_HINT_Z_PLUS 0x02u
#define TORUS_HINT_Z_MINUS 0x01u
/// The hint bit of direction 0..5 = X+, X-, Y+, Y-, Z+, Z-.
#define TORUS_HINT(direction) (0x20u >> (direction))

#define TORUS_VC_DYNAMIC0 0u
#define TORUS_VC_DYNAMIC1 1u
#define TORUS_VC_BUBBLE 2u    ///< deterministic packets of normal priority, and the escape of the dynamic ones
#define TORUS_VC_PRIORITY 3u  ///< deterministic packets of high priority

/// CSum_Skip that excludes the hardware header, which changes on the route.
#define TORUS_CSUM_SKIP_HEADER 4u

// The layout of the header in memory: four big-endian words, one quad. Use torus_be32() to read and write them.
#ifdef __cplusplus
struct alignas(16) torus_header_t {
  uint32_t word[4];
};
#else
typedef struct {
  _Alignas(16) uint32_t word[4];
} torus_header_t;
#endif

/// The fields of the hardware header, decoded.
typedef struct torus_fields {
  uint8_t csum_skip;       ///< 2-byte units, 0..127
  uint8_t csum_off;        ///< Sk
  uint8_t hints;           ///< TORUS_HINT_
  uint8_t deposit;         ///< 0 or 1
  uint8_t pid;             ///< FIFO group at the destination, 0 or 1
  uint8_t chunks;          ///< 1..8
  uint8_t software;        ///< 0..3
  uint8_t dynamic;         ///< 0 or 1
  uint8_t vc;              ///< TORUS_VC_
  uint8_t destination[3];  ///< X, Y, Z
} torus_fields_t;

/// Converts a word between the native order and big-endian order. Does nothing on the big-endian cores.
static inline uint32_t torus_be32(uint32_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return word;
#else
  return __builtin_bswap32(word);
#endif
}

/// Word 0 of the hardware header. The upper bits of values that are too large for their field are lost.
static inline uint32_t torus_encode0(const torus_fields_t* fields) {
  return ((uint32_t)fields->csum_skip << TORUS_HEADER0_CSUM_SKIP_SHIFT & TORUS_HEADER0_CSUM_SKIP_MASK) |
         ((uint32_t)fields->csum_off << TORUS_HEADER0_SK_SHIFT & TORUS_HEADER0_SK_MASK) |
         ((uint32_t)fields->hints << TORUS_HEADER0_HINTS_SHIFT & TORUS_HEADER0_HINTS_MASK) |
         ((uint32_t)fields->deposit << TORUS_HEADER0_DEPOSIT_SHIFT & TORUS_HEADER0_DEPOSIT_MASK) |
         ((uint32_t)fields->pid << TORUS_HEADER0_PID_SHIFT & TORUS_HEADER0_PID_MASK) |
         ((uint32_t)(fields->chunks - 1u) << TORUS_HEADER0_CHUNKS_SHIFT & TORUS_HEADER0_CHUNKS_MASK) |
         ((uint32_t)fields->software << TORUS_HEADER0_SOFTWARE_SHIFT & TORUS_HEADER0_SOFTWARE_MASK) |
         ((uint32_t)fields->dynamic << TORUS_HEADER0_DYNAMIC_SHIFT & TORUS_HEADER0_DYNAMIC_MASK) |
         ((uint32_t)fields->vc << TORUS_HEADER0_VC_SHIFT & TORUS_HEADER0_VC_MASK) |
         ((uint32_t)fields->destination[0] << TORUS_HEADER0_X_SHIFT & TORUS_HEADER0_X_MASK);
}

/// Word 1 of the hardware header, with the two bytes that the hardware fills in set to zero.
static inline uint32_t torus_encode1(const torus_fields_t* fields) {
  return ((uint32_t)fields->destination[1] << TORUS_HEADER1_Y_SHIFT & TORUS_HEADER1_Y_MASK) |
         ((uint32_t)fields->destination[2] << TORUS_HEADER1_Z_SHIFT & TORUS_HEADER1_Z_MASK);
}

/// Packet size in chunks, 1..8, from word 0.
static inline unsigned torus_chunks0(uint32_t word0) {
  return (unsigned)((word0 & TORUS_HEADER0_CHUNKS_MASK) >> TORUS_HEADER0_CHUNKS_SHIFT) + 1u;
}

/// The fields of the hardware header words `word0` and `word1` (machine order). Every pair of words decodes.
static inline torus_fields_t torus_decode(uint32_t word0, uint32_t word1) {
  torus_fields_t fields;
  fields.csum_skip = (uint8_t)((word0 & TORUS_HEADER0_CSUM_SKIP_MASK) >> TORUS_HEADER0_CSUM_SKIP_SHIFT);
  fields.csum_off = (uint8_t)((word0 & TORUS_HEADER0_SK_MASK) >> TORUS_HEADER0_SK_SHIFT);
  fields.hints = (uint8_t)((word0 & TORUS_HEADER0_HINTS_MASK) >> TORUS_HEADER0_HINTS_SHIFT);
  fields.deposit = (uint8_t)((word0 & TORUS_HEADER0_DEPOSIT_MASK) >> TORUS_HEADER0_DEPOSIT_SHIFT);
  fields.pid = (uint8_t)((word0 & TORUS_HEADER0_PID_MASK) >> TORUS_HEADER0_PID_SHIFT);
  fields.chunks = (uint8_t)torus_chunks0(word0);
  fields.software = (uint8_t)((word0 & TORUS_HEADER0_SOFTWARE_MASK) >> TORUS_HEADER0_SOFTWARE_SHIFT);
  fields.dynamic = (uint8_t)((word0 & TORUS_HEADER0_DYNAMIC_MASK) >> TORUS_HEADER0_DYNAMIC_SHIFT);
  fields.vc = (uint8_t)((word0 & TORUS_HEADER0_VC_MASK) >> TORUS_HEADER0_VC_SHIFT);
  fields.destination[0] = (uint8_t)((word0 & TORUS_HEADER0_X_MASK) >> TORUS_HEADER0_X_SHIFT);
  fields.destination[1] = (uint8_t)((word1 & TORUS_HEADER1_Y_MASK) >> TORUS_HEADER1_Y_SHIFT);
  fields.destination[2] = (uint8_t)((word1 & TORUS_HEADER1_Z_MASK) >> TORUS_HEADER1_Z_SHIFT);
  return fields;
}

#endif  // TOROID_NIC_TORUS_TORUS_PACKET_H_
