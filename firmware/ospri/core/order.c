// SPDX-License-Identifier: Apache-2.0
// Remote completion and barriers.
#include "firmware/ospri/core/call.h"

int A1_Flush(int proc) {
  if (!is_rank(proc)) return A1_ERROR;
  ospri_enter();
  ospri_flush((unsigned)proc);
  ospri_exit();
  return A1_SUCCESS;
}

int A1_Flush_list(int count, int* proc_list) {
  if (count < 0 || (count > 0 && !proc_list)) return A1_ERROR;
  for (int i = 0; i < count; ++i) {
    if (!is_rank(proc_list[i])) return A1_ERROR;
  }
  for (int i = 0; i < count; ++i) A1_Flush(proc_list[i]);
  return A1_SUCCESS;
}

int A1_Flush_group(A1_group_t* group) {
  if (!is_world(group)) return A1_ERROR;
  ospri_enter();
  ospri_flush_all();
  ospri_exit();
  return A1_SUCCESS;
}

int A1_NbFlush(int proc, A1_handle_t handle) {
  return is_handle(handle) ? A1_Flush(proc) : A1_ERROR;
}

int A1_NbFlush_list(int count, int* proc_list, A1_handle_t handle) {
  return is_handle(handle) ? A1_Flush_list(count, proc_list) : A1_ERROR;
}

int A1_NbFlush_group(A1_group_t* group, A1_handle_t handle) {
  return is_handle(handle) ? A1_Flush_group(group) : A1_ERROR;
}

int A1_Barrier_group(A1_group_t* group) {
  if (!is_world(group)) return A1_ERROR;
  ospri_enter();
  ospri_barrier();
  ospri_exit();
  return A1_SUCCESS;
}

int A1_Sync_group(A1_group_t* group) {
  if (!is_world(group)) return A1_ERROR;
  ospri_enter();
  ospri_flush_all();
  ospri_barrier();
  ospri_exit();
  return A1_SUCCESS;
}

int A1_NbBarrier_group(A1_group_t* group, A1_handle_t handle) {
  return is_handle(handle) ? A1_Barrier_group(group) : A1_ERROR;
}

int A1_NbSync_group(A1_group_t* group, A1_handle_t handle) {
  return is_handle(handle) ? A1_Sync_group(group) : A1_ERROR;
}
