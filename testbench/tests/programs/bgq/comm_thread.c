/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A communication thread of the machine's way: it runs when a packet comes whose descriptor asks for an interrupt, and
 * gives up its processor between. The argument `gea` lets interrupts come by the event aggregator.
 *
 *     ./toroid run --machine bgq --ranks-per-node 4 --shape 1x1x1x1x1 comm_thread
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/thread.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgq/mu.h"

enum { kPackets = 5, kProcessor = 2 };

static uint8_t descriptors[1024] __attribute__((aligned(128)));
static uint8_t packets[4096] __attribute__((aligned(128)));
static uint64_t payload[4] __attribute__((aligned(128)));
static mu_ring_t reception;
static unsigned subgroup;
static volatile unsigned ready, calls, wrong;

/* On the frame of serve(), whose thread this is. */
static void receive(uint64_t first, uint64_t second, uint64_t third, uint64_t fourth) {
  wrong += first != 11 || second != 22 || third != (uint64_t)&reception || fourth != ~0ull;
  wrong += Kernel_ProcessorThreadID() != kProcessor || sched_getscheduler(0) != SCHED_RR;
  wrong += reception.registers[MU_TAIL] == reception.registers[MU_HEAD];
  *mu_register(subgroup, BGQ_MU_INT_CLEAR_OFFSET) = 0x8000u >> subgroup % 4 * 4;
  reception.registers[MU_HEAD] = reception.registers[MU_TAIL];
  ++calls;
  Kernel_CommThreadPoof();
  ++wrong; /* it does not return */
}

static void* serve(void* how) {
  const int interrupt = how != NULL ? KERNEL_COMM_INT_GEA : KERNEL_COMM_INT0 + (int)(subgroup % 4);
  wrong += Kernel_CommThreadInstallHandler(5, receive, 0, 0, 0, 0) != 22;
  wrong += Kernel_CommThreadInstallHandler(interrupt, receive, 11, 22, (uint64_t)&reception, ~0ull) != 0;
  wrong += Kernel_CommThreadDisableInterrupts() != 0 || Kernel_CommThreadEnableInterrupts() != 0;
  ready = 1;
  Kernel_CommThreadPoof();
  ++wrong;
  return NULL;
}

static uint64_t open_reception(int aggregated) {
  const uint32_t number = 0, attributes = BGQ_INTERRUPT_PACKET;
  static uint64_t group[BGQ_SG_REC_BYTES / 8];
  uint64_t error = mu_open_reception(subgroup, 0, packets, sizeof packets, &reception);
  *(uint32_t*)((uint8_t*)group + BGQ_SG_REC_SUBGROUP_AT) = subgroup;
  if (error == 0)
    error =
        kernel_call(BGQ_SYS_CONFIGURE_REC_INTERRUPTS, (uint64_t)group, 1, (uint64_t)&number, (uint64_t)&attributes, 0);
  if (error == 0 && aggregated) error = kernel_call(BGQ_SYS_CONFIGURE_MU_GEA, subgroup, 1, 0, 0, 0);
  return error;
}

int main(int argc, char** argv) {
  const int aggregated = argc > 1 && strcmp(argv[1], "gea") == 0;
  uint8_t personality[BGQ_PERSONALITY_BYTES], descriptor[BGQ_DESCRIPTOR_BYTES];
  mu_ring_t ring;
  pthread_t thread;
  pthread_attr_t attributes;
  cpu_set_t set;
  const struct sched_param priority = {.sched_priority = 99};
  const unsigned first = Kernel_ProcessorID();
  subgroup = first + 1; /* of the process's first core */
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  uint64_t error = open_reception(aggregated);
  if (error == 0) error = mu_open_injection(subgroup, 0, descriptors, sizeof descriptors, 0, &ring);
  if (error != 0) return 1;
  mu_describe(descriptor, personality + BGQ_PERSONALITY_COORDS_AT, 1, physical(payload), sizeof payload);
  bgq_descriptor_t what = bgq_descriptor_decode(descriptor);
  what.interrupt = 1;
  bgq_descriptor_encode(&what, descriptor);
  bgq_set_reception_fifo(descriptor + BGQ_DESCRIPTOR_HEADER, subgroup * 4);

  CPU_ZERO(&set);
  CPU_SET(first + kProcessor, &set);
  pthread_attr_init(&attributes);
  pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_RR);
  pthread_attr_setschedparam(&attributes, &priority);
  if (pthread_create(&thread, &attributes, serve, aggregated ? "gea" : NULL) != 0) return 2;
  while (!ready) continue;
  for (unsigned i = 1; i <= kPackets; ++i) {
    mu_inject(&ring, descriptor);
    while (calls < i) continue;
  }
  printf("%u calls, %u wrong\n", calls, wrong);
  fflush(stdout);
  return wrong != 0;
}
