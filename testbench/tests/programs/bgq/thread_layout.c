/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints on which hardware threads new threads begin, in the order of their creation.
 *
 *     ./toroid run --machine bgq --shape 1x1x1x1x1 thread_layout 5
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <spi/include/kernel/location.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 63 };

static pthread_barrier_t all_there;

static void* see(void* unused) {
  (void)unused;
  pthread_barrier_wait(&all_there); /* none has ended before the last has begun */
  return (void*)(uintptr_t)Kernel_ProcessorID();
}

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? atoi(argv[1]) : 3, count = wanted < kMost ? wanted : kMost;
  pthread_t threads[kMost];
  pthread_barrier_init(&all_there, NULL, (unsigned)count);
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&threads[i], NULL, see, NULL) != 0) return 1;
  }
  for (int i = 0; i < count; ++i) {
    void* place;
    pthread_join(threads[i], &place);
    printf("%lu%c", (unsigned long)(uintptr_t)place, i + 1 < count ? ' ' : '\n');
  }
  return 0;
}
