// SPDX-License-Identifier: Apache-2.0
// What is on its way to each process, and fences.
#include "firmware/armci/process.h"

#include <stdlib.h>

#include "firmware/armci/requests.h"
#include "firmware/hot.h"

enum {
  WINDOW = 32,  ///< requests that change a target's memory, not confirmed, at most
  ASK_EVERY = WINDOW / 2
};

uint32_t armcii_self;
/// Before the start every rank is right, so that armcii_enter() says what is wrong with the call.
uint32_t armcii_size = UINT32_MAX;
armcii_target_t* armcii_targets;
uint32_t *armcii_active, armcii_active_count;

armcii_statistics_t armcii_statistics;

/// What holds when an answer arrives.
typedef struct confirmation {
  struct confirmation* next_free;
  uint32_t target, puts, requests;
} confirmation_t;
static confirmation_t* free_confirmations;

HOT_OF_PUTS uint32_t armcii_checked(int process, const char* function) {
  if (armcii_check(process) != 0) {
    armcii_fail("%s: there is no process %d; the job has %u", function, process, armcii_size);
  }
  return (uint32_t)process;
}

HOT_OF_RMA armcii_target_t* armcii_target(uint32_t target) {
  armcii_target_t* const to = &armcii_targets[target];
  if (!to->listed) {
    to->listed = true;
    armcii_active[armcii_active_count++] = target;
  }
  return to;
}

static confirmation_t* confirmation_new(uint32_t target) {
  confirmation_t* confirmation = free_confirmations;
  if (confirmation != NULL) {
    free_confirmations = confirmation->next_free;
  } else {
    confirmation = malloc(sizeof *confirmation);
    if (confirmation == NULL) armcii_fail("there is no memory for a fence");
  }
  confirmation->target = target;
  confirmation->puts = armcii_targets[target].puts;
  confirmation->requests = armcii_targets[target].requests;
  return confirmation;
}

/// The later of two counts that wrap.
static uint32_t later(uint32_t first, uint32_t second) {
  return (int32_t)(first - second) > 0 ? first : second;
}

static void confirm_puts(void* context) {
  confirmation_t* const confirmation = context;
  armcii_target_t* const to = &armcii_targets[confirmation->target];
  to->puts_confirmed = later(to->puts_confirmed, confirmation->puts);
  armcii_region_confirmed(confirmation->target, ARMCII_BY_PUT);
  confirmation->next_free = free_confirmations;
  free_confirmations = confirmation;
}

static void confirm_all(confirmation_t* confirmation) {
  armcii_target_t* const to = &armcii_targets[confirmation->target];
  to->requests_confirmed = later(to->requests_confirmed, confirmation->requests);
  armcii_region_confirmed(confirmation->target, ARMCII_BY_REQUEST);
  confirm_puts(confirmation);
}

/// Ask the target's library to answer when it has handled all earlier requests.
static void ask(uint32_t target) {
  armcii_target_t* const to = &armcii_targets[target];
  to->requests_asked = to->requests;
  to->puts_asked = to->puts;
  const armcii_word_t word = {.kind = ARMCII_FENCE, .cookie = (uintptr_t)confirmation_new(target)};
  armcib_request(target, &word, sizeof word, NULL, 0, NULL, NULL);
}

void armcii_handle_fence(uint32_t source, const armcii_word_t* word) {
  const armcii_word_t answer = {.kind = ARMCII_FENCED, .cookie = word->cookie};
  armcib_request(source, &answer, sizeof answer, NULL, 0, NULL, NULL);
}

void armcii_handle_fenced(const armcii_word_t* word) {
  confirm_all((confirmation_t*)(uintptr_t)word->cookie);
}

static void wait_for_requests(uint32_t target) {
  armcii_target_t* const to = &armcii_targets[target];
  const uint32_t goal = to->requests;
  if (to->requests_asked != goal) ask(target);
  while ((int32_t)(to->requests_confirmed - goal) < 0) armcib_advance();
}

static void flush(uint32_t target) {
  armcii_target_t* const to = &armcii_targets[target];
  to->puts_asked = to->puts;
  armcib_flush(target, confirm_puts, confirmation_new(target));
}

static void wait_for_puts(uint32_t target) {
  const armcii_target_t* const to = &armcii_targets[target];
  const uint32_t goal = to->puts;
  if (to->puts_asked != goal) flush(target);
  while ((int32_t)(to->puts_confirmed - goal) < 0) armcib_advance();
}

HOT_OF_RMA void armcii_order_put(uint32_t target, const armcii_region_t* region) {
  if (!armcii_region_pending(target, region, ARMCII_BY_REQUEST)) return;
  ++armcii_statistics.waits;
  wait_for_requests(target);
}

HOT_OF_GETS void armcii_order_get(uint32_t target, const armcii_region_t* region) {
  armcii_order_put(target, region);
  if (armcib_gets_follow_puts || !armcii_region_pending(target, region, ARMCII_BY_PUT)) return;
  ++armcii_statistics.waits;
  wait_for_puts(target);
}

HOT_OF_ACCUMULATES void armcii_send_change(uint32_t target, const void* header, size_t header_bytes,
                                           const void* payload, size_t bytes, armcib_done_t done, void* context) {
  armcii_target_t* const to = armcii_target(target);
  while (to->requests - to->requests_confirmed >= WINDOW) armcib_advance();
  armcib_request(target, header, header_bytes, payload, bytes, done, context);
  // Not before: another thread could have asked for a confirmation meanwhile.
  ++to->requests;
  ++armcii_statistics.requests;
  if (to->requests - to->requests_asked >= ASK_EVERY) ask(target);
}

HOT_OF_ACCUMULATES void armcii_fence(uint32_t target) {
  const armcii_target_t* const to = &armcii_targets[target];
  // Its answer tells of the puts as well.
  if (to->requests_confirmed != to->requests) wait_for_requests(target);
  if (to->puts_confirmed != to->puts) wait_for_puts(target);
}

void armcii_fence_all(void) {
  // All questions first, then the answers.
  for (uint32_t i = 0; i < armcii_active_count; ++i) {
    const uint32_t target = armcii_active[i];
    const armcii_target_t* const to = &armcii_targets[target];
    if (to->requests_asked != to->requests) {
      ask(target);
    } else if (to->puts_asked != to->puts) {
      flush(target);
    }
  }
  // The list only grows: other threads use it between two turns.
  for (uint32_t i = 0; i < armcii_active_count; ++i) armcii_fence(armcii_active[i]);
}
