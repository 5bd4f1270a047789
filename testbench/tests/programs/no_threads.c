// SPDX-License-Identifier: Apache-2.0
//
// Asks for a thread on a machine whose kernel gives none.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void* never(void* unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  const int result = pthread_create(&thread, NULL, never, NULL);
  // What a library does around a thread works without one.
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  printf("pthread_create: %s; %ld processor\n", strerror(result), sysconf(_SC_NPROCESSORS_ONLN));
  pthread_mutex_unlock(&mutex);
  return 0;
}
