// SPDX-License-Identifier: Apache-2.0
// Operations that PAMI has under way: a pool.
#include "firmware/armci/bgq/bgq.h"
#include "firmware/hot.h"

static armcib_operation_t* free_operations;

static void more(void) {
  enum { PAGES = 1 << 16 };
  armcib_operation_t* const operations = armcib_pages(PAGES);
  if (operations == NULL) armcii_fail("there is no memory for more operations");
  for (size_t i = 0; i < PAGES / sizeof *operations; ++i) {
    operations[i].next_free = free_operations;
    free_operations = &operations[i];
  }
}

HOT armcib_operation_t* armcib_operation_new(armcib_done_t done, void* context) {
  if (free_operations == NULL) more();
  armcib_operation_t* const operation = free_operations;
  free_operations = operation->next_free;
  operation->done = done;
  operation->context = context;
  return operation;
}

HOT void armcib_operation_done(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context;
  armcib_check(result, "the end of an operation");
  armcib_operation_t* const operation = cookie;
  const armcib_done_t done = operation->done;
  void* const of = operation->context;
  operation->next_free = free_operations;
  free_operations = operation;
  if (done != NULL) done(of);
}
