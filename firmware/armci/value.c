// SPDX-License-Identifier: Apache-2.0
// Puts and gets of single values. A put waits for its completion at the source even if it is asked not to block: the
// value is in this function's frame.
#include "firmware/armci/transfer.h"

static int put(void* value, void* dst, size_t bytes, int process, const armcii_call_t* call) {
  const int error = dst == NULL ? FAIL : armcii_check(process);
  if (error != 0) return error;
  armcii_patch_t line;
  armcii_patch_line(&line, value, dst, bytes);
  armcii_completion_t own, *const completion = armcii_begin(&own, (uint32_t)process, call);
  armcii_put_patch((uint32_t)process, &line, completion);
  armcii_end(completion, call);
  return 0;
}

/// There is no way to return an error.
static void get(void* value, void* src, size_t bytes, int process, const armcii_call_t* call) {
  const uint32_t target = armcii_checked(process, call->function);
  if (src == NULL) armcii_fail("%s: the address is NULL", call->function);
  armcii_patch_t line;
  armcii_patch_line(&line, value, src, bytes);
  armcii_completion_t own, *const completion = armcii_begin(&own, target, call);
  armcii_get_patch(target, &line, completion);
  armcii_end(completion, call);
}

#define VALUE(NAME, TYPE)                                                                      \
  int PARMCI_PutValue##NAME(TYPE value, void* dst, int process) {                              \
    static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_PutValue" #NAME};   \
    return put(&value, dst, sizeof value, process, &kCall);                                    \
  }                                                                                            \
  ARMCII_PUBLIC(PutValue##NAME);                                                               \
  int PARMCI_NbPutValue##NAME(TYPE value, void* dst, int process, armci_hdl_t* handle) {       \
    static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_NbPutValue" #NAME}; \
    (void)handle;                                                                              \
    return put(&value, dst, sizeof value, process, &kCall);                                    \
  }                                                                                            \
  ARMCII_PUBLIC(NbPutValue##NAME);                                                             \
  TYPE PARMCI_GetValue##NAME(void* src, int process) {                                         \
    static const armcii_call_t kCall = {.blocks = true, .function = "ARMCI_GetValue" #NAME};   \
    TYPE value;                                                                                \
    get(&value, src, sizeof value, process, &kCall);                                           \
    return value;                                                                              \
  }                                                                                            \
  ARMCII_PUBLIC(GetValue##NAME)

VALUE(Int, int);
VALUE(Long, long);
VALUE(Float, float);
VALUE(Double, double);
