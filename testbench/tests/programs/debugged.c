// SPDX-License-Identifier: Apache-2.0
// Something to look at with a debugger: a call in a loop, a structure, doubles, and a deadlock where it is asked for.
#include <stdio.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"

struct account {
  int entries;
  double sum;
};

static volatile int total;

__attribute__((noinline)) int square(int value) {
  total += value * value;
  return value * value;
}

__attribute__((noinline)) void add_squares(struct account* account, int count) {
  for (int i = 1; i <= count; ++i) {
    account->sum += square(i);
    account->entries += 1;
  }
}

__attribute__((noinline)) void compute_for_ever(void) {
  while (total != 0) total = 3 * total | 1;
}

__attribute__((noinline)) void wait_for_nobody(void) {
  while (total != 0) bglml_advance();
}

int main(int argc, char** argv) {
  struct account account = {0, 0.5};
  bglml_init(NULL);
  add_squares(&account, 4);
  bglml_barrier();
  printf("rank %u: %d entries, sum %g\n", bglml_rank(), account.entries, account.sum);
  fflush(stdout);
  if (argc > 1 && strcmp(argv[1], "computes") == 0 && bglml_rank() == 1) compute_for_ever();
  if (argc > 1 && strcmp(argv[1], "computes") == 0) wait_for_nobody();
  if (argc > 1 && strcmp(argv[1], "waits") == 0) wait_for_nobody();
  return argc > 1 && strcmp(argv[1], "fails") == 0 ? 3 : 0;
}
