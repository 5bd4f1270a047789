// SPDX-License-Identifier: Apache-2.0
// mpi_threaded_ranks COUNT PROGRAM.so [NAME=VALUE]...: as mpi_ranks, but every rank is a thread of the operating system
// and may start others.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "load.h"
#include "ranks.h"

static struct {
  pthread_t thread;
  main_t* main;
  int code;
} ranks[RANKS_MOST];
static _Thread_local uint32_t self;
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;

uint32_t ranks_self(void) {
  return self;
}

void ranks_lock(void) {
  pthread_mutex_lock(&shared);
}

void ranks_unlock(void) {
  pthread_mutex_unlock(&shared);
}

void ranks_yield(void) {
  sched_yield();
}

void ranks_progress(void) {}

static void* run(void* rank) {
  self = (uint32_t)(uintptr_t)rank;
  char name[] = "program";
  char* arguments[] = {name, NULL};
  ranks[self].code = ranks[self].main(1, arguments);
  return NULL;
}

int main(int argc, char** argv) {
  int status = 0;
  const uint32_t size = ranks_arguments(argc, argv);
  for (uint32_t rank = 0; rank < size; ++rank) ranks[rank].main = ranks_load(argv[2]);
  if (chdir(ranks_directory()) != 0) ranks_fail(ranks_directory(), "cannot be entered");
  for (uint32_t rank = 0; rank < size; ++rank) {
    if (pthread_create(&ranks[rank].thread, NULL, run, (void*)(uintptr_t)rank) != 0) {
      ranks_fail("a rank", "cannot be started");
    }
  }
  for (uint32_t rank = 0; rank < size; ++rank) {
    pthread_join(ranks[rank].thread, NULL);
    if (ranks[rank].code != 0) status = ranks[rank].code;
  }
  return status;
}
