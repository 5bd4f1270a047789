// SPDX-License-Identifier: Apache-2.0
// Puts, gets and accumulates by lists of addresses.
#include "firmware/armci/accumulate.h"
#include "firmware/armci/lists.h"

typedef enum { PUT, GET, ACC } direction_t;

static int check(const armci_giov_t list[], int length, size_t element, int process) {
  if (length < 0) return FAIL5;
  if (length != 0 && list == NULL) return FAIL;
  for (int i = 0; i < length; ++i) {
    if (list[i].bytes < 0 || (size_t)list[i].bytes % element != 0) return FAIL3;
    if (list[i].ptr_array_len < 0) return FAIL5;
    if (list[i].ptr_array_len == 0 || list[i].bytes == 0) continue;
    if (list[i].src_ptr_array == NULL || list[i].dst_ptr_array == NULL) return FAIL;
    for (int j = 0; j < list[i].ptr_array_len; ++j) {
      if (list[i].src_ptr_array[j] == NULL || list[i].dst_ptr_array[j] == NULL) return FAIL7;
    }
  }
  return armcii_check(process);
}

static int transfer(direction_t direction, int operation, void* scale, armci_giov_t lists[], int length, int process,
                    const armcii_call_t* call) {
  const size_t element = direction == ACC ? armcii_acc_element(operation) : 1;
  if (element == 0) return FAIL6;
  if (direction == ACC && scale == NULL) return FAIL;
  const int error = check(lists, length, element, process);
  if (error != 0) return error;
  const uint32_t target = (uint32_t)process;
  armcii_completion_t own, *const completion = armcii_begin(&own, target, call);
  for (int i = 0; i < length; ++i) {
    const bool get = direction == GET;
    const armcii_list_t list = {.local = get ? lists[i].dst_ptr_array : lists[i].src_ptr_array,
                                .remote = get ? lists[i].src_ptr_array : lists[i].dst_ptr_array,
                                .count = (uint32_t)lists[i].ptr_array_len,
                                .bytes = (size_t)lists[i].bytes};
    if (direction == PUT) armcii_put_list(target, &list, completion);
    if (direction == GET) armcii_get_list(target, &list, completion);
    if (direction == ACC) armcii_acc_list(target, operation, scale, &list, completion);
  }
  armcii_end(completion, call);
  return 0;
}

int PARMCI_PutV(armci_giov_t lists[], int length, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_PutV"};
  return transfer(PUT, 0, NULL, lists, length, process, &kCall);
}
ARMCII_PUBLIC(PutV);

int PARMCI_NbPutV(armci_giov_t lists[], int length, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbPutV"};
  return transfer(PUT, 0, NULL, lists, length, process, &call);
}
ARMCII_PUBLIC(NbPutV);

int PARMCI_GetV(armci_giov_t lists[], int length, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_GetV"};
  return transfer(GET, 0, NULL, lists, length, process, &kCall);
}
ARMCII_PUBLIC(GetV);

int PARMCI_NbGetV(armci_giov_t lists[], int length, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbGetV"};
  return transfer(GET, 0, NULL, lists, length, process, &call);
}
ARMCII_PUBLIC(NbGetV);

int PARMCI_AccV(int operation, void* scale, armci_giov_t lists[], int length, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_AccV"};
  return transfer(ACC, operation, scale, lists, length, process, &kCall);
}
ARMCII_PUBLIC(AccV);

int PARMCI_NbAccV(int operation, void* scale, armci_giov_t lists[], int length, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbAccV"};
  return transfer(ACC, operation, scale, lists, length, process, &call);
}
ARMCII_PUBLIC(NbAccV);
