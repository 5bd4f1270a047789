// SPDX-License-Identifier: Apache-2.0
//
// How much the hardware threads of one processor issue together: a loop of a kind runs on as many threads as are named,
// at the same time. `issue KIND...` prints of each thread how many instructions it has begun in 1000 of its cycles.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TURNS = 4000, MOST = 4 };

#define FOUR(text) text text text text
#define SIXTEEN(text) FOUR(FOUR(text))

static pthread_barrier_t barrier;
static uint64_t per_thousand[MOST];

static uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("mftb %0" : "=r"(cycles));
  return cycles;
}

/// Independent additions.
static unsigned integers(void) {
  for (unsigned i = 0; i < TURNS; ++i) __asm__ volatile(FOUR(SIXTEEN("addi 7,6,1\n")) : : : "r7");
  return TURNS * 65;
}

/// Each waits for the one before.
static unsigned floats(void) {
  for (unsigned i = 0; i < TURNS; ++i) __asm__ volatile(SIXTEEN("fadd 8,8,9\n") : : : "fr8");
  return TURNS * 17;
}

/// Independent ones.
static unsigned streams(void) {
  for (unsigned i = 0; i < TURNS; ++i) __asm__ volatile(FOUR(SIXTEEN("fadd 7,8,9\n")) : : : "fr7");
  return TURNS * 65;
}

/// As many of the one as of the other, independent.
static unsigned both(void) {
  for (unsigned i = 0; i < TURNS; ++i) __asm__ volatile(SIXTEEN("fadd 7,8,9\n addi 7,6,1\n") : : : "fr7", "r7");
  return TURNS * 33;
}

/// Each load's address comes from the one before.
static unsigned loads(void) {
  static void* loop = &loop;
  void* place = &loop;
  for (unsigned i = 0; i < TURNS; ++i) __asm__ volatile(SIXTEEN("ld %0,0(%0)\n") : "+b"(place));
  return TURNS * 17;
}

enum { LINES = 1 << 15, STEP = 5003 };
static struct line {
  struct line* next;
  char rest[120];
} lines[LINES];

/// Each load's address comes from the one before, and its line is in no first level of a cache.
static unsigned chases(void) {
  enum { CHASES = TURNS / 8 };
  struct line* place = lines;
  for (unsigned i = 0; i < CHASES; ++i) __asm__ volatile(SIXTEEN("ld %0,0(%0)\n") : "+b"(place));
  return CHASES * 17;
}

/// Reads of a device's register, each of which the thread waits for.
static unsigned devices(void) {
  enum { READS = 2 * TURNS };
  const volatile uint64_t* const note = (const volatile uint64_t*)(uintptr_t)0xb1150018u;  // COPIER_NOTE
  for (unsigned i = 0; i < READS; ++i) (void)*note;
  return READS * 4;
}

static const struct {
  const char* name;
  unsigned (*run)(void);
} kinds[] = {{"integers", integers}, {"floats", floats}, {"streams", streams}, {"both", both},
             {"loads", loads},       {"chases", chases}, {"devices", devices}};

static const char* kind_of[MOST];

static void* run(void* argument) {
  const unsigned own = (unsigned)(uintptr_t)argument;
  (void)pthread_barrier_wait(&barrier);
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
    if (strcmp(kinds[i].name, kind_of[own]) != 0) continue;
    (void)kinds[i].run();  // everything is in the caches behind it, and all have begun
    const uint64_t begin = now();
    const unsigned instructions = kinds[i].run();
    per_thousand[own] = 1000ull * instructions / (now() - begin);
    (void)kinds[i].run();  // the others come to their end
  }
  (void)pthread_barrier_wait(&barrier);
  return NULL;
}

int main(int argc, char** argv) {
  const unsigned threads = (unsigned)argc - 1;
  for (unsigned each = 0; each < LINES; ++each) lines[each].next = &lines[(each + STEP) % LINES];
  pthread_t others[MOST];
  pthread_barrier_init(&barrier, NULL, threads);
  for (unsigned i = 0; i < threads; ++i) kind_of[i] = argv[1 + i];
  for (unsigned i = 1; i < threads; ++i) pthread_create(&others[i], NULL, run, (void*)(uintptr_t)i);
  run(NULL);
  for (unsigned i = 1; i < threads; ++i) pthread_join(others[i], NULL);
  for (unsigned i = 0; i < threads; ++i) printf("%s %u\n", kind_of[i], (unsigned)per_thousand[i]);
  return 0;
}
