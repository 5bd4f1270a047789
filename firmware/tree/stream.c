// SPDX-License-Identifier: Apache-2.0
#include "firmware/tree/stream.h"

#include <stdio.h>

void tree_describe_header(char* text, uint32_t size, uint32_t header) {
  static const char* const opcodes[8] = {"no operation", "OR", "AND", "XOR", "opcode 4", "maximum", "sum", "opcode 7"};
  if ((header & TREE_HEADER_INJECTION_P2P_MASK) != 0) {
    snprintf(text, size, "a point-to-point packet of class %u", tree_header_class(header));
    return;
  }
  snprintf(text, size, "class %u, %s of %u bits, tag %u", tree_header_class(header),
           opcodes[tree_header_opcode(header)], 16 * tree_header_words(header), tree_header_tag(header));
}
