// SPDX-License-Identifier: Apache-2.0
//
// Random system calls: system_call_fuzz SEED COUNT. Numbers of Linux, of this machine, and of nothing; arguments from
// a pool of values that are seldom meant, and of pointers. Only calls that do no more than end the process or the job
// are left out. What becomes of the program does not matter; the simulator must live.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AREA = 1 << 20, LARGE = 32 << 20 };

static uint64_t state;

static uint32_t any(void) {  // xorshift64*
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)(state * 0x2545F4914F6CDD1Dull >> 32);
}

static uint8_t* area;
static uint8_t* large;
static char* const names[] = {"a", "b",  "d", "d/e",    "d/../a", "../outside", "/", "/proc/self/maps",
                              ".", "..", "",  "d/d/d/d"};

static uint32_t value(void) {
  static const uint32_t nasty[] = {0,          1,          2,          3,          7,          8,          16,
                                   64,         255,        256,        1023,       1024,       1025,       4095,
                                   4096,       4097,       65535,      65536,      0x40000,    0x40001,    0x100000,
                                   0x7FFFFFFF, 0x80000000, 0x7FFFF000, 0xFFFFF000, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFF8,
                                   0xFFFFFF9C, 0x10000000, 0x0FFFF000, 0xB0000000, 0xB1140000, 0x20000000, 0x3FFFFFFF};
  switch (any() % 8) {
    case 0:
      return any();
    case 1:
      return any() % 40;
    case 2:
      return (uint32_t)(uintptr_t)names[any() % (sizeof names / sizeof names[0])];
    case 3:
      return (uint32_t)(uintptr_t)(area + any() % AREA / 8 * 8);
    case 4:
      return (uint32_t)(uintptr_t)(area + AREA - any() % 32);  // runs over its end
    case 5:
      return (uint32_t)(uintptr_t)large;
    default:
      return nasty[any() % (sizeof nasty / sizeof nasty[0])];
  }
}

// Words that make vectors, times and paths of the area.
static void refill(void) {
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t* const word = (uint32_t*)area + any() % (AREA / 4);
    *word = any() % 4 == 0 ? LARGE : value();
  }
}

static int ends_only(uint32_t number, const uint32_t* argument) {
  const int signals = number == 37 || number == 208 || number == 250;
  const int waits_for_ever = number == 29 || number == 178;  // pause and rt_sigsuspend
  return waits_for_ever || number == 1 || number == 234 || number == 1010 || (signals && argument[0] < 3);
}

static long call(uint32_t number, const uint32_t* argument) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = argument[0];
  register uint32_t r4 __asm__("r4") = argument[1];
  register uint32_t r5 __asm__("r5") = argument[2];
  register uint32_t r6 __asm__("r6") = argument[3];
  register uint32_t r7 __asm__("r7") = argument[4];
  register uint32_t r8 __asm__("r8") = argument[5];
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                   :
                   : "r9", "r10", "r11", "r12", "cr0", "ctr", "memory");
  return (long)r3;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ull + 1;
  const unsigned count = (unsigned)atoi(argv[2]);
  area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  large = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mkdir("d", 0700);
  for (int i = 0; i < 4; ++i) open(names[i % 2], O_RDWR | O_CREAT, 0600);
  open("d", O_RDONLY);
  for (unsigned i = 0; i < count; ++i) {
    refill();
    uint32_t argument[6];
    for (unsigned k = 0; k < 6; ++k) argument[k] = value();
    const uint32_t number = any() % 8 == 0 ? 1000 + any() % 12 : any() % 64 == 0 ? any() : any() % 451;
    if (!ends_only(number, argument)) call(number, argument);
  }
  _exit(0);
}
