// SPDX-License-Identifier: Apache-2.0
// The operations of the tree's ALU in software: for the processes of one node, and if messages replace the network.
#include "firmware/tree/stream.h"

enum { WORDS = TREE_PAYLOAD_WORDS32 };

static void combine_bits(unsigned opcode, uint32_t* into, const uint32_t* from) {
  switch (opcode) {
    case TREE_OR:
      for (unsigned i = 0; i < WORDS; ++i) into[i] |= from[i];
      break;
    case TREE_AND:
      for (unsigned i = 0; i < WORDS; ++i) into[i] &= from[i];
      break;
    default:
      for (unsigned i = 0; i < WORDS; ++i) into[i] ^= from[i];
  }
}

/// Operands of 16 bits.
static uint32_t greater_half(uint32_t a, uint32_t b, uint32_t half) {
  return (a & half) > (b & half) ? a & half : b & half;
}

static void combine_halves(unsigned opcode, uint32_t* into, const uint32_t* from) {
  const uint32_t high = 0xFFFF0000u;
  for (unsigned i = 0; i < WORDS; ++i) {
    into[i] = opcode == TREE_MAX ? greater_half(into[i], from[i], high) | greater_half(into[i], from[i], ~high)
                                 : ((into[i] & high) + (from[i] & high)) | ((into[i] + from[i]) & ~high);
  }
}

/// Operands of 32 bits.
static void combine_words(unsigned opcode, uint32_t* into, const uint32_t* from) {
  if (opcode == TREE_MAX) {
    for (unsigned i = 0; i < WORDS; ++i) into[i] = into[i] > from[i] ? into[i] : from[i];
  } else {
    for (unsigned i = 0; i < WORDS; ++i) into[i] += from[i];
  }
}

/// Operands of more 32-bit words, the most significant first.
static void greater(uint32_t* into, const uint32_t* from, unsigned words) {
  unsigned i = 0;
  while (i < words && into[i] == from[i]) ++i;
  if (i == words || into[i] > from[i]) return;
  for (; i < words; ++i) into[i] = from[i];
}

static void add(uint32_t* into, const uint32_t* from, unsigned words) {
  uint32_t carry = 0;
  while (words-- > 0) {
    const uint64_t sum = (uint64_t)into[words] + from[words] + carry;
    into[words] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
}

static void combine_longer(unsigned opcode, unsigned size, uint32_t* into, const uint32_t* from) {
  for (unsigned i = 0; i < WORDS; i += size) {
    const unsigned here = size < WORDS - i ? size : WORDS - i;
    if (opcode == TREE_MAX) {
      greater(into + i, from + i, here);
    } else {
      add(into + i, from + i, here);
    }
  }
}

void tree_combine(unsigned opcode, unsigned words, uint32_t* into, const uint32_t* from) {
  if (opcode != TREE_MAX && opcode != TREE_ADD) {
    combine_bits(opcode, into, from);
  } else if (words == 1) {
    combine_halves(opcode, into, from);
  } else if (words == 2) {
    combine_words(opcode, into, from);
  } else {
    combine_longer(opcode, words / 2, into, from);
  }
}
