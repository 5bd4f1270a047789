// SPDX-License-Identifier: Apache-2.0
//
// Coprocessor mode: a process and the core that it starts. The first argument selects; the second is a number of turns.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/bgl/kernel.h"
#include "share.h"

enum { COMMAND = 0, ANSWER = 4, COUNT = 8, SEEN = 12, READY = 16, LOCK = 3, BARRIER = 8 };
enum { EXIT_GROUP = 234, WRITE = 4 };

static uint8_t stack[65536] __attribute__((aligned(32)));
static unsigned turns = 100;

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition), _exit(1); \
    }                                                                                 \
  } while (0)

static int start(void (*entry)(uint32_t), uint32_t argument) {
  bgl_flush_l1();
  return bgl_start_core(entry, stack + sizeof stack - 32, argument);
}

// Starts the core as soon as it is idle.
static void start_again(void (*entry)(uint32_t), uint32_t argument) {
  int error;
  do {
    error = start(entry, argument);
  } while (error == EBUSY);
  CHECK(error == 0);
}

// On the second core. ------------------------------------------------------------------------------------------------

static void stop(void) {
  bgl_flush_l1();
  bgl_stop_core();
}

static void add_one(uint32_t argument) {
  uint32_t gpr2, gpr13, link;
  __asm__ volatile("mr %0,2\n\tmr %1,13" : "=r"(gpr2), "=r"(gpr13));
  link = (uint32_t)(uintptr_t)__builtin_return_address(0);
  *sram(COUNT) = gpr2;
  *sram(COUNT + 1) = gpr13;
  *sram(COUNT + 2) = link;
  *sram(ANSWER) = argument + 1;
  stop();
}

static void serve(uint32_t argument) {
  for (uint32_t i = 0; i < argument; ++i) {
    wait_for(COMMAND, i + 1);
    *sram(ANSWER) = i + 1;
  }
  stop();
}

static void increment(uint32_t argument) {
  for (uint32_t i = 0; i < argument; ++i) {
    acquire(LOCK);
    const uint32_t before = *sram(COUNT);
    *sram(COUNT) = before + 1;
    release(LOCK);
  }
  *sram(READY) = 1;
  stop();
}

static void meet(uint32_t argument) {
  for (uint32_t i = 0; i < argument; ++i) {
    core_barrier(BARRIER);
    const uint32_t seen = *sram(COUNT);
    core_barrier(BARRIER);
    if (seen != i + 1) *sram(SEEN) += 1;
    for (volatile uint32_t delay = 0; delay < i % 5 * 30; ++delay) {
    }
  }
  *sram(READY) = 1;
  stop();
}

// Writes to the page that COMMAND names, whenever it names another one: between, polls, computes, or takes locks.
static void touch(uint32_t how) {
  uint32_t last = 0;
  volatile uint32_t busy = 0;
  *sram(READY) = 1;
  for (;;) {
    const uint32_t page = *sram(COMMAND);
    if (page == 1) break;
    if (page != last && page != 0) {
      volatile uint32_t* words = word_at(page);
      const uint32_t before = words[0];
      words[1] = before + 1;
      last = page;
      *sram(ANSWER) = page;
    }
    if (how == 1) {
      for (unsigned i = 0; i < 3000; ++i) busy = busy + 1;
    } else if (how == 2) {
      acquire(LOCK);
      release(LOCK);
    }
  }
  stop();
}

static uint32_t* volatile nowhere;
__attribute__((noinline)) static void store_through_null(void) {
  *nowhere = 1;
}
__attribute__((noinline)) static void execute_illegal(void) {
  __asm__ volatile(".long 0");
}
__attribute__((noinline)) static void poll_for_ever(void) {
  wait_for(COMMAND, 0xFFFFFFFF);
}
__attribute__((noinline)) static void compute_for_ever(void) {
  for (volatile uint32_t i = 0;; ++i) {
  }
}
static void null_pointer(uint32_t argument) {
  (void)argument;
  store_through_null();
}
static void illegal(uint32_t argument) {
  (void)argument;
  execute_illegal();
}
static void device(uint32_t argument) {
  (void)argument;
  *lock_register(BARRIER + 1, BGL_LOCKBOX_BARRIER_OFFSET) = 0;
}
static void leave(uint32_t argument) {
  (void)argument;  // the link register holds 0
}
static void polls(uint32_t argument) {
  *sram(READY) = argument;
  poll_for_ever();
}
static void computes(uint32_t argument) {
  *sram(READY) = argument;
  compute_for_ever();
}
static void exits(uint32_t status) {
  uint32_t none;
  static const char text[] = "core 1 writes\n";
  bgl_system_call(WRITE, 1, (uint32_t)(uintptr_t)text, sizeof text - 1, &none);
  bgl_system_call(EXIT_GROUP, status, 0, 0, &none);
}

// On the first. ------------------------------------------------------------------------------------------------------

