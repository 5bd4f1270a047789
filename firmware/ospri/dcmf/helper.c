// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/helper.h"

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/lock.h"
#include "firmware/ospri/dcmf/thread.h"

static void help(void) {
  while (!ospri.stop_helper) {
    ospri_enter();
    DCMF_Messager_advance();
    if (ospri.tasks) ospri_run_task();
    ospri_exit();
    ospri_pause(ospri.settings.helper_pause);
  }
}

bool ospri_start_helper(void) {
  ospri.stop_helper = false;
  return ospri_start_thread(help);
}

void ospri_stop_helper(void) {
  ospri.stop_helper = true;
  ospri_join_thread();
}
