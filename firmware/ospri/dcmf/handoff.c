// SPDX-License-Identifier: Apache-2.0
// Handing off: operations with handles, whose data have to be packed or sent by a processor, are left to the helper
// thread, so that the program computes meanwhile. Whoever waits for something does them, too.
#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/pools.h"

typedef struct ospri_task {
  struct ospri_task* next;
  ospri_task_kind_t kind;
  unsigned target;
  ospri_strided_t strided;
  ospri_scaling_t scaling;
  ospri_handle_t* handle;
} task_t;

bool ospri_hands_off(unsigned target) {
  return ospri.settings.handoff && target != ospri.rank;
}

void ospri_hand_off(ospri_task_kind_t kind, unsigned target, const ospri_strided_t* strided,
                    const ospri_scaling_t* scaling, ospri_handle_t* handle) {
  task_t* const task = ospri_take_memory(sizeof *task);
  task->next = NULL;
  task->kind = kind;
  task->target = target;
  task->strided = *strided;
  if (scaling) task->scaling = *scaling;
  task->handle = handle;
  handle->pending += 1;
  if (ospri.last_task) {
    ospri.last_task->next = task;
  } else {
    ospri.tasks = task;
  }
  ospri.last_task = task;
}

void ospri_run_task(void) {
  // A task that waits for a buffer comes by here again.
  if (ospri.running_task) return;
  ospri.running_task = true;
  task_t* const task = ospri.tasks;
  ospri.tasks = task->next;
  if (!ospri.tasks) ospri.last_task = NULL;
  switch (task->kind) {
    case OSPRI_TASK_PUT:
      ospri_put_strided(task->target, &task->strided, task->handle);
      break;
    case OSPRI_TASK_GET:
      ospri_get_strided(task->target, &task->strided, task->handle);
      break;
    default:
      ospri_accumulate_strided(task->target, &task->strided, &task->scaling, task->handle);
  }
  ospri_handle_t* const handle = task->handle;
  ospri_give_memory(task);
  ospri.running_task = false;
  ospri_piece_done(handle);
}
