// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/threads.h"

#if MPIT_THREADS

#include <pthread.h>

#include "firmware/mpi/collective.h"

static int level;
static bool anyone_multiple;
static pthread_t main_thread;

void mpii_require_threads(int required) {
  level = required;
}

void mpii_threads_init(void) {
  main_thread = pthread_self();
  level = mpit_provide_threads(level);
}

int mpii_provided_to(int required) {
  (void)required;
  return level;
}

int mpii_thread_level(void) {
  return level;
}

bool mpii_is_main_thread(void) {
  return pthread_equal(pthread_self(), main_thread) != 0;
}

void mpii_threads_agree(void) {
  anyone_multiple = mpii_agree_max(mpii_world, level == MPI_THREAD_MULTIPLE) != 0;
}

bool mpii_anyone_multiple(void) {
  return anyone_multiple;
}

void mpii_give_way(void) {
  const char* running = mpii_running;  // the function of another thread runs meanwhile
  mpit_give_way();
  mpii_running = running;
}

#endif
