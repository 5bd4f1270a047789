// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/core/call.h"

int A1_Allocate_handle(A1_handle_t* handle) {
  if (!handle) return A1_ERROR;
  int result = A1_ERROR;
  ospri_enter();
  for (unsigned i = 0; i < ospri.settings.handles; ++i) {
    if (ospri.handles[i].used) continue;
    ospri.handles[i] = (ospri_handle_t){.used = true};
    *handle = &ospri.handles[i];
    result = A1_SUCCESS;
    break;
  }
  ospri_exit();
  return result;
}

int A1_Wait_handle(A1_handle_t handle) {
  if (!is_handle(handle)) return A1_ERROR;
  ospri_enter();
  return ospri_wait_and_exit(handle);
}

int A1_Release_handle(A1_handle_t handle) {
  if (A1_Wait_handle(handle) != A1_SUCCESS) return A1_ERROR;
  ((ospri_handle_t*)handle)->used = false;
  return A1_SUCCESS;
}

int A1_Wait_handle_all(void) {
  ospri_enter();
  for (unsigned i = 0; i < ospri.settings.handles; ++i) ospri_wait(&ospri.handles[i]);
  ospri_exit();
  return A1_SUCCESS;
}

static bool are_handles(int count, A1_handle_t* handles) {
  if (count < 0 || (count > 0 && !handles)) return false;
  for (int i = 0; i < count; ++i) {
    if (!is_handle(handles[i])) return false;
  }
  return true;
}

int A1_Wait_handle_list(int count, A1_handle_t* handles) {
  if (!are_handles(count, handles)) return A1_ERROR;
  for (int i = 0; i < count; ++i) A1_Wait_handle(handles[i]);
  return A1_SUCCESS;
}

int A1_Test_handle(A1_handle_t handle, A1_bool_t* completed) {
  if (!is_handle(handle) || !completed) return A1_ERROR;
  ospri_enter();
  if (((ospri_handle_t*)handle)->pending != 0) ospri_progress();
  *completed = ((ospri_handle_t*)handle)->pending == 0 ? A1_TRUE : A1_FALSE;
  ospri_exit();
  return A1_SUCCESS;
}

int A1_Test_handle_list(int count, A1_handle_t* handles, A1_bool_t** completed) {
  if (!are_handles(count, handles) || !completed || (count > 0 && !*completed)) return A1_ERROR;
  for (int i = 0; i < count; ++i) A1_Test_handle(handles[i], &(*completed)[i]);
  return A1_SUCCESS;
}

int A1_Reset_handle(A1_handle_t* handle) {
  return handle ? A1_Wait_handle(*handle) : A1_ERROR;
}

int A1_Reset_handle_list(int count, A1_handle_t* handle) {
  return A1_Wait_handle_list(count, handle);
}
