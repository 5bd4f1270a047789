// SPDX-License-Identifier: Apache-2.0
// Read-modify-write. The target's library does it, under its lock.
#include "firmware/armci/process.h"
#include "firmware/armci/requests.h"
#include "firmware/hot.h"

/// The new value in *place; returns the old one.
static int64_t update(int operation, int64_t operand, uintptr_t place) {
  int64_t old;
  if (operation == ARMCI_SWAP || operation == ARMCI_FETCH_AND_ADD) {
    int* const word = (int*)place;
    old = *word;
    *word = operation == ARMCI_SWAP ? (int)operand : (int)((unsigned)old + (unsigned)operand);
  } else {
    long* const word = (long*)place;
    old = *word;
    *word = operation == ARMCI_SWAP_LONG ? (long)operand : (long)((unsigned long)old + (unsigned long)operand);
  }
  return old;
}

/// What the caller waits for.
typedef struct {
  int64_t old;
  volatile bool done;
} answer_t;

void armcii_handle_update(uint32_t source, const armcii_update_t* request) {
  const armcii_update_t answer = {.kind = ARMCII_UPDATED,
                                  .operand = update(request->operation, request->operand, request->address),
                                  .cookie = request->cookie};
  armcib_request(source, &answer, sizeof answer, NULL, 0, NULL, NULL);
}

void armcii_handle_updated(const armcii_update_t* request) {
  answer_t* const answer = (answer_t*)(uintptr_t)request->cookie;
  answer->old = request->operand;
  answer->done = true;
}

HOT_OF_SENDS int PARMCI_Rmw(int operation, void* local, void* remote, int extra, int process) {
  if (operation < ARMCI_SWAP || operation > ARMCI_FETCH_AND_ADD_LONG) return FAIL6;
  if (local == NULL || remote == NULL) return FAIL;
  const int error = armcii_check(process);
  if (error != 0) return error;
  const bool of_long = operation == ARMCI_SWAP_LONG || operation == ARMCI_FETCH_AND_ADD_LONG;
  int64_t operand = extra;
  if (operation == ARMCI_SWAP) operand = *(const int*)local;
  if (operation == ARMCI_SWAP_LONG) operand = *(const long*)local;
  armcii_enter("ARMCI_Rmw");
  int64_t old;
  if ((uint32_t)process == armcii_self) {
    old = update(operation, operand, (uintptr_t)remote);
    // A process that draws from its own counter, and calls nothing else, serves the others.
    if (!armcii_served) armcib_advance();
  } else {
    // It has taken effect when it is answered, so that no fence need know of it.
    answer_t answer = {.done = false};
    const armcii_update_t request = {.kind = ARMCII_UPDATE,
                                     .operation = operation,
                                     .operand = operand,
                                     .address = (uintptr_t)remote,
                                     .cookie = (uintptr_t)&answer};
    armcib_request((uint32_t)process, &request, sizeof request, NULL, 0, NULL, NULL);
    while (!answer.done) armcib_advance();
    old = answer.old;
  }
  armcib_exit();
  if (of_long) {
    *(long*)local = (long)old;
  } else {
    *(int*)local = (int)old;
  }
  return 0;
}
ARMCII_PUBLIC(Rmw);
