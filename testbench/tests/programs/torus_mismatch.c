// SPDX-License-Identifier: Apache-2.0
// The last rank calls an operation over the torus otherwise than the others. The first argument says which and how; the
// second how many ranks take part (0: all). Prints what came wrong, so that data which nobody refused is seen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/tree.h"

enum { BYTES = 1000 };

static uint8_t buffer[BYTES] __attribute__((aligned(32))), more[64 * BYTES];
static uint32_t counts[64], offsets[64];

static void fill(void) {
  memset(buffer, (int)bglml_rank() + 1, sizeof buffer);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  const bglml_options_t options = {.max_ranks = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0};
  bglml_init(&options);
  const uint32_t size = bglml_size();
  const bool odd = bglml_rank() == size - 1;
  void* workspace = malloc(bglml_workspace());
  for (uint32_t rank = 0; rank < size; ++rank) counts[rank] = BYTES, offsets[rank] = rank * BYTES;

  // What is right before and after must not hide what is wrong.
  for (int way = BGLML_BROADCAST_DEPOSIT; way <= BGLML_BROADCAST_BINOMIAL; ++way) {
    fill();
    bglml_broadcast(buffer, BYTES, 1, (bglml_broadcast_t)way);
    if (buffer[0] != 2 || buffer[BYTES - 1] != 2) return 3;
  }
  fill();
  const uint32_t root = odd ? 1 : 0, bytes = odd ? BYTES - 10 : BYTES;
  if (strcmp(how, "deposit-root") == 0) bglml_broadcast(buffer, BYTES, root, BGLML_BROADCAST_DEPOSIT);
  if (strcmp(how, "neighbours-root") == 0) bglml_broadcast(buffer, BYTES, root, BGLML_BROADCAST_NEIGHBOURS);
  if (strcmp(how, "binomial-root") == 0) bglml_broadcast(buffer, BYTES, root, BGLML_BROADCAST_BINOMIAL);
  if (strcmp(how, "tree-root") == 0) bglml_tree_broadcast(buffer, BYTES, root);
  if (strcmp(how, "deposit-bytes") == 0) bglml_broadcast(buffer, bytes, 0, BGLML_BROADCAST_DEPOSIT);
  if (strcmp(how, "neighbours-bytes") == 0) bglml_broadcast(buffer, bytes, 0, BGLML_BROADCAST_NEIGHBOURS);
  if (strcmp(how, "binomial-bytes") == 0) bglml_broadcast(buffer, bytes, 0, BGLML_BROADCAST_BINOMIAL);
  if (strcmp(how, "tree-bytes") == 0) bglml_tree_broadcast(buffer, bytes, 0);
  if (strcmp(how, "way") == 0) {
    bglml_broadcast(buffer, BYTES, 0, odd ? BGLML_BROADCAST_BINOMIAL : BGLML_BROADCAST_NEIGHBOURS);
  }
  if (strcmp(how, "exchange") == 0) {
    if (odd) {
      bglml_alltoall(more, more + size * BYTES, BYTES, BGLML_ALLTOALL_AT_ONCE, workspace);
    } else {
      bglml_allgatherv(buffer, more, counts, offsets, workspace);
    }
  }
  for (uint32_t i = 0; i < BYTES; ++i) {
    if (buffer[i] == 1 || odd) continue;
    printf("rank %u: byte %u comes from rank %u\n", bglml_rank(), i, buffer[i] - 1u);
    break;
  }
  bglml_barrier();
  return 0;
}
