// SPDX-License-Identifier: Apache-2.0
#include <dcmf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/ospri/core/call.h"

A1_group_t a1_group_world;

int A1_Initialize(int thread_level) {
  if (thread_level < A1_THREAD_SINGLE || thread_level > A1_THREAD_MULTIPLE) return A1_ERROR;
  if (ospri.initialised++ == 0) ospri_start(thread_level);
  return A1_SUCCESS;
}

int A1_Finalize(void) {
  if (ospri.initialised == 0) return A1_ERROR;
  if (--ospri.initialised == 0) ospri_stop();
  return A1_SUCCESS;
}

void A1_Abort(int error_code, char error_message[]) {
  fprintf(stderr, "OSPRI: rank %u: %s\n", ospri.rank, error_message ? error_message : "aborted");
  exit(error_code != 0 ? error_code : 1);
}

int A1_Process_id(A1_group_t* group) {
  return is_world(group) ? (int)ospri.rank : -1;
}

int A1_Process_total(A1_group_t* group) {
  return is_world(group) ? (int)ospri.size : -1;
}

int A1_Node_id(A1_group_t* group) {
  return is_world(group) ? (int)ospri.node : -1;
}

int A1_Node_total(A1_group_t* group) {
  return is_world(group) ? (int)ospri.nodes : -1;
}

unsigned long long A1_Time_cycles(void) {
  return DCMF_Timebase();
}

double A1_Time_seconds(void) {
  return DCMF_Timer();
}

bool ospri_make_scaling(ospri_scaling_t* scaling, A1_datatype_t type, const void* value) {
  const unsigned bytes = ospri_type_bytes((int)type);
  if (bytes == 0 || !value) return false;
  memset(scaling, 0, sizeof *scaling);
  scaling->type = type;
  memcpy(scaling->value, value, bytes);
  return true;
}

int ospri_wait_and_exit(const ospri_handle_t* handle) {
  ospri_wait(handle);
  ospri_exit();
  return A1_SUCCESS;
}
