// SPDX-License-Identifier: Apache-2.0
// The operations of the tree's ALU in software: for the processes of one node, and if messages replace the network.
#include "firmware/bgl/msglayer/tree_stream.h"

enum { WORDS = TREE_PAYLOAD_BYTES / 4 };

static uint32_t greater_half(uint32_t a, uint32_t b, uint32_t half) {
  return (a & half) > (b & half) ? a & half : b & half;
}

/// Operands of one or more 32-bit words, the most significant first.
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

void bglml_tree_combine(unsigned opcode, unsigned words, uint32_t* into, const uint32_t* from) {
  const uint32_t high = 0xFFFF0000u;
  const unsigned size = words > 1 ? words / 2 : 1;
  for (unsigned i = 0; i < WORDS; i += size) {
    const unsigned here = size < WORDS - i ? size : WORDS - i;
    switch (opcode) {
      case TREE_OR:
        for (unsigned k = i; k < i + here; ++k) into[k] |= from[k];
        break;
      case TREE_AND:
        for (unsigned k = i; k < i + here; ++k) into[k] &= from[k];
        break;
      case TREE_XOR:
        for (unsigned k = i; k < i + here; ++k) into[k] ^= from[k];
        break;
      case TREE_MAX:
        if (words == 1) {
          into[i] = greater_half(into[i], from[i], high) | greater_half(into[i], from[i], ~high);
        } else {
          greater(into + i, from + i, here);
        }
        break;
      default:
        if (words == 1) {
          into[i] = ((into[i] & high) + (from[i] & high)) | ((into[i] + from[i]) & ~high);
        } else {
          add(into + i, from + i, here);
        }
    }
  }
}
