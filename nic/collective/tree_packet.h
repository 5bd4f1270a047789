// SPDX-License-Identifier: Apache-2.0
/// The tree packet: plain C11 and C++17, shared by the device model and the drivers.
///
/// A packet is a header word and 256 bytes of payload, 16 quads, which go through separate FIFOs. C bit-fields are not
/// used, because their order depends on the compiler.
///
/// Source: bl_tree.h of the machines' own drivers, and their tree packet interface.
#ifndef TOROID_NIC_COLLECTIVE_TREE_PACKET_H_
#define TOROID_NIC_COLLECTIVE_TREE_PACKET_H_

#include <stdint.h>

#include "nic/collective/tree_regs.h"

#define TREE_QUAD_BYTES 16
#define TREE_PAYLOAD_QUADS 16
#define TREE_PAYLOAD_BYTES 256
#define TREE_PAYLOAD_WORDS 128  ///< of 16 bits, the unit of operand sizes
#define TREE_CLASSES 16
#define TREE_VCS 2
#define TREE_TAG_MASK 0x3FFFu  ///< of 14 bits

/// Operations of the ALU. Operands are unsigned and big-endian.
enum {
  TREE_NONE = 0,  ///< route or broadcast
  TREE_OR = 1,
  TREE_AND = 2,
  TREE_XOR = 3,
  TREE_MAX = 5,
  TREE_ADD = 6
};

#define TREE_H(field) TREE_HEADER_INJECTION_##field##_SHIFT

/// The header of a packet to all members of a class, combined by `opcode`: operands of `words` (1..128) 16-bit words
/// each.
static inline uint32_t tree_collective_header(unsigned route_class, unsigned opcode, unsigned words, unsigned tag) {
  return (uint32_t)route_class << TREE_H(CLASS) | (uint32_t)opcode << TREE_H(OPCODE) |
         (uint32_t)(words - 1u) << TREE_H(SIZE) | (uint32_t)tag << TREE_H(TAG);
}

/// The header of a packet to the node of this address, 24 bits. The address takes the place of opcode, size and tag.
static inline uint32_t tree_point_to_point_header(unsigned route_class, uint32_t address) {
  return (uint32_t)route_class << TREE_H(CLASS) | TREE_HEADER_INJECTION_P2P_MASK | address << TREE_H(TAG);
}

/// The same header, with a request for an interrupt at the receiver.
static inline uint32_t tree_with_interrupt(uint32_t header) {
  return header | TREE_HEADER_INJECTION_IRQ_MASK;
}

static inline unsigned tree_header_class(uint32_t header) {
  return header >> TREE_H(CLASS);
}
static inline unsigned tree_header_opcode(uint32_t header) {
  return (header & TREE_HEADER_INJECTION_OPCODE_MASK) >> TREE_H(OPCODE);
}
/// Of an operand, 1..128 of 16 bits.
static inline unsigned tree_header_words(uint32_t header) {
  return ((header & TREE_HEADER_INJECTION_SIZE_MASK) >> TREE_H(SIZE)) + 1u;
}
static inline unsigned tree_header_tag(uint32_t header) {
  return header >> TREE_H(TAG) & TREE_TAG_MASK;
}

#endif  // TOROID_NIC_COLLECTIVE_TREE_PACKET_H_
