// SPDX-License-Identifier: Apache-2.0
// Process 0 computes for ever; process 1 waits for its message, the others in a barrier.
#include <armci.h>
#include <message.h>

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  ARMCI_Init();
  if (armci_msg_me() == 0) {
    for (volatile unsigned turns = 0;; ++turns) {
    }
  }
  if (armci_msg_me() == 1) {
    int number, length;
    armci_msg_rcv(1, &number, sizeof number, &length, 0);
  }
  armci_msg_barrier();
}
