// SPDX-License-Identifier: Apache-2.0
/// The layout of Blue Gene/Q's packets and of the descriptors of its Messaging Unit: plain C11 and C++17, shared by
/// device models and drivers.
///
/// A packet is a header of 32 bytes and 0 to 16 chunks of 32 bytes payload. The header has 12 bytes for the network and
/// 20 for the Messaging Unit. A descriptor is 64 bytes: what to send, and a template of the header. Everything is
/// big-endian.
///
/// Source: the machine's own driver headers (MU_Descriptor.h, MU_PacketCommon.h, MU_Pt2PtNetworkHeader.h,
/// MU_CollectiveNetworkHeader.h, MU_MessageUnitHeader.h, MU_Addressing.h).
#ifndef TOROID_NIC_BGQ_MU_PACKET_H_
#define TOROID_NIC_BGQ_MU_PACKET_H_

#include <stdint.h>
#include <string.h>

#define BGQ_CHUNK_BYTES 32
#define BGQ_HEADER_BYTES 32
#define BGQ_NETWORK_HEADER_BYTES 12
#define BGQ_PAYLOAD_CHUNKS 16
#define BGQ_PAYLOAD_BYTES 512
#define BGQ_PACKET_BYTES 544
#define BGQ_DIMENSIONS 5

// Words in memory. -------------------------------------------------------------------------------------------------

static inline uint64_t bgq_get(const uint8_t* bytes, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}
static inline void bgq_put(uint8_t* bytes, unsigned count, uint64_t value) {
  for (unsigned i = count; i-- > 0; value >>= 8) bytes[i] = (uint8_t)value;
}

// Network header, bytes 0 to 11. -----------------------------------------------------------------------------------

/// Byte 0: type of the packet.
#define BGQ_TYPE_POINT_TO_POINT 0x55u
#define BGQ_TYPE_COLLECTIVE 0x5Au

/// Hints, bytes 1 and 2, in ten bits: A- is the most significant, E+ the least.
#define BGQ_HINT_MINUS(dimension) (0x200u >> (2 * (dimension)))
#define BGQ_HINT_PLUS(dimension) (0x100u >> (2 * (dimension)))

/// Byte 3, bits 7 to 5: virtual channels.
#define BGQ_VC_DYNAMIC 0u
#define BGQ_VC_DETERMINISTIC 1u
#define BGQ_VC_HIGH_PRIORITY 2u
#define BGQ_VC_SYSTEM 3u
#define BGQ_VC_USER_COMMWORLD 4u
#define BGQ_VC_USER_SUBCOMM 5u
#define BGQ_VC_SYSTEM_COLLECTIVE 6u

/// Byte 8, bits 7 and 6: what the Messaging Unit does with the packet. Type 3 exists in the driver's headers as a paced
/// get; the unit reports it as an error.
#define BGQ_MU_MEMORY_FIFO 0u
#define BGQ_MU_PUT 1u
#define BGQ_MU_GET 2u
#define BGQ_MU_PACED_GET 3u

/// Collective operations.
#define BGQ_COLLECTIVE_AND 0x0u
#define BGQ_COLLECTIVE_OR 0x1u
#define BGQ_COLLECTIVE_XOR 0x2u
#define BGQ_COLLECTIVE_UNSIGNED_ADD 0x4u
#define BGQ_COLLECTIVE_UNSIGNED_MIN 0x5u
#define BGQ_COLLECTIVE_UNSIGNED_MAX 0x6u
#define BGQ_COLLECTIVE_SIGNED_ADD 0x8u
#define BGQ_COLLECTIVE_SIGNED_MIN 0x9u
#define BGQ_COLLECTIVE_SIGNED_MAX 0xAu
#define BGQ_COLLECTIVE_FLOAT_ADD 0xCu
#define BGQ_COLLECTIVE_FLOAT_MIN 0xDu
#define BGQ_COLLECTIVE_FLOAT_MAX 0xEu
/// Collective types, in two bits.
#define BGQ_COLLECTIVE_BROADCAST 0u
#define BGQ_COLLECTIVE_ALLREDUCE 2u
#define BGQ_COLLECTIVE_REDUCE 3u

/// The fields of a network header. Those of the other type of packet are 0.
typedef struct bgq_network {
  uint8_t type;  ///< BGQ_TYPE_
  // Point to point.
  uint16_t hints;          ///< ten bits
  uint8_t to_io;           ///< goes on to the I/O node of its destination
  uint8_t from_io;         ///< 0 to 3: port of an I/O node
  uint8_t dynamic;         ///< 0 or 1
  uint8_t deposit;         ///< 0 or 1
  uint8_t zone;            ///< 0 to 3
  uint8_t stay_on_bubble;  ///< 0 or 1
  // Collective.
  uint8_t operation;      ///< BGQ_COLLECTIVE_AND and so on
  uint8_t word_exponent;  ///< operands have 4 << this bytes
  uint8_t class_route;    ///< 0 to 15
  uint8_t collective;     ///< BGQ_COLLECTIVE_BROADCAST and so on
  // Both.
  uint8_t interrupt;                    ///< of the packet
  uint8_t vc;                           ///< BGQ_VC_
  uint8_t destination[BGQ_DIMENSIONS];  ///< A to E, 6 bits each
  uint8_t mu_type;                      ///< BGQ_MU_MEMORY_FIFO and so on
  uint8_t chunks;                       ///< of the payload, 5 bits
  uint16_t checksum;                    ///< of the hardware
  uint8_t skip;                         ///< words of 4 bytes that the injection checksum leaves out
} bgq_network_t;

