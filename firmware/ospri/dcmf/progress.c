// SPDX-License-Identifier: Apache-2.0
// Waiting. A turn that finds nothing leaves the process as it was, so a core that waits alone looks the same at each
// turn.
#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/lock.h"

void ospri_progress(void) {
  DCMF_Messager_advance();
  if (ospri.tasks) ospri_run_task();
  // The helper has nothing to do that this turn has not done, so only threads of the program get the lock.
  if (ospri.several_callers) ospri_cycle();
}

void ospri_wait(const ospri_handle_t* handle) {
  while (handle->pending != 0) ospri_progress();
}