static void test_starts(void) {
  uint32_t gpr2, gpr13;
  __asm__ volatile("mr %0,2\n\tmr %1,13" : "=r"(gpr2), "=r"(gpr13));
  CHECK(bgl_stop_core() == EINVAL);
  CHECK(bgl_start_core(add_one, (void*)16, 0) == EFAULT);
  CHECK(bgl_start_core(add_one, stack + 8, 0) == EFAULT);
  CHECK(bgl_start_core((void (*)(uint32_t))(uintptr_t)stack, stack + 4096, 0) == EFAULT);
  CHECK(bgl_start_core((void (*)(uint32_t))((uintptr_t)add_one + 2), stack + 4096, 0) == EFAULT);
  for (uint32_t i = 0; i < turns; ++i) {
    start_again(add_one, 7 * i);
    wait_for(ANSWER, 7 * i + 1);
    CHECK(*sram(COUNT) == gpr2 && *sram(COUNT + 1) == gpr13 && *sram(COUNT + 2) == 0);
  }
}

static void test_exchange(void) {
  start_again(serve, turns);
  CHECK(start(serve, turns) == EBUSY);
  for (uint32_t i = 0; i < turns; ++i) {
    *sram(COMMAND) = i + 1;
    wait_for(ANSWER, i + 1);
  }
}

static void test_lock(void) {
  start_again(increment, turns);
  for (uint32_t i = 0; i < turns; ++i) {
    acquire(LOCK);
    const uint32_t before = *sram(COUNT);
    *sram(COUNT) = before + 1;
    release(LOCK);
  }
  wait_for(READY, 1);
  printf("count %u\n", *sram(COUNT));
  CHECK(*sram(COUNT) == 2 * turns);
}

static void test_barrier(void) {
  start_again(meet, turns);
  for (uint32_t i = 0; i < turns; ++i) {
    *sram(COUNT) = i + 1;
    core_barrier(BARRIER);
    core_barrier(BARRIER);
  }
  wait_for(READY, 1);
  CHECK(*sram(SEEN) == 0);
}

// Memory that comes and goes while the other core runs.
static void test_memory(uint32_t how) {
  start_again(touch, how);
  wait_for(READY, 1);
  uint32_t* old = NULL;
  for (uint32_t i = 0; i < turns; ++i) {
    uint32_t* page;
    if (i % 3 == 2) {
      page = sbrk(2 << 20);
      CHECK(page != (void*)-1);
    } else {
      page = mmap(NULL, 4096 * (1 + i % 4), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      CHECK(page != MAP_FAILED);
    }
    page[0] = i;
    *sram(COMMAND) = (uint32_t)(uintptr_t)page;
    wait_for(ANSWER, (uint32_t)(uintptr_t)page);
    CHECK(page[1] == i + 1);
    if (i % 3 == 1) {
      *sram(COMMAND) = 0;
      CHECK(mprotect(old, 4096, PROT_READ) == 0);
      CHECK(munmap(old, 4096) == 0);
    }
    old = page;
  }
  *sram(COMMAND) = 1;
}

// The other core has used the page; then it goes away under it.
static void test_unmapped(void) {
  start_again(touch, 0);
  uint32_t* page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *sram(COMMAND) = (uint32_t)(uintptr_t)page;
  wait_for(ANSWER, (uint32_t)(uintptr_t)page);
  munmap(page, 8192);
  *sram(COMMAND) = (uint32_t)(uintptr_t)page + 64;
  poll_for_ever();
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (argc > 2) turns = (unsigned)strtoul(argv[2], NULL, 0);
  setvbuf(stdout, NULL, _IONBF, 0);
  static const struct {
    const char* name;
    void (*entry)(uint32_t);
  } alone[] = {{"null", null_pointer}, {"illegal", illegal}, {"device", device},    {"leave", leave},
               {"exits", exits},       {"deadlock", polls},  {"computes", computes}};
  for (unsigned i = 0; i < sizeof alone / sizeof alone[0]; ++i) {
    if (strcmp(what, alone[i].name) != 0) continue;
    start_again(alone[i].entry, 5);
    poll_for_ever();
  }
  if (strcmp(what, "starts") == 0) {
    test_starts();
  } else if (strcmp(what, "exchange") == 0) {
    test_exchange();
  } else if (strcmp(what, "lock") == 0) {
    test_lock();
  } else if (strcmp(what, "barrier") == 0) {
    test_barrier();
  } else if (strcmp(what, "memory") == 0) {
    test_memory(0);
  } else if (strcmp(what, "memory-computing") == 0) {
    test_memory(1);
  } else if (strcmp(what, "memory-locking") == 0) {
    test_memory(2);
  } else if (strcmp(what, "unmapped") == 0) {
    test_unmapped();
  } else if (strcmp(what, "exit-polling") == 0 || strcmp(what, "exit-computing") == 0) {
    start_again(what[5] == 'p' ? polls : computes, 5);
    wait_for(READY, 5);
    for (volatile unsigned i = 0; i < turns; ++i) {
    }
  } else {
    return 2;
  }
  printf("%s: well at %llu\n", what, (unsigned long long)bgl_timebase());
  return 0;
}
