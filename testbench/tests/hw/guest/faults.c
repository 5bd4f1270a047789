// SPDX-License-Identifier: Apache-2.0
//
// Programs that do what they must not, and ends of all kinds. The first argument selects.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint32_t data_word = 0x4E800020;  // blr, in data

__attribute__((noinline)) static int overflow(volatile int* below) {
  volatile int frame[256];
  frame[0] = *below + 1;
  return overflow(frame) + frame[0];
}

// A frame that no stack holds: it begins far below the guard.
__attribute__((noinline)) static int large_frame(volatile int* from) {
  volatile int frame[12 << 20];
  frame[0] = *from;
  return frame[*from] + (int)sizeof frame;
}

// One that is larger than the guard and begins in memory that the program has, but the stack does not reach it.
__attribute__((noinline)) static int frame_over_the_guard(volatile int* from) {
  volatile int frame[3 << 18];
  frame[3 << 17] = *from;
  return frame[3 << 17] + frame[*from];
}

__attribute__((noinline)) static int fill_the_stack(volatile int* from) {
  volatile int frame[(7 << 20) / 4];
  frame[0] = *from;
  return frame_over_the_guard(from) + frame[0];
}

__attribute__((noinline)) static void illegal(void) {
  __asm__ volatile(".long 0");
}
__attribute__((noinline)) static void privileged(void) {
  __asm__ volatile("mfmsr 3" ::: "r3");
}
__attribute__((noinline)) static void invalidate(void) {
  __asm__ volatile("dcbi 0,%0" : : "r"(&data_word) : "memory");
}
__attribute__((noinline)) static void trap(void) {
  __asm__ volatile("trap");
}
__attribute__((noinline)) static void add_atomically(uint32_t* to) {
  __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}
__attribute__((noinline)) static uint32_t read_word(volatile uint32_t* from) {
  return *from;
}
__attribute__((noinline)) static void write_word(volatile uint32_t* to) {
  *to = 1;
}

static void unblock(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  sigprocmask(SIG_BLOCK, &one, NULL);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
}

static int wait_for_any_signal(void) {
  sigset_t all;
  int taken;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  return sigwait(&all, &taken);
}

static int suspend(void) {
  sigset_t none;
  sigemptyset(&none);
  return sigsuspend(&none);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  printf("before\n");
  fflush(stdout);
  if (strcmp(what, "illegal") == 0) illegal();
  if (strcmp(what, "privileged") == 0) privileged();
  if (strcmp(what, "invalidate") == 0) invalidate();
  if (strcmp(what, "trap") == 0) trap();
  if (strcmp(what, "odd-atomic") == 0) add_atomically((uint32_t*)((uintptr_t)&data_word + 1));
  if (strcmp(what, "null-read") == 0) return (int)read_word(NULL);
  if (strcmp(what, "null-write") == 0) write_word(NULL);
  if (strcmp(what, "null-call") == 0) ((void (*)(void))(uintptr_t)(argc - 2))();
  if (strcmp(what, "wild-read") == 0) return (int)read_word((uint32_t*)0x70000000);
  if (strcmp(what, "write-to-code") == 0) write_word((uint32_t*)(uintptr_t)&main);
  if (strcmp(what, "jump-to-data") == 0) ((void (*)(void))(uintptr_t)&data_word)();
  if (strcmp(what, "jump-away") == 0) ((void (*)(void))0x70000000)();
  if (strcmp(what, "overflow") == 0) {
    volatile int zero = 0;
    return overflow(&zero);
  }
  if (strcmp(what, "large-frame") == 0 || strcmp(what, "frame-over-guard") == 0) {
    volatile int zero = 0;
    if (strcmp(what, "large-frame") == 0) return large_frame(&zero);
    if (mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return 1;
    return fill_the_stack(&zero);
  }
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "raise") == 0) raise(SIGTERM);
  if (strcmp(what, "exit") == 0) exit(42);
  if (strcmp(what, "pause") == 0) return pause();
  if (strcmp(what, "sigsuspend") == 0) return suspend();
  if (strcmp(what, "sigwait-for-ever") == 0) return wait_for_any_signal();
  if (strcmp(what, "unblocked") == 0) unblock(SIGUSR2);
  if (strcmp(what, "protected") == 0) {
    // The page is in the engine's caches as writable when it becomes read-only.
    static uint8_t pages[8192] __attribute__((aligned(4096)));
    memset(pages, 1, sizeof pages);
    if (mprotect(pages + 4096, 4096, PROT_READ) != 0) return 1;
    write_word((uint32_t*)(pages + 4092));
    if (read_word((uint32_t*)(pages + 4096)) != 0x01010101) return 1;
    write_word((uint32_t*)(pages + 4096));
  }
  if (strcmp(what, "unmapped") == 0) {
    uint32_t* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(volatile uint32_t*)page = 1;
    if (munmap(page, 4096) != 0) return 1;
    write_word(page);
  }
  if (strcmp(what, "executable-heap") == 0) {
    void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? 7 : 0;
  }
  return 2;
}
