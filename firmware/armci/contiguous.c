// SPDX-License-Identifier: Apache-2.0
// Contiguous puts, gets and accumulates.
#include "firmware/armci/accumulate.h"
#include "firmware/armci/transfer.h"
#include "firmware/hot.h"

/// The arguments that all have.
static int check(const void* src, const void* dst, int bytes, int process) {
  if (bytes < 0) return FAIL3;
  if (bytes != 0 && (src == NULL || dst == NULL)) return FAIL;
  return armcii_check(process);
}

HOT_OF_PUTS static int put(void* src, void* dst, int bytes, int process, const armcii_call_t* call) {
  const int error = check(src, dst, bytes, process);
  if (error != 0) return error;
  armcii_patch_t line;
  armcii_patch_line(&line, src, dst, (size_t)bytes);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_put_patch((uint32_t)process, &line, completion);
  armcii_end(completion, call);
  return 0;
}

HOT_OF_GETS static int get(void* src, void* dst, int bytes, int process, const armcii_call_t* call) {
  const int error = check(src, dst, bytes, process);
  if (error != 0) return error;
  armcii_patch_t line;
  armcii_patch_line(&line, dst, src, (size_t)bytes);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_get_patch((uint32_t)process, &line, completion);
  armcii_end(completion, call);
  return 0;
}

HOT_OF_ACCUMULATES static int acc(int operation, void* scale, void* src, void* dst, int bytes, int process,
                                  const armcii_call_t* call) {
  const int error = check(src, dst, bytes, process);
  if (error != 0) return error;
  const size_t element = armcii_acc_element(operation);
  if (element == 0) return FAIL6;
  if (scale == NULL) return FAIL;
  if ((size_t)bytes % element != 0) return FAIL3;
  armcii_patch_t line;
  armcii_patch_line(&line, src, dst, (size_t)bytes);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_acc_patch((uint32_t)process, operation, scale, &line, completion);
  armcii_end(completion, call);
  return 0;
}

HOT_OF_PUTS int PARMCI_Put(void* src, void* dst, int bytes, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_Put"};
  return put(src, dst, bytes, process, &kCall);
}
ARMCII_PUBLIC(Put);

HOT_OF_PUTS int PARMCI_NbPut(void* src, void* dst, int bytes, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbPut"};
  return put(src, dst, bytes, process, &call);
}
ARMCII_PUBLIC(NbPut);

HOT_OF_GETS int PARMCI_Get(void* src, void* dst, int bytes, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_Get"};
  return get(src, dst, bytes, process, &kCall);
}
ARMCII_PUBLIC(Get);

HOT_OF_GETS int PARMCI_NbGet(void* src, void* dst, int bytes, int process, armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbGet"};
  return get(src, dst, bytes, process, &call);
}
ARMCII_PUBLIC(NbGet);

HOT_OF_ACCUMULATES int PARMCI_Acc(int operation, void* scale, void* src, void* dst, int bytes, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_Acc"};
  return acc(operation, scale, src, dst, bytes, process, &kCall);
}
ARMCII_PUBLIC(Acc);

HOT_OF_ACCUMULATES int PARMCI_NbAcc(int operation, void* scale, void* src, void* dst, int bytes, int process,
                                    armci_hdl_t* handle) {
  const armcii_call_t call = {.handle = handle, .function = "ARMCI_NbAcc"};
  return acc(operation, scale, src, dst, bytes, process, &call);
}
ARMCII_PUBLIC(NbAcc);

/// The flag's put follows that of the data; both are complete at their source at the end.
int PARMCI_Put_flag(void* src, void* dst, int bytes, int* flag, int value, int process) {
  static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_Put_flag"};
  const int error = check(src, dst, bytes, process);
  if (error != 0) return error;
  if (flag == NULL) return FAIL;
  armcii_patch_t line, mark;
  armcii_patch_line(&line, src, dst, (size_t)bytes);
  armcii_patch_line(&mark, &value, flag, sizeof value);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, &kCall);
  armcii_put_patch((uint32_t)process, &line, completion);
  armcii_put_last((uint32_t)process, &mark, completion);
  armcii_end(completion, &kCall);
  return 0;
}
ARMCII_PUBLIC(Put_flag);

void PARMCI_Copy(void* src, void* dst, int bytes) {
  if (bytes > 0) __builtin_memcpy(dst, src, (size_t)bytes);
}
ARMCII_PUBLIC(Copy);
