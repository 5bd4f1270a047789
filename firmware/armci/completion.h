// SPDX-License-Identifier: Apache-2.0
/// Operations from their begin to their end: blocking, with a handle, or with an implicit one.
///
///     armcii_completion_t own;
///     armcii_completion_t* const completion = armcii_begin(&own, target, handle, is_blocking, "ARMCI_Put");
///     ... ++completion->pending for each piece, and armcii_piece_done() when it is complete ...
///     armcii_end(completion, is_blocking);
#ifndef TOROID_FIRMWARE_ARMCI_COMPLETION_H
#define TOROID_FIRMWARE_ARMCI_COMPLETION_H

#include "firmware/armci/process.h"

/// How a public function is called.
typedef struct {
  bool blocks;
  armci_hdl_t* handle;  ///< of one that does not block; NULL: implicit
  const char* function;
} armcii_call_t;

/// Take the lock and begin. `own` is on the caller's stack, for an operation that blocks.
armcii_completion_t* armcii_begin(armcii_completion_t* own, uint32_t target, const armcii_call_t* call);
/// All pieces have been started: wait, if the operation blocks, and release the lock.
void armcii_end(armcii_completion_t* completion, const armcii_call_t* call);

/// As armcib_done_t.
void armcii_piece_done(void* completion);

void armcii_wait_for(const armcii_completion_t* completion);

#endif
