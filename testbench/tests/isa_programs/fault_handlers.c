// SPDX-License-Identifier: Apache-2.0
//
// Handlers of faults: left by siglongjmp(), on two threads, and one that mends what was wrong and returns.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 1 << 16, PAGES = 4 };

static __thread sigjmp_buf back;
static char* memory;
static int mended;

static void leave(int signal, siginfo_t* information, void* context) {
  (void)context;
  const int known = information->si_signo == signal && information->si_addr == (void*)16;
  siglongjmp(back, known && information->si_code == SEGV_MAPERR ? 1 : 2);
}

/// Lets the program write the page that it has tried to write.
static void mend(int signal, siginfo_t* information, void* context) {
  (void)signal, (void)context;
  const uintptr_t page = (uintptr_t)information->si_addr / PAGE * PAGE;
  mended += information->si_code == SEGV_ACCERR && mprotect((void*)page, PAGE, PROT_READ | PROT_WRITE) == 0;
}

static void leave_trap(int signal, siginfo_t* information, void* context) {
  (void)context;
  const int known = (signal == SIGTRAP || signal == SIGILL) && information->si_addr != NULL;
  siglongjmp(back, known ? 1 : 2);
}

static void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(signal, &action, NULL);
}

/// Where nothing is, `times` times.
static void* touch(void* times) {
  volatile int* volatile nowhere = (volatile int*)16;
  volatile uintptr_t left = 0, write = 0, right = 0;
  for (; left < (uintptr_t)times; ++left) {
    switch (sigsetjmp(back, 1)) {
      case 0:
        if (left % 2 == 0) {
          *nowhere = 1;
        } else {
          write += (unsigned)*nowhere;
        }
        return NULL;
      case 1:
        right += 1;
    }
  }
  return (void*)(right + write);
}

int main(void) {
  handle(SIGSEGV, leave);
  printf("left %d times\n", (int)(uintptr_t)touch((void*)9));
  pthread_t thread;
  void* times = NULL;
  pthread_create(&thread, NULL, touch, (void*)5);
  pthread_join(thread, &times);
  printf("a thread left %d times\n", (int)(uintptr_t)times);

  // Room for pages at multiples of their size.
  char* const room = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory = (char*)(((uintptr_t)room + PAGE - 1) / PAGE * PAGE);
  memset(memory, 1, PAGES * PAGE);
  mprotect(memory, PAGES * PAGE, PROT_READ);
  handle(SIGSEGV, mend);
  int sum = 0;
  for (int i = 0; i < PAGES * PAGE; i += PAGE / 16) {
    memory[i] = (char)(i / PAGE + 2);
    sum += memory[i];
  }
  printf("mended %d pages, sum %d\n", mended, sum);

  handle(SIGTRAP, leave_trap);
  handle(SIGILL, leave_trap);
  for (volatile int i = 0; i < 2; ++i) {
    const int how = sigsetjmp(back, 1);
    if (how == 0) __builtin_trap();
    printf("trap %d\n", how);
  }
  return 0;
}
