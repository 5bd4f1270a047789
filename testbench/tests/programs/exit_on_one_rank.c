// SPDX-License-Identifier: Apache-2.0
// One rank exits with a status of its own, the others with success.
//   exit_on_one_rank [rank [status]]: default 1 and 3
#include <stdio.h>
#include <stdlib.h>

#include "firmware/bgl/msglayer/msglayer.h"

int main(int argc, char** argv) {
  bglml_init(NULL);
  const unsigned rank = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  const int status = argc > 2 ? atoi(argv[2]) : 3;
  printf("rank %u was here\n", bglml_rank());
  return bglml_rank() == rank ? status : 0;
}