/// Fields of the 12 bytes at `header`. Every header decodes.
static inline bgq_network_t bgq_network_decode(const uint8_t* header) {
  bgq_network_t n;
  memset(&n, 0, sizeof n);
  n.type = header[0];
  if (n.type == BGQ_TYPE_COLLECTIVE) {
    n.operation = header[1] >> 4;
    n.word_exponent = header[1] & 0x0Fu;
    n.class_route = header[2] >> 4;
    n.collective = header[3] >> 3 & 3u;
  } else {
    n.hints = (uint16_t)(header[1] << 2 | header[2] >> 6);
    n.to_io = header[2] >> 5 & 1u;
    n.from_io = header[2] >> 3 & 3u;
    n.dynamic = header[2] >> 2 & 1u;
    n.deposit = header[2] >> 1 & 1u;
    n.zone = header[3] >> 3 & 3u;
    n.stay_on_bubble = header[3] >> 2 & 1u;
  }
  n.interrupt = header[2] & 1u;
  n.vc = header[3] >> 5;
  const uint32_t destination = (uint32_t)bgq_get(header + 4, 4);
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) n.destination[d] = destination >> (24 - 6 * d) & 0x3Fu;
  n.mu_type = header[8] >> 6;
  n.chunks = header[8] & 0x1Fu;
  n.checksum = (uint16_t)bgq_get(header + 9, 2);
  n.skip = header[11];
  return n;
}

/// Writes the 12 bytes at `header`. The upper bits of values that are too large for their fields are lost.
static inline void bgq_network_encode(const bgq_network_t* n, uint8_t* header) {
  header[0] = n->type;
  if (n->type == BGQ_TYPE_COLLECTIVE) {
    header[1] = (uint8_t)(n->operation << 4 | (n->word_exponent & 0x0Fu));
    header[2] = (uint8_t)(n->class_route << 4 | (n->interrupt & 1u));
    header[3] = (uint8_t)(n->vc << 5 | (n->collective & 3u) << 3);
  } else {
    header[1] = (uint8_t)(n->hints >> 2);
    header[2] = (uint8_t)((n->hints & 3u) << 6 | (n->to_io & 1u) << 5 | (n->from_io & 3u) << 3 |
                          (n->dynamic & 1u) << 2 | (n->deposit & 1u) << 1 | (n->interrupt & 1u));
    header[3] = (uint8_t)(n->vc << 5 | (n->zone & 3u) << 3 | (n->stay_on_bubble & 1u) << 2);
  }
  uint32_t destination = 0;
  for (unsigned d = 0; d < BGQ_DIMENSIONS; ++d) destination = destination << 6 | (n->destination[d] & 0x3Fu);
  bgq_put(header + 4, 4, destination);
  header[8] = (uint8_t)(n->mu_type << 6 | (n->chunks & 0x1Fu));
  bgq_put(header + 9, 2, n->checksum);
  header[11] = n->skip;
}

// Header of the Messaging Unit, bytes 12 to 31. --------------------------------------------------------------------

#define BGQ_PUT_OFFSET_MASK 0x1FFFFFFFFFull  ///< 37 bits

/// Memory FIFO: the reception FIFO, subgroup x 4 + FIFO. Bit 5 of byte 13 and bytes 18 to 31 are software's.
static inline unsigned bgq_reception_fifo(const uint8_t* header) {
  return (unsigned)bgq_get(header + 12, 2) >> 6 & 0x1FFu;
}
/// Direct put: the base address of the payload, subgroup x 8 + slot. Remote get: the injection FIFO, subgroup x 8 +
/// FIFO.
static inline unsigned bgq_payload_base(const uint8_t* header) {
  return (unsigned)bgq_get(header + 12, 2) >> 6;
}
/// Direct put: the pacing bit, software's own.
static inline unsigned bgq_pacing(const uint8_t* header) {
  return header[13] >> 5 & 1u;
}
/// Memory FIFO and direct put: 37 bits.
static inline uint64_t bgq_put_offset(const uint8_t* header) {
  return bgq_get(header + 13, 5) & BGQ_PUT_OFFSET_MASK;
}
/// Direct put: the base address of the counter.
static inline unsigned bgq_counter_base(const uint8_t* header) {
  return (unsigned)bgq_get(header + 18, 2) & 0x3FFu;
}
/// Direct put: bytes of the payload that count; the hardware writes them.
static inline unsigned bgq_valid_bytes(const uint8_t* header) {
  return (unsigned)bgq_get(header + 20, 2);
}
/// Direct put: 64 bits, of which 37 count.
static inline uint64_t bgq_counter_offset(const uint8_t* header) {
  return bgq_get(header + 24, 8);
}

