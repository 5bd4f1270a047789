// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/second_core.h"

#include <errno.h>

#include "drivers/bgl/cache.h"
#include "drivers/bgl/kernel.h"

// The top of the second core's stack. The back chain of the first frame is 0, which ends a debugger's backtrace; the
// rest of the line belongs to the frame's callee (its saved link register).
typedef struct {
  uint32_t back_chain;
  uint32_t link;
  uint32_t pad[2];
  void (*function)(void*);
  void* argument;
} start_t;

_Static_assert(sizeof(start_t) <= BGL_CACHE_LINE_BYTES, "the start fits into the stack's last line");

// Entry point of the second core.
static void trampoline(uint32_t argument) {
  const start_t* start = (const start_t*)(uintptr_t)argument;
  start->function(start->argument);
  bgl_second_core_stop();
}

int bgl_second_core_start(void (*function)(void*), void* argument, void* stack, uint32_t bytes) {
  if (!bgl_cache_whole_lines(stack, bytes) || bytes < 2 * BGL_CACHE_LINE_BYTES) return EINVAL;
  start_t* start = (start_t*)((uintptr_t)stack + bytes - BGL_CACHE_LINE_BYTES);
  *start = (start_t){.function = function, .argument = argument};
  bgl_cache_flush_all();
  return bgl_start_core(trampoline, start, (uint32_t)(uintptr_t)start);
}

void bgl_second_core_fail(const char* line, int status) {
  enum { SYS_WRITE = 4, SYS_EXIT_GROUP = 234, STANDARD_ERROR = 2 };  // Linux's numbers on PowerPC
  uint32_t length = 0, none;
  while (line[length] != '\0') length += 1;
  (void)bgl_system_call(SYS_WRITE, STANDARD_ERROR, (uint32_t)(uintptr_t)line, length, &none);
  (void)bgl_system_call(SYS_EXIT_GROUP, (uint32_t)status, 0, 0, &none);
  bgl_second_core_stop();
}

void bgl_second_core_stop(void) {
  bgl_cache_flush_all();
  (void)bgl_stop_core();
  for (;;) {  // the kernel does not return
  }
}
