// SPDX-License-Identifier: Apache-2.0
//
// The second core computes while messages flow: blocks of numbers travel around a ring, and every process works on each
// of them once. While the second core works on a block, the first sends it on and receives the next one.
// docs/guide/message_layer.md explains it; the parts it shows stand between the bracketed marks.
#include <stdint.h>
#include <stdio.h>

#include "firmware/bgl/msglayer/msglayer.h"

enum { NUMBERS = 2048, LINE = 32 };

// Memory that both cores use fills lines of its own.
typedef struct {
  double number[NUMBERS];
} __attribute__((aligned(LINE))) block_t;

// [unit]
// What the second core is given to do, and where it leaves the result.
typedef struct {
  const block_t* block;
  double sum;
} __attribute__((aligned(LINE))) job_t;

static void sum_of_squares(void* argument) {
  job_t* job = argument;
  double sum = 0;
  for (unsigned i = 0; i < NUMBERS; ++i) sum += job->block->number[i] * job->block->number[i];
  job->sum = sum;
}
// [end]

static block_t blocks[2];
static job_t job;
static bglml_eager_t message;
static bglml_eager_receive_t receive;
static volatile uint32_t sent, arrived;
static uint32_t expected;  // blocks that have begun to come in

static void count(void* counter) {
  *(volatile uint32_t*)counter += 1;
}

// Blocks come in turn into the one and the other buffer.
static bglml_eager_receive_t* recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                      uint32_t length) {
  (void)context, (void)source, (void)metadata, (void)length;
  expected += 1;
  bglml_eager_receive_init(&receive, &blocks[expected % 2], count, (void*)&arrived);
  return &receive;
}

// [overlap]
// Works on the block that is here, sends it on and waits for the next one: all at once.
static double step(bglml_port_t port, uint32_t number) {
  block_t* block = &blocks[number % 2];
  job.block = block;
  const bglml_co_handle_t handle = bglml_co_start(sum_of_squares, &job);  // the second core sees `job` and `block`

  bglml_eager_init(&message, port, (bglml_rank() + 1) % bglml_size(), NULL, block, sizeof *block, count, (void*)&sent);
  bglml_eager_post(&message);
  while (sent <= number || arrived <= number) bglml_advance();  // touches neither `job` nor what the unit writes

  bglml_co_join(handle);
  const double sum = job.sum;  // from memory: the first core holds no old copy of the line
  bglml_barrier();             // the block may be overwritten: everybody has sent it on
  return sum;
}
// [end]

int main(void) {
  bglml_init(NULL);
  const bglml_port_t port = bglml_eager_register(recvnew, NULL);
  for (unsigned i = 0; i < NUMBERS; ++i) blocks[0].number[i] = bglml_rank() + 1;
  bglml_barrier();
  double total = 0;
  for (uint32_t number = 0; number < bglml_size(); ++number) total += step(port, number);
  printf("rank %u: %.0f\n", bglml_rank(), total);
  return 0;
}
