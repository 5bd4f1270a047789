// SPDX-License-Identifier: Apache-2.0
/// The bottom of Blue Gene/P, over DCMF: what its files share.
#ifndef TOROID_FIRMWARE_ARMCI_BGP_BGP_H
#define TOROID_FIRMWARE_ARMCI_BGP_BGP_H

#include <dcmf.h>

#include "firmware/armci/bottom.h"

/// An operation that DCMF has under way, and whom to tell at its end.
typedef struct armcib_operation {
  DCMF_Request_t request;
  struct armcib_operation* next_free;
  armcib_done_t done;
  void* context;
} armcib_operation_t;

/// If the program has called and too many operations are under way, waits until one of them is complete.
armcib_operation_t* armcib_operation_new(armcib_done_t done, void* context);
/// The callback of all operations.
DCMF_Callback_t armcib_operation_done(armcib_operation_t* operation);

/// A callback that sets a bool.
void armcib_set_flag(void* flag, DCMF_Error_t* error);

/// Handlers are running: nothing may wait.
extern bool armcib_in_handler;

/// Register the protocols; then make memory known among the processes.
void armcib_register_requests(void);
void armcib_register_memory(void);
void armcib_exchange_memory(void);

/// End the job if DCMF refuses a call.
void armcib_check(DCMF_Result result, const char* function);

#endif
