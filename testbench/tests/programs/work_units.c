// SPDX-License-Identifier: Apache-2.0
//
// Work units on the second core, while messages go around a ring: many more than the pool holds, of many lengths,
// joined late or at once; a permanent unit beside them. Prints, on rank 0:
//   work_units units=200 wrong=0 permanent=1 messages=200
// The arguments: how many units.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"

enum { LINE = 32, WORDS = 64, WINDOW = 24 };

/// What a unit reads and what it writes: lines of their own.
typedef struct {
  uint32_t in[WORDS];
  struct {
    uint32_t sum;
    uint32_t order;  // how many units ran before it
    uint64_t end;    // by the time base
    uint32_t unused[4];
  } out;
} __attribute__((aligned(LINE))) unit_t;

/// Touched by the second core alone.
static struct {
  uint32_t ran;
  uint32_t idle;  // calls of the permanent unit
} __attribute__((aligned(LINE))) second __attribute__((aligned(LINE)));

static uint32_t idle_seen[LINE / sizeof(uint32_t)] __attribute__((aligned(LINE)));
static unit_t units[WINDOW];
static bglml_co_handle_t handles[WINDOW];
static uint32_t wrong, received;

static uint32_t sum_of(const uint32_t* words) {
  uint32_t sum = 0;
  for (unsigned turn = 0; turn < 1 + words[0] % 256; ++turn) {
    for (unsigned i = 0; i < WORDS; ++i) sum = sum * 31 + (words[i] ^ turn);
  }
  return sum;
}

static void work(void* argument) {
  unit_t* unit = argument;
  unit->out.sum = sum_of(unit->in);
  unit->out.order = second.ran++;
  unit->out.end = bgl_timebase();
}

static void count_idle(void* argument) {
  (void)argument;
  if (second.idle < 1000) second.idle += 1;  // then it stores no more, and the core can be parked
}

static void report_idle(void* argument) {
  *(uint32_t*)argument = second.idle;
}

static void begin(uint32_t number) {
  unit_t* unit = &units[number % WINDOW];
  for (unsigned i = 0; i < WORDS; ++i) unit->in[i] = number * 2654435761u + i * i;
  unit->out.sum = unit->out.order = 0xFFFFFFFFu;
  handles[number % WINDOW] = bglml_co_start(work, unit);
}

static void end(uint32_t number) {
  const unit_t* unit = &units[number % WINDOW];
  bglml_co_join(handles[number % WINDOW]);
  if (bgl_timebase() < unit->out.end) {
    fprintf(stderr, "work_units: rank %u: unit %u was joined before its end\n", bglml_rank(), number);
    wrong += 1;
  }
  if (!bglml_co_finished(handles[number % WINDOW])) wrong += 1;
  if (unit->out.sum != sum_of(unit->in) || unit->out.order != number) {
    fprintf(stderr, "work_units: rank %u: unit %u: sum %x, expected %x; ran as number %u\n", bglml_rank(), number,
            unit->out.sum, sum_of(unit->in), unit->out.order);
    wrong += 1;
  }
}

static void recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)buffer, (void)length;
  received += 1;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

int main(int argc, char** argv) {
  const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 200;
  bglml_init(NULL);
  const bglml_port_t port = bglml_one_packet_register(recvnew, NULL);
  bglml_barrier();
  bglml_co_add_permanent(count_idle, NULL);
  uint32_t ended = 0;
  for (uint32_t number = 0; number < count; ++number) {
    if (number - ended == WINDOW) end(ended++);
    begin(number);
    if (number % 50 == 0) {  // this one and those before it at once
      while (ended <= number) end(ended++);
    }
    bglml_one_packet_t message;
    volatile uint32_t sent = 0;
    bglml_one_packet_init(&message, port, (bglml_rank() + 1) % bglml_size(), number, NULL, 0, set, (void*)&sent);
    bglml_one_packet_post(&message);
    bglml_wait(&sent);
  }
  while (ended < count) end(ended++);
  while (received < count) bglml_advance();
  bglml_co_join(bglml_co_start(report_idle, idle_seen));
  bglml_barrier();
  if (bglml_rank() == 0) {
    printf("work_units units=%u wrong=%u permanent=%u messages=%u\n", count, wrong, idle_seen[0] != 0, received);
  }
  return wrong != 0 || idle_seen[0] == 0;
}
