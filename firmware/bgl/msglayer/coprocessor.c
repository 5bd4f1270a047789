// SPDX-License-Identifier: Apache-2.0
// The coprocessor's work pool: posting and joining on core 0, the loop on core 1.
//
// Work quad of the scratchpad: word 0, units that wait, changed by both cores under a lock; word 1, permanent units,
// written by core 0; word 2, transient units that have ended, written by core 1. Transient units run in order, so that
// count tells for each handle whether the unit has ended. Word 3, messages assigned to core 1, written by core 0.
#include "firmware/bgl/msglayer/coprocessor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/lockbox.h"
#include "drivers/bgl/second_core.h"
#include "firmware/bgl/msglayer/state.h"

enum { WAITING = BGLML_PAD_WORK, PERMANENT = BGLML_PAD_WORK + 4, ENDED = BGLML_PAD_WORK + 8 };

static void write_unit(unsigned offset, bglml_co_function_t function, void* argument) {
  const bgl_scratchpad_quad_t quad = {{(uint32_t)(uintptr_t)function, (uint32_t)(uintptr_t)argument, 0, 0}};
  bgl_scratchpad_write_quad(offset, &quad);
}

static bglml_work_unit_t read_unit(unsigned offset) {
  bgl_scratchpad_quad_t quad;
  bgl_scratchpad_read_quad(offset, &quad);
  return (bglml_work_unit_t){(bglml_co_function_t)(uintptr_t)quad.word[0], (void*)(uintptr_t)quad.word[1]};
}

static void count_waiting(uint32_t change) {
  bgl_lockbox_lock(BGLML_LOCK_WORK);
  bgl_scratchpad_write_word(WAITING, bgl_scratchpad_read_word(WAITING) + change);
  bgl_lockbox_unlock(BGLML_LOCK_WORK);
}

// Core 1. ---------------------------------------------------------------------------------------------------------

static void run_next(bglml_worker_t* worker) {
  const unsigned place = worker->taken % BGLML_PAD_TRANSIENT_UNITS;
  const bglml_work_unit_t unit = read_unit(BGLML_PAD_TRANSIENT + 16 * place);
  worker->taken += 1;
  count_waiting(0u - 1u);  // the place may be used again
  unit.function(unit.argument);
  // Writes the unit's results to memory, and ensures that the next unit finds no stale data in this cache.
  bgl_cache_flush_all();
  bgl_scratchpad_write_word(ENDED, worker->taken);
}

void bglml_worker_turn(bglml_worker_t* worker) {
  bgl_scratchpad_quad_t work;
  bgl_scratchpad_read_quad(BGLML_PAD_WORK, &work);
  if (work.word[0] != 0 && work.word[3] == worker->received) {
    run_next(worker);
    return;
  }
  while (worker->permanent != work.word[1]) {
    worker->units[worker->permanent] = read_unit(BGLML_PAD_PERMANENT + 16 * worker->permanent);
    worker->permanent += 1;
  }
  for (unsigned i = 0; i < worker->permanent; ++i) worker->units[i].function(worker->units[i].argument);
}

static bglml_worker_t process_worker;

static void add_permanent(bglml_coprocessor_t* coprocessor, bglml_co_function_t function, void* argument) {
  write_unit(BGLML_PAD_PERMANENT + 16 * coprocessor->permanent, function, argument);
  coprocessor->permanent += 1;
  bgl_scratchpad_write_word(PERMANENT, coprocessor->permanent);
}

/// Without the C library's formatting, whose state is core 0's.
void bglml_coprocessor_fail(const char* what, const char* why) {
  const char* const parts[] = {process_worker.who, what, why, "\n"};
  char line[160];
  unsigned length = 0;
  for (unsigned part = 0; part < sizeof parts / sizeof parts[0]; ++part) {
    for (const char* at = parts[part]; *at != '\0' && length + 1 < sizeof line; ++at) line[length++] = *at;
  }
  line[length] = '\0';
  bgl_second_core_fail(line, BGLML_EXIT_FATAL);
}

static void work_for_ever(void* worker) {
  for (;;) bglml_worker_turn(worker);
}

