// SPDX-License-Identifier: Apache-2.0
//
// Instructions that the engine does not know, registers and calls of a machine's own. The first argument selects.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define DEVICE 0xB1140000u
#define STATUS_REGISTER 0x10u
#define WORD_REGISTER 0x11u

// The assembler does not know them: a word of primary opcode 31, with three registers by number.
#define WORD(extended, t, a, b) ".long 31<<26 | " #t "<<21 | " #a "<<16 | " #b "<<11 | " #extended "<<1\n"
#define LFPDX(t, a, b) WORD(462, t, a, b)
#define LFPDUX(t, a, b) WORD(494, t, a, b)
#define STFPDX(t, a, b) WORD(974, t, a, b)
#define STFPDUX(t, a, b) WORD(1006, t, a, b)

struct pair {
  uint64_t first, second;
} __attribute__((aligned(16)));

static int failures;

static void expect(int good, const char* what) {
  if (good) return;
  printf("failed: %s\n", what);
  ++failures;
}

static int same(struct pair pair, uint64_t first, uint64_t second) {
  return pair.first == first && pair.second == second;
}

// Through f1: with a sum of two registers, with one.
static void copy(struct pair* to, const struct pair* from) {
  __asm__ volatile("mr 9,%1\n li 10,-32\n addi 9,9,32\n" LFPDX(1, 9, 10) "mr 9,%0\n" STFPDX(1, 0, 9)
                   :
                   : "r"(to), "r"(from)
                   : "r9", "r10", "fr1", "memory");
}

static void pairs(void) {
  static struct pair from[4], to[4];
  for (uint32_t i = 0; i < 4; ++i) {
    from[i].first = 0x0123456789ABCDEFull * (i + 1);
    from[i].second = 0xFEDCBA9876543210ull * (i + 3);
  }
  copy(&to[0], &from[0]);
  expect(same(to[0], from[0].first, from[0].second), "copy");

  // All registers, in both files: loads of all before the stores of all.
  const struct pair* source = from;
  struct pair* target = to;
  __asm__ volatile("mr 9,%0\n mr 10,%1\n li 11,16\n addi 9,9,-16\n addi 10,10,-16\n" LFPDUX(0, 9, 11) LFPDUX(13, 9, 11)
                       LFPDUX(31, 9, 11) LFPDUX(7, 9, 11) STFPDUX(7, 10, 11) STFPDUX(31, 10, 11) STFPDUX(13, 10, 11)
                           STFPDUX(0, 10, 11) "mr %0,9\n mr %1,10\n"
                   : "+r"(source), "+r"(target)
                   :
                   : "r9", "r10", "r11", "fr0", "fr7", "fr13", "fr31", "memory");
  expect(source == &from[3] && target == &to[3], "update");
  for (int i = 0; i < 4; ++i) expect(same(to[i], from[3 - i].first, from[3 - i].second), "registers");

  // The primary file is that of all other instructions; they leave the secondary one.
  static const double two = 2.0;
  double one;
  __asm__ volatile("mr 9,%1\n mr 10,%2\n" LFPDX(2, 0, 9) "stfd 2,0(%0)\n lfd 2,0(%3)\n" STFPDX(2, 0, 10)
                   :
                   : "b"(&one), "r"(&from[1]), "r"(&to[1]), "b"(&two)
                   : "r9", "r10", "fr2", "memory");
  uint64_t bits;
  memcpy(&bits, &one, sizeof bits);
  expect(bits == from[1].first, "primary file");
  memcpy(&bits, &two, sizeof bits);
  expect(same(to[1], bits, from[1].second), "secondary file");

  // Often, in a loop with other accesses: nothing is lost between blocks.
  uint64_t sum = 0, expected = 0;
  for (uint32_t i = 0; i < 200; ++i) {
    from[i % 4].second += i;
    expected += from[i % 4].second;
    copy(&to[(i + 1) % 4], &from[i % 4]);
    sum += to[(i + 1) % 4].second;
  }
  expect(sum == expected, "loop");
}

static void device(void) {
  static struct pair quad;
  copy(&quad, (const struct pair*)(DEVICE + 0x100));
  expect(same(quad, 0x0001020304050607ull, 0x08090A0B0C0D0E0Full), "load from a device");
  copy((struct pair*)(DEVICE + 0x300), &quad);  // takes whole quads alone
  for (int i = 0; i < 20; ++i) copy(&quad, (const struct pair*)(DEVICE + 0x20));
  expect(same(quad, 0, 0), "pure load from a device");
}

static uint32_t select_lower(int32_t a, int32_t b) {
  uint32_t result;
  __asm__ volatile(
      "mr 9,%1\n mr 10,%2\n cmpw 5,9,10\n .long 31<<26 | 11<<21 | 9<<16 | 10<<11 | 20<<6 | 15<<1\n mr %0,11"
      : "=r"(result)
      : "r"(a), "r"(b)
      : "r9", "r10", "r11", "cr5");
  return result;
}

