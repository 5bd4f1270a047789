// SPDX-License-Identifier: Apache-2.0
// ARMCI's patches, by OSPRI's strided operations in the place of ARMCI's own requests; and what they have under way.
// The bottom needs this file, so that a linker takes it before ARMCI's own.
#include <string.h>

#include "firmware/armci/accumulate.h"
#include "firmware/armci/transfer.h"
#include "firmware/ospri/armci/wrapper.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/pools.h"

static armcib_operation_t* free_operations;

void armcib_operation_over(void* context) {
  armcib_operation_t* const operation = context;
  const armcib_done_t done = operation->done;
  void* const of = operation->context;
  operation->next = free_operations;
  free_operations = operation;
  if (done) done(of);
}

armcib_operation_t* armcib_operation_begin(armcib_done_t done, void* context, bool ordered) {
  armcib_operation_t* operation = free_operations;
  if (operation) {
    free_operations = operation->next;
  } else {
    operation = ospri_take_memory(sizeof *operation);
  }
  operation->done = done;
  operation->context = context;
  operation->handle =
      (ospri_handle_t){.pending = 1, .told = armcib_operation_over, .context = operation, .ordered = ordered};
  return operation;
}

void armcib_operation_end(armcib_operation_t* operation) {
  ospri_piece_done(&operation->handle);
}

/// OSPRI's sides of a patch: `get` from the target.
static void make(ospri_strided_t* strided, const armcii_patch_t* patch, bool get) {
  ospri_side_t* const local = get ? &strided->target : &strided->source;
  ospri_side_t* const remote = get ? &strided->source : &strided->target;
  local->base = (char*)patch->local;
  remote->base = (char*)patch->remote;
  local->block = remote->block = (unsigned)patch->bytes;
  local->levels = remote->levels = patch->levels;
  for (unsigned i = 0; i < patch->levels; ++i) {
    local->level[i] = (ospri_level_t){patch->level[i].count, patch->level[i].local_stride};
    remote->level[i] = (ospri_level_t){patch->level[i].count, patch->level[i].remote_stride};
  }
}

/// Whether the program waits for the call.
static bool blocks(uint32_t target, const armcii_completion_t* completion) {
  return !completion->of_handle && completion != &armcii_targets[target].implicit;
}

/// Operations that the program has waited for come before this one, whether it blocks or not.
static void keep_order(ospri_task_kind_t kind, uint32_t target, const ospri_strided_t* strided) {
  const ospri_handle_t ordered = {.ordered = true};
  const ospri_way_t way = ospri_way(kind, target, strided);
  ospri_keep_order(target, &ordered, kind == OSPRI_TASK_GET && way == OSPRI_DIRECT ? OSPRI_BY_MESSAGE : way);
}

static void run(ospri_task_kind_t kind, uint32_t target, const armcii_patch_t* patch, const ospri_scaling_t* scaling,
                armcii_completion_t* completion) {
  ospri_strided_t strided;
  make(&strided, patch, kind == OSPRI_TASK_GET);
  keep_order(kind, target, &strided);
  ++completion->pending;
  armcib_operation_t* const operation = armcib_operation_begin(armcii_piece_done, completion, false);
  if (!blocks(target, completion) && ospri_hands_off(target)) {
    ospri_hand_off(kind, target, &strided, scaling, &operation->handle);
  } else if (kind == OSPRI_TASK_PUT) {
    ospri_put_strided(target, &strided, &operation->handle);
  } else if (kind == OSPRI_TASK_GET) {
    ospri_get_strided(target, &strided, &operation->handle);
  } else {
    ospri_accumulate_strided(target, &strided, scaling, &operation->handle);
  }
  armcib_operation_end(operation);
  // What a fence finds to flush.
  if (kind != OSPRI_TASK_GET) ++armcii_target(target)->puts;
}

void armcii_put_patch(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion) {
  if (patch->rows == 0) return;
  // ARMCI's own requests, of lists, may be on their way.
  armcii_order_put(target, ARMCII_ANYWHERE);
  run(OSPRI_TASK_PUT, target, patch, NULL, completion);
}

void armcii_put_last(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion) {
  armcii_put_patch(target, patch, completion);
}

void armcii_get_patch(uint32_t target, const armcii_patch_t* patch, armcii_completion_t* completion) {
  if (patch->rows == 0) return;
  armcii_order_get(target, ARMCII_ANYWHERE);
  run(OSPRI_TASK_GET, target, patch, NULL, completion);
}

void armcii_acc_patch(uint32_t target, int operation, const void* scale, const armcii_patch_t* patch,
                      armcii_completion_t* completion) {
  static const uint8_t kTypes[] = {
      [ARMCI_ACC_INT - ARMCI_ACC_OFF] = A1_INT32,
      [ARMCI_ACC_DBL - ARMCI_ACC_OFF] = A1_DOUBLE,
      [ARMCI_ACC_FLT - ARMCI_ACC_OFF] = A1_FLOAT,
      [ARMCI_ACC_CPL - ARMCI_ACC_OFF] = OSPRI_COMPLEX_FLOAT,
      [ARMCI_ACC_DCP - ARMCI_ACC_OFF] = OSPRI_COMPLEX_DOUBLE,
      [ARMCI_ACC_LNG - ARMCI_ACC_OFF] = sizeof(long) == sizeof(int32_t) ? A1_INT32 : A1_INT64,
  };
  if (patch->rows == 0) return;
  ospri_scaling_t scaling = {.type = kTypes[operation - ARMCI_ACC_OFF]};
  memcpy(scaling.value, scale, armcii_acc_element(operation));
  run(OSPRI_TASK_ACCUMULATE, target, patch, &scaling, completion);
}
