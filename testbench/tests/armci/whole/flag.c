// SPDX-License-Identifier: Apache-2.0
// Each process tells the next one something by a request, then puts data with a flag there; it waits for its own flag
// in memory, outside ARMCI.
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 100, FLAG = 42 };

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  ARMCI_Init();
  const int me = armci_msg_me(), all = armci_msg_nproc();
  const int next = (me + 1) % all, before = (me + all - 1) % all;
  void** const places = malloc((size_t)all * sizeof *places);
  if (places == NULL || ARMCI_Malloc(places, BYTES + sizeof(int)) != 0) return 1;
  volatile int* const flag = places[me];
  *flag = 0;
  ARMCI_Barrier();
  int told;
  (void)armci_notify(next);
  (void)armci_notify_wait(before, &told);
  char data[BYTES] = {1};
  int* const there = places[next];
  (void)ARMCI_Put_flag(data, there + 1, BYTES, there, FLAG, next);
  while (*flag != FLAG) {
  }
  ARMCI_Barrier();
  if (me == 0) printf("ok\n");
  ARMCI_Finalize();
  return 0;
}