static uint32_t zero_or(int32_t a, uint32_t b) {
  uint32_t result;
  __asm__ volatile("mr 10,%2\n cmpwi 0,%1,0\n .long 31<<26 | 11<<21 | 0<<16 | 10<<11 | 2<<6 | 15<<1\n mr %0,11"
                   : "=r"(result)
                   : "r"(a), "r"(b)
                   : "r10", "r11", "cr0");
  return result;
}

static void zero_byte(uint32_t first, uint32_t second) {
  uint32_t expected = 8, field = 0x2;
  for (uint32_t i = 1; i <= 8; ++i) {
    const uint32_t word = i <= 4 ? first : second;
    if ((word >> (24 - 8 * ((i - 1) % 4)) & 0xFF) != 0) continue;
    expected = i;
    field = i <= 4 ? 0x4 : 0x8;
    break;
  }
  uint32_t number, exception, conditions;
  __asm__ volatile(
      "mr 9,%3\n mr 10,%4\n .long 31<<26 | 9<<21 | 11<<16 | 10<<11 | 78<<1 | 1\n mfcr %2\n mfxer %1\n mr %0,11"
      : "=&r"(number), "=&r"(exception), "=&r"(conditions)
      : "r"(first), "r"(second)
      : "r9", "r10", "r11", "cr0", "xer");
  expect(number == expected, "dlmzb");
  expect((exception & 0x7F) == expected, "dlmzb's count in XER");
  expect(conditions >> 28 == field, "dlmzb's condition");
}

/// macchws., which saturates and records.
static void halves(uint32_t sum, uint32_t a, uint32_t b, uint32_t expected, uint32_t field) {
  uint32_t result, conditions;
  __asm__ volatile(
      "mr 9,%3\n mr 10,%4\n mr 11,%2\n .long 4<<26 | 11<<21 | 9<<16 | 10<<11 | 236<<1 | 1\n mfcr %1\n mr %0,11"
      : "=&r"(result), "=&r"(conditions)
      : "r"(sum), "r"(a), "r"(b)
      : "r9", "r10", "r11", "cr0");
  expect(result == expected, "macchws");
  expect(conditions >> 29 == field, "macchws's condition");
}

static void integer(void) {
  halves(100, 0x1234FFFEu, 0x00035678u, 94, 2);
  halves(6, 0x1234FFFEu, 0x00035678u, 0, 1);
  halves(0x80000001u, 0x12347FFFu, 0x80005678u, 0x80000000u, 4);

  expect(select_lower(3, 4) == 3 && select_lower(4, 3) == 3 && select_lower(-1, 1) == 0xFFFFFFFFu, "isel");
  expect(zero_or(0, 77) == 0 && zero_or(1, 77) == 77, "isel of zero");
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t words[2] = {0x01010101u, 0x80FF7F01u};
    for (unsigned byte = 0; byte < 8; ++byte)
      if (i >> byte & 1) words[byte / 4] &= ~(0xFFu << (24 - 8 * (byte % 4)));
    zero_byte(words[0], words[1]);
  }
  uint32_t kept = 0x12345678u;
  __asm__ volatile(".long 31<<26 | 1<<21 | 854<<1\n .long 31<<26 | 454<<1" : "+r"(kept) : : "memory");
  expect(kept == 0x12345678u, "mbar 1 and dccci");
}

static uint32_t read_control(uint32_t number) {
  uint32_t value;
  __asm__ volatile("mr 9,%1\n" WORD(291, 10, 9, 0) "mr %0,10" : "=r"(value) : "r"(number) : "r9", "r10", "memory");
  return value;
}

static void write_control(uint32_t number, uint32_t value) {
  __asm__ volatile("mr 9,%0\n mr 10,%1\n" WORD(419, 10, 9, 0) : : "r"(number), "r"(value) : "r9", "r10", "memory");
}

static void control(void) {
  write_control(WORD_REGISTER, 0xCAFE0001u);
  expect(read_control(WORD_REGISTER) == 0xCAFE0001u, "a word");
  uint32_t before, after;
  __asm__ volatile("mftb %0" : "=r"(before));
  while (read_control(STATUS_REGISTER) == 0) continue;
  __asm__ volatile("mftb %0" : "=r"(after));
  printf("polled for %u cycles\n", after - before);
  expect(after >= 70000 && after - before > 1000, "the time of the change");
}

