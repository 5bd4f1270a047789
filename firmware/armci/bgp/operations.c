// SPDX-License-Identifier: Apache-2.0
// Operations that DCMF has under way: a pool. The names of its limits are those that programs set on the real machine.
#include "firmware/armci/bgp/bgp.h"

enum { MOST_OPERATIONS = 1000000 };
static armcib_operation_t* free_operations;
static unsigned under_way, most, step;

/// Handlers may not wait, and take more.
static void more(void) {
  enum { PAGES = 1 << 16 };
  armcib_operation_t* const operations = armcib_pages(PAGES);
  if (operations == NULL) armcii_fail("there is no memory for more operations");
  for (size_t i = 0; i < PAGES / sizeof *operations; ++i) {
    operations[i].next_free = free_operations;
    free_operations = &operations[i];
  }
}

armcib_operation_t* armcib_operation_new(armcib_done_t done, void* context) {
  if (most == 0) {
    most = armcii_setting("ARMCIX_DCMF_REQUESTPOOL_MAX", 1000, 1, MOST_OPERATIONS);
    step = armcii_setting("ARMCIX_DCMF_REQUESTPOOL_INC", 0, 0, MOST_OPERATIONS);
  }
  if (!armcib_in_handler && under_way >= most) {
    most += step;
    while (under_way >= most) armcib_advance();
  }
  if (free_operations == NULL) more();
  armcib_operation_t* const operation = free_operations;
  free_operations = operation->next_free;
  operation->done = done;
  operation->context = context;
  ++under_way;
  return operation;
}

static void finished(void* context, DCMF_Error_t* error) {
  (void)error;
  armcib_operation_t* const operation = context;
  const armcib_done_t done = operation->done;
  void* const of = operation->context;
  operation->next_free = free_operations;
  free_operations = operation;
  --under_way;
  if (done != NULL) done(of);
}

DCMF_Callback_t armcib_operation_done(armcib_operation_t* operation) {
  return (DCMF_Callback_t){.function = finished, .clientdata = operation};
}

void armcib_check(DCMF_Result result, const char* function) {
  if (result != DCMF_SUCCESS) armcii_fail("%s refuses a call of ARMCI, with result %d", function, (int)result);
}
