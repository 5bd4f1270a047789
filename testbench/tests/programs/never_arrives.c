// SPDX-License-Identifier: Apache-2.0
// All ranks but one take part in something for which all are needed. The first argument says in what; the second which
// rank does not; the third what that one does instead: it exits, or computes for ever. Operations over the torus begin
// with a barrier, to which it comes where it is to be missed behind it.
#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/collectives.h"
#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/bgl/msglayer/tree.h"

static uint32_t words[500], more[500], counts[16], offsets[16];

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* what = argv[1];
  const uint32_t odd = (uint32_t)strtoul(argv[2], NULL, 10);
  bglml_init(NULL);
  bglml_barrier();
  void* workspace = malloc(bglml_workspace());
  const bool behind_barrier = strncmp(what, "torus-", 6) == 0;
  for (uint32_t rank = 0; rank < bglml_size(); ++rank) {
    counts[rank] = 64;
    offsets[rank] = 64 * rank;
  }
  if (bglml_rank() == odd) {
    if (behind_barrier) bglml_barrier();
    if (strcmp(argv[3], "computes") == 0) {
      for (volatile uint32_t i = 0;; ++i) {
      }
    }
    return 0;
  }
  if (strcmp(what, "barrier") == 0) bglml_barrier();
  if (strcmp(what, "broadcast") == 0) bglml_tree_broadcast(words, sizeof words, odd);
  if (strcmp(what, "allreduce") == 0) bglml_tree_allreduce(words, words, 500, BGLML_UINT32, BGLML_SUM);
  if (strcmp(what, "torus") == 0) bglml_broadcast(words, sizeof words, odd, BGLML_BROADCAST_DEPOSIT);
  if (strcmp(what, "torus-lines") == 0) bglml_broadcast(words, sizeof words, odd, BGLML_BROADCAST_DEPOSIT);
  if (strcmp(what, "torus-messages") == 0) bglml_broadcast(words, sizeof words, odd, BGLML_BROADCAST_BINOMIAL);
  if (strcmp(what, "torus-all") == 0) bglml_alltoall(words, more, 64, BGLML_ALLTOALL_AT_ONCE, workspace);
  if (strcmp(what, "torus-pairs") == 0) bglml_alltoall(words, more, 64, BGLML_ALLTOALL_PAIRS, workspace);
  if (strcmp(what, "torus-packets") == 0) bglml_alltoall(words, more, 64, BGLML_ALLTOALL_SCHEDULED, workspace);
  if (strcmp(what, "torus-gather") == 0) bglml_allgatherv(words, more, counts, offsets, workspace);
  return 0;
}
