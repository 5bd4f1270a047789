// SPDX-License-Identifier: Apache-2.0
// Completion of operations, and handles.
#include "firmware/armci/completion.h"

#include <stdlib.h>

#include "firmware/hot.h"

/// Handles name completions by number and generation, so that a handle that has been copied, forgotten or never
/// initialised does no harm. Completions of handles are in blocks that stay.
enum { BLOCK = 64, BLOCKS_MAX = 4096, MAGIC = 0x41524d43 };
static armcii_completion_t* blocks[BLOCKS_MAX];
static uint32_t block_count;
static armcii_completion_t* free_completions;

enum { IS_ARMCI, NUMBER, GENERATION };  // of armci_hdl_t.data

static armcii_completion_t* completion_new(void) {
  if (free_completions == NULL) {
    armcii_completion_t* const block = block_count < BLOCKS_MAX ? calloc(BLOCK, sizeof *block) : NULL;
    if (block == NULL) armcii_fail("there is no memory for one more operation with a handle");
    blocks[block_count] = block;
    for (unsigned i = BLOCK; i-- != 0;) {
      block[i].of_handle = true;
      block[i].number = block_count * BLOCK + i;
      block[i].generation = 1;
      block[i].next_free = free_completions;
      free_completions = &block[i];
    }
    ++block_count;
  }
  armcii_completion_t* const completion = free_completions;
  free_completions = completion->next_free;
  return completion;
}

/// NULL if all operations of the handle are complete.
HOT static armcii_completion_t* completion_of(const armci_hdl_t* handle) {
  const uint32_t number = (uint32_t)handle->data[NUMBER];
  if (handle->data[IS_ARMCI] != MAGIC || number >= block_count * BLOCK) return NULL;
  armcii_completion_t* const completion = &blocks[number / BLOCK][number % BLOCK];
  const bool current = completion->generation == (uint32_t)handle->data[GENERATION];
  return current && completion->pending != 0 ? completion : NULL;
}

HOT void armcii_piece_done(void* context) {
  armcii_completion_t* const completion = context;
  if (--completion->pending != 0 || !completion->of_handle) return;
  ++completion->generation;
  completion->next_free = free_completions;
  free_completions = completion;
}

void armcii_wait_for(const armcii_completion_t* completion) {
  while (*(const volatile uint32_t*)&completion->pending != 0) armcib_advance();
}

HOT armcii_completion_t* armcii_begin(armcii_completion_t* own, uint32_t target, const armcii_call_t* call) {
  armcii_enter(call->function);
  armcii_completion_t* completion;
  if (call->blocks) {
    completion = own;
    own->pending = 0;
    own->of_handle = false;
  } else if (call->handle == NULL) {
    completion = &armcii_target(target)->implicit;
  } else {
    completion = completion_of(call->handle);
    if (completion == NULL) {
      completion = completion_new();
      completion->target = (int)target;
      call->handle->data[IS_ARMCI] = MAGIC;
      call->handle->data[NUMBER] = (int)completion->number;
      call->handle->data[GENERATION] = (int)completion->generation;
    } else if (completion->target != (int)target) {
      completion->target = -1;
    }
  }
  ++completion->pending;
  return completion;
}

HOT void armcii_end(armcii_completion_t* completion, const armcii_call_t* call) {
  armcii_piece_done(completion);
  if (call->blocks) armcii_wait_for(completion);
  armcib_exit();
}

// ---------------------------------------------------------------------------------------------------------------
// Public

HOT int PARMCI_Wait(armci_hdl_t* handle) {
  if (handle == NULL) return FAIL;
  armcii_enter("ARMCI_Wait");
  while (completion_of(handle) != NULL) armcib_advance();
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(Wait);

int PARMCI_Test(armci_hdl_t* handle) {
  if (handle == NULL) return FAIL;
  armcii_enter("ARMCI_Test");
  // Also of a complete one: a program that calls this again and again expects that time goes on.
  armcib_advance();
  const int pending = completion_of(handle) != NULL;
  armcib_exit();
  return pending;
}
ARMCII_PUBLIC(Test);

/// Of all targets: -1.
static void wait_handles(int target) {
  for (uint32_t number = 0; number < block_count * BLOCK; ++number) {
    const armcii_completion_t* const completion = &blocks[number / BLOCK][number % BLOCK];
    const uint32_t generation = completion->generation;
    if (target >= 0 && completion->target >= 0 && completion->target != target) continue;
    while (completion->generation == generation && completion->pending != 0) armcib_advance();
  }
}

int PARMCI_WaitAll(void) {
  armcii_enter("ARMCI_WaitAll");
  for (uint32_t i = 0; i < armcii_active_count; ++i) armcii_wait_for(&armcii_targets[armcii_active[i]].implicit);
  wait_handles(-1);
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(WaitAll);

int PARMCI_WaitProc(int process) {
  const int error = armcii_check(process);
  if (error != 0) return error;
  armcii_enter("ARMCI_WaitProc");
  armcii_wait_for(&armcii_targets[process].implicit);
  wait_handles(process);
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(WaitProc);

void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* handle) {
  (void)handle;
}

void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* handle) {
  (void)handle;
}
