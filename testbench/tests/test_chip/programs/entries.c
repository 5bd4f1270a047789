// SPDX-License-Identifier: Apache-2.0
//
// Where the kernel enters a program by a pointer: further cores and interrupt handlers. `entries core` and
// `entries handler` go there; `entries wrong` passes pointers that are none to functions, and stacks that are none.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hw/kernel/kernel_abi.h"
#include "testbench/tests/test_chip/copier_regs.h"
#include "testbench/tests/test_chip/driver.h"

#if defined(__powerpc64__)
enum { DESCRIPTORS = 1 };
#else
enum { DESCRIPTORS = 0 };
#endif
enum { WITHOUT_ROOM = sizeof(long) == 8 ? 16 : 0 };  // from the end of memory: 24 and 8 bytes are needed

static char stack[8192] __attribute__((aligned(4096)));
volatile unsigned long arrived, turns = 1;

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("not so: %s\n", what);
  exit(1);
}

static void* top(void) {
  return stack + sizeof stack - 64;
}

static long start(const void* function, void* on, unsigned long argument) {
  return syscall(TOROID_SYS_START_CORE, function, on, argument) == 0 ? 0 : errno;
}

/// `turns` is reached by the table of contents, where there is one.
static void on_core(unsigned long argument) {
  arrived = argument + turns;
  turns += 1;
  syscall(TOROID_SYS_STOP_CORE);
}

static void start_and_wait(const void* function, unsigned long argument, unsigned long expected) {
  arrived = 0;
  while (start(function, top(), argument) == EBUSY) {
  }
  while (arrived == 0) {
  }
  expect(arrived == expected, "the core has its argument and its table of contents");
}

#if defined(__powerpc64__)
#define TEXT_OF(macro) #macro
#define TEXT(macro) TEXT_OF(macro)
#define OTHER_CONTENTS 0x123456780
/// Functions whose table of contents is another one than their caller's; they tell which they have found.
void other_on_core(unsigned long argument);
void other_handler(void);
__asm__(".data\n.balign 8\n"
        ".globl other_on_core, other_handler\n"
        "other_on_core: .quad .Lother_on_core, " TEXT(OTHER_CONTENTS) ", 0\n"
        "other_handler: .quad .Lother_handler, " TEXT(OTHER_CONTENTS) ", 0\n"
        ".text\n"
        ".Lother_on_core: lis 4,arrived@ha\n"
        "std 2,arrived@l(4)\n"
        "li 0," TEXT(TOROID_SYS_STOP_CORE) "\n"
        "sc\n"
        ".Lother_handler: lis 4,arrived@ha\n"
        "std 2,arrived@l(4)\n"
        "lis 4,(" TEXT(COPIER_BASE) " + " TEXT(COPIER_INTERRUPT) ")@h\n"
        "ori 4,4,(" TEXT(COPIER_BASE) " + " TEXT(COPIER_INTERRUPT) ")@l\n"
        "clrldi 4,4,32\n"
        "li 5,0\n"
        "stw 5,0(4)\n"
        "li 0," TEXT(TOROID_SYS_INTERRUPT_RETURN) "\n"
        "sc\n");
#endif

static void core(void) {
  start_and_wait((const void*)on_core, ~0ul / 3, ~0ul / 3 + 1);
  start_and_wait((const void*)on_core, 1000, 1002);
#if defined(__powerpc64__)
  start_and_wait((const void*)other_on_core, 1, OTHER_CONTENTS);
#endif
  printf("%lu turns\n", turns);
}

static volatile unsigned interrupts;

static void handler(void) {
  interrupts += 1;
  copier_lower_interrupt();
}

static void interrupt(void) {
  static char from[64], to[64];
  copier_put(&(struct copier_copy){to, from, sizeof to, NULL, 0, COPIER_FLAG_INTERRUPT});
  copier_ring();
}

static void by_interrupt(void) {
  expect(copier_start(4) == 0 && copier_on_interrupt(handler, stack, sizeof stack) == 0, "there is an interrupt line");
  interrupt();
  while (interrupts == 0) {
  }
#if defined(__powerpc64__)
  expect(syscall(TOROID_SYS_SET_INTERRUPT_HANDLER, other_handler, top(), (unsigned long)COPIER_INTERRUPT_GROUP) == 0,
         "another handler takes its place");
  interrupt();
  while (arrived == 0) {
  }
  expect(arrived == OTHER_CONTENTS, "a handler has its own table of contents");
#endif
  printf("%u interrupts\n", interrupts);
}

static void wrong(void) {
  static unsigned long numbers[3];
  unsigned long nowhere[3] = {0, 0, 0};
  char* const code = DESCRIPTORS ? *(char**)(void*)on_core : (char*)on_core;
  char* const last = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(last != MAP_FAILED && mprotect(last, 8192, PROT_NONE) == 0, "memory that nobody may read");
  const void* const functions[] = {NULL, numbers, nowhere, last, (void*)-8, DESCRIPTORS ? code : (char*)numbers};
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i) {
    expect(start(functions[i], top(), 0) == EFAULT, "a pointer to no function is refused");
    expect(syscall(TOROID_SYS_SET_INTERRUPT_HANDLER, functions[i], top(), 1ul) == -1 && errno == EFAULT,
           "so it is of a handler");
  }
#if defined(__powerpc64__)
  void* const between[3] = {code + 2, NULL, NULL};
  expect(start(between, top(), 0) == EFAULT, "code begins at a word");
#elif defined(__powerpc__)
  expect(start(code + 2, top(), 0) == EFAULT, "code begins at a word");
#endif
  expect(mprotect(last, 4096, PROT_READ | PROT_WRITE) == 0, "its first page is there again");
  void* const stacks[] = {NULL, stack + 8, last + 4096 - WITHOUT_ROOM};
  for (unsigned i = 0; i < sizeof stacks / sizeof *stacks; ++i)
    expect(start((const void*)on_core, stacks[i], 0) == EFAULT, "a stack without room is refused");
  printf("refused\n");
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "core") == 0) core();
  if (strcmp(what, "handler") == 0) by_interrupt();
  if (strcmp(what, "wrong") == 0) wrong();
}
