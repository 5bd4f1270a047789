// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of all widths, by four threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 2000 };
static atomic_uchar byte;
static atomic_ushort half;
static atomic_uint word, lock, most;
static atomic_uintptr_t wide;
static atomic_int order;
static unsigned plain;

static void* work(void* argument) {
  const unsigned who = (unsigned)(uintptr_t)argument;
  for (unsigned turn = 0; turn < TURNS; ++turn) {
    atomic_fetch_add(&byte, 1);
    atomic_fetch_add_explicit(&half, 3, memory_order_relaxed);
    atomic_fetch_xor(&word, 1u << (who * 8 + turn % 8));
    atomic_fetch_add(&wide, 5);
    unsigned expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &expected, 1, memory_order_acquire, memory_order_relaxed))
      expected = 0;
    plain += 1;
    atomic_store_explicit(&lock, 0, memory_order_release);
    unsigned seen = atomic_load(&most);
    const unsigned mine = turn * THREADS + who;
    while (seen < mine && !atomic_compare_exchange_strong(&most, &seen, mine)) {
    }
    atomic_exchange(&order, (int)who);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  work(NULL);
  for (unsigned i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
  printf("%u %u %08x %u %u %u\n", (unsigned)byte, (unsigned)half, (unsigned)word, (unsigned)wide, plain,
         (unsigned)most);
  return 0;
}
