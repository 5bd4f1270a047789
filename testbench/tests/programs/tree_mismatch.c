// SPDX-License-Identifier: Apache-2.0
// One rank calls the tree's operations otherwise than the others. The first argument says how; the second which rank.
// Prints what came wrong, so that data which nobody refused is seen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/bgl/msglayer/tree.h"

enum { WORDS = 200 };

static uint32_t buffer[WORDS];
static double doubles[WORDS];

static void fill(void) {
  for (uint32_t i = 0; i < WORDS; ++i) buffer[i] = 1000u * bglml_rank() + i, doubles[i] = 1.0;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  bglml_init(NULL);
  const bool odd = bglml_rank() == (argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0);
  fill();
  bglml_tree_broadcast(buffer, 64, 0);  // what is right before and after must not hide what is wrong
  fill();
  if (strcmp(how, "bytes") == 0) bglml_tree_broadcast(buffer, odd ? 500 : 512, 0);
  if (strcmp(how, "packets") == 0) bglml_tree_broadcast(buffer, odd ? 256 : 512, 0);
  if (strcmp(how, "root") == 0) bglml_tree_broadcast(buffer, 64, odd ? 0 : 1);
  if (strcmp(how, "count") == 0) bglml_tree_allreduce(buffer, buffer, odd ? 8 : 9, BGLML_UINT32, BGLML_SUM);
  if (strcmp(how, "smaller") == 0) bglml_tree_allreduce(buffer, buffer, 9, BGLML_UINT32, odd ? BGLML_MIN : BGLML_MAX);
  if (strcmp(how, "signed") == 0) bglml_tree_allreduce(buffer, buffer, 9, odd ? BGLML_INT32 : BGLML_UINT32, BGLML_MAX);
  if (strcmp(how, "opcode") == 0) bglml_tree_allreduce(buffer, buffer, 9, BGLML_UINT32, odd ? BGLML_XOR : BGLML_SUM);
  if (strcmp(how, "size") == 0)
    bglml_tree_allreduce(buffer, buffer, odd ? 4 : 8, odd ? BGLML_UINT64 : BGLML_UINT32, BGLML_SUM);
  if (strcmp(how, "reduce") == 0) bglml_tree_reduce(buffer, buffer, 9, BGLML_UINT32, BGLML_SUM, odd ? 1 : 0);
  if (strcmp(how, "double") == 0)
    bglml_tree_sum_double(doubles, doubles, 9, odd ? BGLML_DOUBLE_WIDE : BGLML_DOUBLE_TWO_PASS);
  if (strcmp(how, "order") == 0) {
    if (odd) bglml_tree_broadcast(buffer, 64, bglml_rank());
    bglml_tree_allreduce(buffer, buffer, 9, BGLML_UINT32, BGLML_SUM);
    if (!odd) bglml_tree_broadcast(buffer, 64, (uint32_t)strtoul(argv[2], NULL, 10));
  }
  if (strcmp(how, "skipped") == 0) {
    for (unsigned i = odd ? 1 : 0; i < 3; ++i) bglml_tree_broadcast(buffer, 64, 0);
  }
  if (strcmp(how, "again") == 0 && odd) bglml_tree_broadcast(buffer, 64, bglml_rank());
  if (strcmp(how, "less") != 0) bglml_tree_allreduce(buffer, buffer, 9, BGLML_UINT32, BGLML_OR);
  // Nobody receives this.
  if (strcmp(how, "last") == 0 && odd) bglml_tree_broadcast(buffer, 600, bglml_rank());
  return 0;
}
