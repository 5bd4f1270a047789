// SPDX-License-Identifier: Apache-2.0
/// ARMCI over OSPRI: what the two files of this folder share.
#ifndef TOROID_FIRMWARE_OSPRI_ARMCI_WRAPPER_H
#define TOROID_FIRMWARE_OSPRI_ARMCI_WRAPPER_H

#include "firmware/armci/bottom.h"
#include "firmware/ospri/dcmf/device.h"

/// An operation that OSPRI has under way for ARMCI.
typedef struct armcib_operation {
  DCMF_Request_t request;  ///< of ARMCI's requests
  ospri_handle_t handle;   ///< of all others
  struct armcib_operation* next;
  armcib_done_t done;
  void* context;
} armcib_operation_t;

/// Begins an operation, `ordered` if it is one of a blocking call; end it when all of it has been started.
armcib_operation_t* armcib_operation_begin(armcib_done_t done, void* context, bool ordered);
void armcib_operation_end(armcib_operation_t* operation);

/// Tells whoever waits for it, an armcib_operation_t.
void armcib_operation_over(void* operation);

#endif
