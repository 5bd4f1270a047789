// SPDX-License-Identifier: Apache-2.0
// Latency of puts and gets over their size, from rank 0 to rank 1: many of a kind back to back, as the published
// programs measure it, and one at a time; in microseconds.
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/dcmf_program.h"

enum { LEAST = 8, MOST = 1 << 20, REPEATS = 20, FIRST = 4 };  // the first ones are not measured
static char source[MOST], target[MOST];

static DCMF_Protocol_t put, get;
static DCMF_Request_t requests[REPEATS];
static void* there_source;
static void* there_target;

static double microseconds(unsigned long long cycles, unsigned clock) {
  return (double)cycles / clock;
}

static void start_put(unsigned i, uint32_t bytes, DCMF_Callback_t done, DCMF_Callback_t ack) {
  if (DCMF_Put(&put, &requests[i], done, DCMF_SEQUENTIAL_CONSISTENCY, 1, bytes, program_region(0), program_region(1),
               (size_t)source, (size_t)there_target, ack) != DCMF_SUCCESS) {
    abort();
  }
}

// Local completion, puts one behind the other.
static unsigned long long local_puts(uint32_t bytes, unsigned count) {
  volatile unsigned due = count;
  const DCMF_Callback_t done = {program_count_down, (void*)&due}, none = {NULL, NULL};
  const unsigned long long begin = DCMF_Timebase();
  for (unsigned i = 0; i < count; ++i) start_put(i, bytes, done, none);
  program_wait(&due);
  return DCMF_Timebase() - begin;
}

// Remote completion, one at a time.
static unsigned long long acknowledged_puts(uint32_t bytes, unsigned count) {
  const DCMF_Callback_t none = {NULL, NULL};
  const unsigned long long begin = DCMF_Timebase();
  for (unsigned i = 0; i < count; ++i) {
    volatile unsigned due = 1;
    const DCMF_Callback_t ack = {program_count_down, (void*)&due};
    start_put(i, bytes, none, ack);
    program_wait(&due);
  }
  return DCMF_Timebase() - begin;
}

static unsigned long long gets(uint32_t bytes, unsigned count) {
  const unsigned long long begin = DCMF_Timebase();
  for (unsigned i = 0; i < count; ++i) {
    volatile unsigned due = 1;
    const DCMF_Callback_t done = {program_count_down, (void*)&due};
    if (DCMF_Get(&get, &requests[i], done, DCMF_SEQUENTIAL_CONSISTENCY, 1, bytes, program_region(1), program_region(0),
                 (size_t)there_source, (size_t)target) != DCMF_SUCCESS) {
      abort();
    }
    program_wait(&due);
  }
  return DCMF_Timebase() - begin;
}

int main(void) {
  program_start();
  DCMF_Hardware_t hardware;
  DCMF_Put_Configuration_t put_configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Get_Configuration_t get_configuration = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  if (DCMF_Messager_size() < 2) {
    fprintf(stderr, "dcmf_latency: two ranks are needed\n");
    return EXIT_FAILURE;
  }
  DCMF_Put_register(&put, &put_configuration);
  DCMF_Get_register(&get, &get_configuration);
  DCMF_Hardware(&hardware);
  there_source = program_address(source, 1);
  there_target = program_address(target, 1);
  if (DCMF_Messager_rank() == 0) {
    for (uint32_t bytes = LEAST; bytes <= MOST; bytes *= 2) {
      local_puts(bytes, FIRST), acknowledged_puts(bytes, FIRST), gets(bytes, FIRST);
      const unsigned long long local = local_puts(bytes, REPEATS), remote = acknowledged_puts(bytes, REPEATS),
                               fetched = gets(bytes, REPEATS);
      printf("dcmf_latency bytes=%u put_local=%.3f put_remote=%.3f get=%.3f\n", (unsigned)bytes,
             microseconds(local, hardware.clockMHz) / REPEATS, microseconds(remote, hardware.clockMHz) / REPEATS,
             microseconds(fetched, hardware.clockMHz) / REPEATS);
    }
  }
  return program_end(EXIT_SUCCESS);
}
