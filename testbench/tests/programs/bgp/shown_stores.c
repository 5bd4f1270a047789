// SPDX-License-Identifier: Apache-2.0
//
// A thread that polls memory sets a word and clears it again in each turn: a register is read in between, or nothing.
// Another thread looks at that word again and again, and counts how often it is set. The word lies in a block from the
// heap, which may lie right below the thread's stack, and on that stack.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/spi_program.h"

#define LOOKS 400u
#define BLOCK (150u << 10)

typedef struct {
  volatile uint32_t state, stop;
} job_t;

static DMA_CounterGroup_t* counters;
static volatile uint32_t ends;
static job_t* volatile on_stack;

static void compute(uint32_t turns) {
  while (turns-- != 0) __asm__ volatile("");
}

static void poll(job_t* job, int reads) {
  while (!job->stop) {
    job->state = 1;
    compute(20);
    if (reads) (void)DMA_CounterGetHitZeroById(counters, 0);
    job->state = 0;
    compute(15);
  }
  job->stop = 0;
}

static void* worker(void* argument) {
  job_t own = {0, 0};
  on_stack = &own;
  for (int reads = 0; reads < 2; reads++) {
    poll(argument, reads);
    poll(&own, reads);
  }
  while (!ends) {
  }
  return NULL;
}

static void look(job_t* job) {
  unsigned set = 0;
  for (uint32_t i = 0; i < LOOKS; i++) {
    set += job->state;
    compute(500 + i * 37 % 3000);
    set += job->state;
  }
  job->stop = 1;
  while (job->stop) {
  }
  printf("%u of %u\n", set, 2 * LOOKS);
}

int main(void) {
  const spi_place_t place = spi_place();
  counters = spi_counters(&place, DMA_Type_Reception);
  job_t* const job = calloc(1, BLOCK);
  pthread_t thread;
  spi_expect(pthread_create(&thread, NULL, worker, job), "thread");
  for (int reads = 0; reads < 2; reads++) {
    look(job);
    look(on_stack);
  }
  ends = 1;
  pthread_join(thread, NULL);
  free(job);
  return 0;
}
