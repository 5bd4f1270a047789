// SPDX-License-Identifier: Apache-2.0
// Public fences, and notifications.
#include "firmware/armci/requests.h"
#include "firmware/armci/team.h"
#include "firmware/hot.h"

HOT_OF_ACCUMULATES void PARMCI_Fence(int process) {
  armcii_enter("ARMCI_Fence");
  armcii_fence(armcii_checked(process, "ARMCI_Fence"));
  armcib_exit();
}
ARMCII_PUBLIC(Fence);

void PARMCI_AllFence(void) {
  armcii_enter("ARMCI_AllFence");
  armcii_fence_all();
  armcib_exit();
}
ARMCII_PUBLIC(AllFence);

void PARMCI_Barrier(void) {
  armcii_enter("ARMCI_Barrier");
  armcii_fence_all();
  armcii_team_t team;
  armcii_team_all(&team);
  armcii_barrier(&team);
  armcib_exit();
}
ARMCII_PUBLIC(Barrier);

void armcii_handle_notify(uint32_t source) {
  ++armcii_targets[source].notifications;
}

int parmci_notify(int process) {
  armcii_enter("armci_notify");
  const uint32_t target = armcii_checked(process, "armci_notify");
  const armcii_word_t word = {.kind = ARMCII_NOTIFY};
  armcii_send_change(target, &word, sizeof word, NULL, 0, NULL, NULL);
  const int count = (int)++armcii_targets[target].notified;
  armcib_exit();
  return count;
}
extern __typeof__(parmci_notify) armci_notify __attribute__((weak, alias("parmci_notify")));

int parmci_notify_wait(int process, int* value) {
  armcii_enter("armci_notify_wait");
  armcii_target_t* const from = &armcii_targets[armcii_checked(process, "armci_notify_wait")];
  const uint32_t awaited = ++from->awaited;
  while ((int32_t)(from->notifications - awaited) < 0) armcib_advance();
  const int received = (int)from->notifications;
  armcib_exit();
  if (value != NULL) *value = (int)awaited;
  return received;
}
extern __typeof__(parmci_notify_wait) armci_notify_wait __attribute__((weak, alias("parmci_notify_wait")));
