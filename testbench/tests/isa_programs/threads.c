// SPDX-License-Identifier: Apache-2.0
//
// pthreads: mutex, condition variable, barrier, thread-local storage, once, results.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { CONSUMERS = 3, ITEMS = 300, ROOM = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static unsigned queue[ROOM], held, taken, prepared, destroyed;
static _Thread_local unsigned long mine;

static void destroy(void* value) {
  pthread_mutex_lock(&mutex);
  destroyed += (unsigned)(uintptr_t)value;
  pthread_mutex_unlock(&mutex);
}

static void prepare(void) {
  prepared += 1;
  pthread_key_create(&key, destroy);
}

static void* consume(void* argument) {
  pthread_once(&once, prepare);
  pthread_setspecific(key, (void*)((uintptr_t)argument + 1));
  pthread_barrier_wait(&barrier);
  while (1) {
    pthread_mutex_lock(&mutex);
    while (held == 0 && taken < ITEMS) pthread_cond_wait(&filled, &mutex);
    if (taken == ITEMS) {
      pthread_mutex_unlock(&mutex);
      return (void*)(uintptr_t)mine;
    }
    mine += queue[--held];
    taken += 1;
    if (taken == ITEMS) pthread_cond_broadcast(&filled);
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t threads[CONSUMERS];
  pthread_barrier_init(&barrier, NULL, CONSUMERS + 1);
  for (uintptr_t i = 0; i < CONSUMERS; ++i) pthread_create(&threads[i], NULL, consume, (void*)i);
  pthread_once(&once, prepare);
  pthread_barrier_wait(&barrier);
  for (unsigned item = 1; item <= ITEMS; ++item) {
    pthread_mutex_lock(&mutex);
    while (held == ROOM) pthread_cond_wait(&emptied, &mutex);
    queue[held++] = item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  unsigned long sum = 0;
  for (unsigned i = 0; i < CONSUMERS; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += (unsigned long)(uintptr_t)result;
  }
  printf("sum %lu, mine %lu, prepared %u, destroyed %u\n", sum, mine, prepared, destroyed);
  return 0;
}