static inline void bgq_set_reception_fifo(uint8_t* header, unsigned fifo) {
  bgq_put(header + 12, 2, (bgq_get(header + 12, 2) & ~0x7FC0ull) | (fifo & 0x1FFull) << 6);
}
static inline void bgq_set_payload_base(uint8_t* header, unsigned base) {
  bgq_put(header + 12, 2, (bgq_get(header + 12, 2) & ~0xFFC0ull) | (base & 0x3FFull) << 6);
}
static inline void bgq_set_pacing(uint8_t* header, unsigned pacing) {
  header[13] = (uint8_t)((header[13] & ~0x20u) | (pacing & 1u) << 5);
}
static inline void bgq_set_put_offset(uint8_t* header, uint64_t offset) {
  bgq_put(header + 13, 5, (bgq_get(header + 13, 5) & ~BGQ_PUT_OFFSET_MASK) | (offset & BGQ_PUT_OFFSET_MASK));
}
static inline void bgq_set_counter_base(uint8_t* header, unsigned base) {
  bgq_put(header + 18, 2, (bgq_get(header + 18, 2) & ~0x3FFull) | (base & 0x3FFull));
}
static inline void bgq_set_valid_bytes(uint8_t* header, unsigned bytes) {
  bgq_put(header + 20, 2, bytes);
}
static inline void bgq_set_counter_offset(uint8_t* header, uint64_t offset) {
  bgq_put(header + 24, 8, offset);
}

// Descriptors. -----------------------------------------------------------------------------------------------------

#define BGQ_DESCRIPTOR_BYTES 64
#define BGQ_DESCRIPTOR_HEADER 32  ///< where the template of the header begins

/// Network injection FIFOs, bits of the map in a descriptor. FIFO n of the 16 is bit 15 - n.
#define BGQ_FIFO_MAP_MINUS(dimension) (0x8000u >> (2 * (dimension)))
#define BGQ_FIFO_MAP_PLUS(dimension) (0x4000u >> (2 * (dimension)))
#define BGQ_FIFO_MAP_LOCAL0 0x20u
#define BGQ_FIFO_MAP_LOCAL1 0x10u
#define BGQ_FIFO_MAP_PRIORITY 0x08u
#define BGQ_FIFO_MAP_SYSTEM 0x04u
#define BGQ_FIFO_MAP_COLLECTIVE_USER 0x02u
#define BGQ_FIFO_MAP_COLLECTIVE_SYSTEM 0x01u
#define BGQ_FIFO_MAP_TORUS 0xFFC0u

/// The fields of a descriptor before its header.
typedef struct bgq_descriptor {
  uint8_t prefetch_only;  ///< the payload is only brought into the L2
  uint8_t interrupt;      ///< the last packet has the interrupt bit
  uint64_t payload;       ///< physical or atomic address, 37 bits
  uint64_t length;        ///< of the message in bytes
  uint16_t fifo_map;      ///< BGQ_FIFO_MAP_
} bgq_descriptor_t;

static inline bgq_descriptor_t bgq_descriptor_decode(const uint8_t* bytes) {
  bgq_descriptor_t d;
  d.prefetch_only = bytes[3] & 1u;
  d.interrupt = bytes[7] & 1u;
  d.payload = bgq_get(bytes + 8, 8) & BGQ_PUT_OFFSET_MASK;
  d.length = bgq_get(bytes + 16, 8);
  d.fifo_map = (uint16_t)bgq_get(bytes + 30, 2);
  return d;
}
/// Writes the first 32 bytes of a descriptor.
static inline void bgq_descriptor_encode(const bgq_descriptor_t* d, uint8_t* bytes) {
  bgq_put(bytes, 4, d->prefetch_only & 1u);
  bgq_put(bytes + 4, 4, d->interrupt & 1u);
  bgq_put(bytes + 8, 8, d->payload & BGQ_PUT_OFFSET_MASK);
  bgq_put(bytes + 16, 8, d->length);
  bgq_put(bytes + 24, 8, d->fifo_map);
}

// Atomic addresses. ------------------------------------------------------------------------------------------------

/// Bit 36 marks an atomic address; bits 35 to 3 are those of the word of 8 bytes, bits 2 to 0 are the operation
/// (nic/common/l2_atomics.h).
#define BGQ_ATOMIC_ADDRESS 0x1000000000ull
#define BGQ_ADDRESS_MASK 0xFFFFFFFFFull  ///< 36 bits of memory

static inline uint64_t bgq_atomic_address(uint64_t address, unsigned operation) {
  return BGQ_ATOMIC_ADDRESS | (address & BGQ_ADDRESS_MASK & ~7ull) | (operation & 7u);
}

#endif  // TOROID_NIC_BGQ_MU_PACKET_H_