#define SPECIAL(number)                                  \
  ({                                                     \
    uint32_t value;                                      \
    __asm__ volatile("mfspr %0," #number : "=r"(value)); \
    value;                                               \
  })

static void* identity(void* argument) {
  const uint32_t core = (uint32_t)(uintptr_t)argument;
  expect(SPECIAL(286) == core, "PIR");
  expect(SPECIAL(287) == 0x52021850u, "PVR");
  expect(SPECIAL(260) == 0x100 * core + 4 && SPECIAL(261) == 0x100 * core + 5, "SPRG4 and 5");
  expect(SPECIAL(262) == 0x100 * core + 6 && SPECIAL(263) == 0x100 * core + 7, "SPRG6 and 7");
  expect(SPECIAL(256) == 0, "USPRG0 at first");
  __asm__ volatile("mtspr 256,%0" : : "r"(core + 9));
  expect(SPECIAL(256) == core + 9, "USPRG0");
  return NULL;
}

static void special(void) {
  identity((void*)0);
  pthread_t thread;
  pthread_create(&thread, NULL, identity, (void*)1);
  pthread_join(thread, NULL);
  expect(SPECIAL(256) == 9, "USPRG0, beside that of another core");
}

static uint32_t call(uint32_t number, const uint32_t* arguments) {
  register uint32_t r0 __asm__("r0") = number;
  register uint32_t r3 __asm__("r3") = arguments[0];
  register uint32_t r4 __asm__("r4") = arguments[1];
  register uint32_t r5 __asm__("r5") = arguments[2];
  register uint32_t r6 __asm__("r6") = arguments[3];
  register uint32_t r7 __asm__("r7") = arguments[4];
  register uint32_t r8 __asm__("r8") = arguments[5];
  register uint32_t r9 __asm__("r9") = arguments[6];
  register uint32_t r10 __asm__("r10") = arguments[7];
  register uint32_t r11 __asm__("r11") = arguments[8];
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8), "+r"(r9), "+r"(r10),
                     "+r"(r11)
                   :
                   : "r12", "cr0", "ctr", "memory");
  return r3;
}

static const uint32_t nothing[9];

static void calls(void) {
  const uint32_t arguments[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  expect(call(1024, arguments) == 987654321u, "nine arguments");
  expect(call(1099, arguments) == 38, "a call that there is not");  // ENOSYS
  struct utsname name;
  expect(uname(&name) == 0 && strcmp(name.sysname, "CNK") == 0 && strcmp(name.machine, "BGP") == 0, "uname");
}

// Reads the device with the core's interrupt line up, where the kernel calls nobody, or with none.
static void interrupt_line(uint32_t up) {
  const uint32_t argument[9] = {up};
  expect(call(1026, argument) == 0, "nobody is called before");
  volatile const uint32_t* const word = (volatile const uint32_t*)(DEVICE + 0x100);
  for (uint32_t i = 0; i < 1000; ++i) expect(i % 3 != 0 || *word == 0x00010203, "load from a device");
  expect((call(1026, nothing) > 100) == up, "the line is looked at");
}

static void wait_for_ever(void) {
  static volatile uint32_t turns;
  while (1) ++turns;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  static struct pair pair[2];
  struct pair* const odd = (struct pair*)((char*)pair + 8);
  struct pair* const nowhere = (struct pair*)0x0E000000;
  const int second = getpid() == 2;  // the process's rank is 1
  if (strcmp(what, "pairs") == 0) pairs();
  if (strcmp(what, "device") == 0) device();
  if (strcmp(what, "integer") == 0) integer();
  if (strcmp(what, "control") == 0) control();
  if (strcmp(what, "special") == 0) special();
  if (strcmp(what, "calls") == 0) calls();
  if (memcmp(what, "line_", 5) == 0) interrupt_line(what[5] == 'u');  // the same instructions for both
  if (strcmp(what, "misaligned") == 0) copy(pair, odd);
  if (strcmp(what, "misaligned_store") == 0) copy(odd, pair);
  if (strcmp(what, "unmapped") == 0) copy(pair, nowhere);
  if (strcmp(what, "unmapped_store") == 0) copy(nowhere, pair);
  if (strcmp(what, "null") == 0) copy(pair, NULL);
  if (strcmp(what, "read_only") == 0) copy((struct pair*)((uint32_t)&main & ~15u), pair);
  if (strcmp(what, "refused") == 0) copy(pair, (struct pair*)(DEVICE + 0x500));
  if (strcmp(what, "no_update") == 0) __asm__ volatile(LFPDUX(1, 0, 9));
  if (strcmp(what, "record_bit") == 0) __asm__ volatile(".long 0x7c204b9d");
  if (strcmp(what, "no_control") == 0) read_control(0x20);
  if (strcmp(what, "beyond_control") == 0) read_control(0x800);
  if (strcmp(what, "by_device") == 0 || (second && strcmp(what, "second_by_device") == 0)) {
    call(1025, nothing);
    wait_for_ever();
  }
  printf("%s: %d failures\n", what, failures);
  return failures != 0;
}
