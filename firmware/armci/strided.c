// SPDX-License-Identifier: Apache-2.0
// Strided puts, gets and accumulates.
#include "firmware/armci/accumulate.h"
#include "firmware/armci/transfer.h"
#include "firmware/hot.h"

static int put(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int process,
               const armcii_call_t* call) {
  armcii_patch_t patch;
  int error = armcii_patch_make(&patch, src, src_strides, dst, dst_strides, count, levels);
  if (error == 0) error = armcii_check(process);
  if (error != 0) return error;
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_put_patch((uint32_t)process, &patch, completion);
  armcii_end(completion, call);
  return 0;
}

HOT_OF_GETS static int get(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels,
                           int process, const armcii_call_t* call) {
  armcii_patch_t patch;
  int error = armcii_patch_make(&patch, dst, dst_strides, src, src_strides, count, levels);
  if (error == 0) error = armcii_check(process);
  if (error != 0) return error;
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_get_patch((uint32_t)process, &patch, completion);
  armcii_end(completion, call);
  return 0;
}

HOT_OF_ACCUMULATES static int acc(int operation, void* scale, void* src, int src_strides[], void* dst,
                                  int dst_strides[], int count[], int levels, int process, const armcii_call_t* call) {
  armcii_patch_t patch;
  int error = armcii_patch_make(&patch, src, src_strides, dst, dst_strides, count, levels);
  if (error == 0) error = armcii_check(process);
  if (error != 0) return error;
  const size_t element = armcii_acc_element(operation);
  if (element == 0) return FAIL6;
  if (scale == NULL) return FAIL;
  if ((size_t)count[0] % element != 0) return FAIL3;
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_acc_patch((uint32_t)process, operation, scale, &patch, completion);
  armcii_end(completion, call);
  return 0;
}

int PARMCI_PutS(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_PutS"};
  return put(src, src_strides, dst, dst_strides, count, levels, process, &kCall);
}
ARMCII_PUBLIC(PutS);

int PARMCI_NbPutS(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int process,
                  armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbPutS"};
  return put(src, src_strides, dst, dst_strides, count, levels, process, &call);
}
ARMCII_PUBLIC(NbPutS);

int PARMCI_GetS(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_GetS"};
  return get(src, src_strides, dst, dst_strides, count, levels, process, &kCall);
}
ARMCII_PUBLIC(GetS);

int PARMCI_NbGetS(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int process,
                  armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbGetS"};
  return get(src, src_strides, dst, dst_strides, count, levels, process, &call);
}
ARMCII_PUBLIC(NbGetS);

int PARMCI_AccS(int operation, void* scale, void* src, int src_strides[], void* dst, int dst_strides[], int count[],
                int levels, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_AccS"};
  return acc(operation, scale, src, src_strides, dst, dst_strides, count, levels, process, &kCall);
}
ARMCII_PUBLIC(AccS);

int PARMCI_NbAccS(int operation, void* scale, void* src, int src_strides[], void* dst, int dst_strides[], int count[],
                  int levels, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbAccS"};
  return acc(operation, scale, src, src_strides, dst, dst_strides, count, levels, process, &call);
}
ARMCII_PUBLIC(NbAccS);

/// The flag's put follows those of the data; all are complete at their source at the end.
static int put_flag(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int* flag,
                    int value, int process, const armcii_call_t* call) {
  armcii_patch_t patch, mark;
  int error = armcii_patch_make(&patch, src, src_strides, dst, dst_strides, count, levels);
  if (error == 0) error = armcii_check(process);
  if (error == 0 && flag == NULL) error = FAIL;
  if (error != 0) return error;
  armcii_patch_line(&mark, &value, flag, sizeof value);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_put_patch((uint32_t)process, &patch, completion);
  armcii_put_last((uint32_t)process, &mark, completion);
  armcii_end(completion, call);
  return 0;
}

int PARMCI_PutS_flag(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int* flag,
                     int value, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_PutS_flag"};
  return put_flag(src, src_strides, dst, dst_strides, count, levels, flag, value, process, &kCall);
}
ARMCII_PUBLIC(PutS_flag);

int PARMCI_PutS_flag_dir(void* src, int src_strides[], void* dst, int dst_strides[], int count[], int levels, int* flag,
                         int value, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_PutS_flag_dir"};
  return put_flag(src, src_strides, dst, dst_strides, count, levels, flag, value, process, &kCall);
}
ARMCII_PUBLIC(PutS_flag_dir);
