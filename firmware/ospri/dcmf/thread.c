// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/thread.h"

#include <pthread.h>
#include <stddef.h>

static pthread_t thread;

static void* run(void* body) {
  void (*function)(void);
  *(void**)&function = body;
  function();
  return NULL;
}

bool ospri_start_thread(void (*body)(void)) {
  return pthread_create(&thread, NULL, run, *(void**)&body) == 0;
}

void ospri_join_thread(void) {
  pthread_join(thread, NULL);
}

void ospri_pause(unsigned cycles) {
  // A turn takes two cycles. The time base would be exact, but reading it takes longer than a short pause lasts.
  for (unsigned turns = cycles / 2; turns != 0; --turns) __asm__ volatile("");
}
