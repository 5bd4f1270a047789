// SPDX-License-Identifier: Apache-2.0
// Mistakes that end the job with a line that says what is wrong: wrong WHAT.
#include "../check.h"

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "early") == 0) ARMCI_Fence(0);
  ARMCI_Init();
  int value = 0;
  ARMCI_Group group;
  memset(&group, 0, sizeof group);
  if (strcmp(what, "mutex") == 0) ARMCI_Lock(0, 0);
  if (strcmp(what, "process") == 0) ARMCI_Fence(armci_msg_nproc());
  if (strcmp(what, "group") == 0) armci_msg_group_barrier(&group);
  if (strcmp(what, "operation") == 0) armci_msg_igop(&value, 1, (char*)"average");
  if (strcmp(what, "bits") == 0) armci_msg_fgop((float*)(void*)&value, 1, (char*)"or");
  if (strcmp(what, "error") == 0) ARMCI_Error((char*)"the program is not content", 7);
  if (strcmp(what, "unlock") == 0) {
    ARMCI_Create_mutexes(1);
    if (armci_msg_me() == 1) ARMCI_Unlock(0, 0);
    ARMCI_Fence(0);
  }
  if (strcmp(what, "length") == 0) {
    if (armci_msg_me() == 0) armci_msg_snd(1, &value, 4, 1);
    if (armci_msg_me() == 1) armci_msg_rcv(1, &value, 2, NULL, 0);
  }
  ARMCI_Barrier();
  return 0;
}
