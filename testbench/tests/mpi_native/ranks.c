// SPDX-License-Identifier: Apache-2.0
// mpi_ranks COUNT PROGRAM.so [NAME=VALUE]...: run a program of MPI, built as a library, with so many ranks, and with
// variables in its environment.
#define _GNU_SOURCE
#include "ranks.h"

#include <sanitizer/common_interface_defs.h>
#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "load.h"

enum { STACK_BYTES = 1 << 21, IDLE_MOST = 3000000 };

/// What runs on a stack of its own: a rank, or the launcher of all.
typedef struct {
  ucontext_t context;
  const void* stack;
  size_t stack_bytes;
  void* sanitizer;  ///< AddressSanitizer's record of the stack
} fiber_t;

static struct {
  fiber_t fiber;
  main_t* main;
  int ended;
} ranks[RANKS_MOST];
static uint32_t self;
static unsigned idle;
static fiber_t launcher;
static int status;

/// Programs ask for more memory than there is, to see the error. What they do not free at their end is not of interest.
const char* __asan_default_options(void) {
  return "allocator_may_return_null=1:detect_leaks=0";
}

uint32_t ranks_self(void) {
  return self;
}

void ranks_progress(void) {
  idle = 0;
}

// They take turns, so that nobody comes between.
void ranks_lock(void) {}
void ranks_unlock(void) {}

/// Run `next`; `own` goes on when something switches to it. Without swapcontext(): AddressSanitizer forgets what it
/// knows of a stack there.
static void switch_to(fiber_t* own, const fiber_t* next) {
  volatile bool resumed = false;
  __sanitizer_start_switch_fiber(&own->sanitizer, next->stack, next->stack_bytes);
  getcontext(&own->context);
  if (!resumed) {
    resumed = true;
    setcontext(&next->context);
  }
  __sanitizer_finish_switch_fiber(own->sanitizer, NULL, NULL);
}

/// The same at the end of a rank.
static void leave_to(const fiber_t* next) {
  __sanitizer_start_switch_fiber(NULL, next->stack, next->stack_bytes);
  setcontext(&next->context);
}

void ranks_yield(void) {
  const uint32_t from = self;
  if (++idle > IDLE_MOST) ranks_fail("deadlock", "no rank receives anything");
  uint32_t next = (from + 1) % ranks_size();
  while (next != from && ranks[next].ended) next = (next + 1) % ranks_size();
  if (next == from) return;
  self = next;
  switch_to(&ranks[from].fiber, &ranks[next].fiber);
}

static void run(void) {
  // The first rank comes from the launcher, whose stack is known from here on.
  const bool first = launcher.stack == NULL;
  __sanitizer_finish_switch_fiber(NULL, first ? &launcher.stack : NULL, first ? &launcher.stack_bytes : NULL);
  char name[] = "program";
  char* arguments[] = {name, NULL};
  const int code = ranks[self].main(1, arguments);
  if (code != 0) status = code;
  ranks[self].ended = 1;
  for (uint32_t next = 0; next < ranks_size(); ++next) {
    if (ranks[next].ended) continue;
    self = next;
    leave_to(&ranks[next].fiber);
  }
  leave_to(&launcher);
}

int main(int argc, char** argv) {
  const uint32_t size = ranks_arguments(argc, argv);
  for (uint32_t rank = 0; rank < size; ++rank) {
    ranks[rank].main = ranks_load(argv[2]);
    fiber_t* fiber = &ranks[rank].fiber;
    getcontext(&fiber->context);
    fiber->stack = fiber->context.uc_stack.ss_sp = malloc(STACK_BYTES);
    fiber->stack_bytes = fiber->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&fiber->context, run, 0);
  }
  if (chdir(ranks_directory()) != 0) ranks_fail(ranks_directory(), "cannot be entered");
  switch_to(&launcher, &ranks[0].fiber);
  return status;
}