// Core 0. ---------------------------------------------------------------------------------------------------------

void bglml_coprocessor_open(bglml_coprocessor_t* coprocessor) {
  for (uint32_t i = 0; i < BGLML_CO_RECEPTIONS; ++i) {
    coprocessor->ids[i] = i;
    coprocessor->next[i] = i + 1;
    process_worker.slots[i].id = BGLML_NO_DATA;
  }
  snprintf(process_worker.who, sizeof process_worker.who, "message layer: rank %u: ", bglml_instance->rank);
  coprocessor->stack = aligned_alloc(BGL_CACHE_LINE_BYTES, BGLML_CO_STACK_BYTES);
  if (coprocessor->stack == NULL)
    bglml_fatal("no memory for the second core's %d bytes of stack", BGLML_CO_STACK_BYTES);
  add_permanent(coprocessor, bglml_worker_receive, &process_worker);
  coprocessor->present = true;
}

void bglml_coprocessor_start(bglml_coprocessor_t* coprocessor) {
  if (coprocessor->running) return;
  const int error = bgl_second_core_start(work_for_ever, &process_worker, coprocessor->stack, BGLML_CO_STACK_BYTES);
  if (error != 0) bglml_fatal("the second core cannot be started: error %d", error);
  coprocessor->running = true;
}

static bglml_coprocessor_t* coprocessor_for(const char* what) {
  bglml_coprocessor_t* coprocessor = &bglml_instance->coprocessor;
  bglml_require(what);
  if (!coprocessor->present) {
    bglml_fatal("%s without a coprocessor; it runs in coprocessor mode unless the options say unused", what);
  }
  bglml_coprocessor_start(coprocessor);
  return coprocessor;
}

bool bglml_coprocessor_idle(const bglml_coprocessor_t* coprocessor) {
  return bgl_scratchpad_read_word(ENDED) == coprocessor->posted;
}

bglml_co_handle_t bglml_co_start(bglml_co_function_t function, void* argument) {
  bglml_coprocessor_t* coprocessor = coprocessor_for("bglml_co_start()");
  while (bgl_scratchpad_read_word(WAITING) == BGLML_PAD_TRANSIENT_UNITS) {  // until the coprocessor takes one
    if (bglml_instance->in_turn) {
      bglml_fatal("bglml_co_start() in a callback while %d units wait already", BGLML_PAD_TRANSIENT_UNITS);
    }
    bglml_advance();
  }
  const bglml_co_handle_t handle = coprocessor->posted++;
  write_unit(BGLML_PAD_TRANSIENT + 16 * (handle % BGLML_PAD_TRANSIENT_UNITS), function, argument);
  bgl_cache_flush_all();  // the unit sees earlier writes, and this core will not see stale copies of its results
  count_waiting(1);
  return handle;
}

bool bglml_co_finished(bglml_co_handle_t handle) {
  const bglml_coprocessor_t* coprocessor = coprocessor_for("bglml_co_finished()");
  const uint32_t age = coprocessor->posted - handle;  // 1: the last one started; counts may wrap
  if (age == 0 || age > UINT32_MAX / 2) {
    bglml_fatal("work unit %u asked for; %u were started", handle, coprocessor->posted);
  }
  return coprocessor->posted - bgl_scratchpad_read_word(ENDED) < age;
}

void bglml_co_join(bglml_co_handle_t handle) {
  // The unit may wait for messages that the coprocessor receives, so these must progress.
  while (!bglml_co_finished(handle)) bglml_advance();
  bgl_access_barrier();
}

void bglml_co_add_permanent(bglml_co_function_t function, void* argument) {
  bglml_coprocessor_t* coprocessor = coprocessor_for("bglml_co_add_permanent()");
  if (coprocessor->permanent == BGLML_PAD_PERMANENT_UNITS) {
    bglml_fatal("more than %d permanent work units", BGLML_PAD_PERMANENT_UNITS - 1);  // one is the layer's own
  }
  bgl_cache_flush_all();
  add_permanent(coprocessor, function, argument);
}
