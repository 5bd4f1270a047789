// SPDX-License-Identifier: Apache-2.0
// All ranks but one take part in something for which all are needed. The first argument says in what; the second which
// rank does not; the third what that one does instead: it exits, or computes for ever.
#include <stdlib.h>
#include <string.h>

#include "firmware/msglayer/collectives.h"
#include "firmware/msglayer/msglayer.h"
#include "firmware/msglayer/tree.h"

static uint32_t words[500];

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* what = argv[1];
  const uint32_t odd = (uint32_t)strtoul(argv[2], NULL, 10);
  bglml_init(NULL);
  bglml_barrier();
  if (bglml_rank() == odd) {
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
  return 0;
}
