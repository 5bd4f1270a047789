/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hardware thread waits by `waitimpl`, and something wakes it: what the program's argument says. It prints how often
 * it has waited, and whether it has slept: longer than the 50 microseconds before which nothing happens.
 *
 *     ./toroid run --machine bgq --ranks-per-node 16 --shape 1x1x1x1x1 --ranks 1 wake_up store
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "firmware/programs/bgq/mu.h"
#include "nic/bgq/wu_regs.h"

enum { kLine = 128, kMost = 63, kSubgroup = 0 };
static const uint64_t kSleep = 80000; /* 50 us of 1.6 GHz */

/* Lines that threads store to; the first has a size of its own, as comparators need. */
static struct { volatile uint64_t word[8192]; } watched __attribute__((aligned(65536)));
static volatile uint64_t elsewhere __attribute__((aligned(kLine)));
static uint8_t descriptors[1024] __attribute__((aligned(kLine)));
static uint8_t packets[4096] __attribute__((aligned(kLine)));
static uint64_t payload[4] __attribute__((aligned(kLine)));
static uint8_t here[BGQ_DIMENSIONS];
static volatile unsigned ready, waits;
static const char* how;
static unsigned others;

/* The wake-up unit. ------------------------------------------------------------------------------------------------ */

static volatile uint64_t* unit(unsigned offset) {
  return (volatile uint64_t*)(BGQ_VA_L1P + BGQ_WU_BASE % BGQ_VA_L1P_BYTES + offset);
}
static unsigned thread(void) {
  return place_of_thread() & 3;
}
static volatile uint64_t* to_set(void) {
  return unit(BGQ_WU_THREAD_SET_OFFSET + BGQ_WU_THREAD_SET_STRIDE * thread());
}
static volatile uint64_t* to_clear(void) {
  return unit(BGQ_WU_THREAD_CLEAR_OFFSET + BGQ_WU_THREAD_CLEAR_STRIDE * thread());
}
static uint64_t own_comparator(void) {
  return 1ull << (63 - thread());
}
/* As WU_ArmWithAddress() of the machine's headers. */
static void arm(const volatile void* at, uint64_t mask) {
  *unit(BGQ_WU_WAC_BASE_OFFSET + BGQ_WU_WAC_BASE_STRIDE * thread()) = physical(at);
  *unit(BGQ_WU_WAC_MASK_OFFSET + BGQ_WU_WAC_MASK_STRIDE * thread()) = mask;
  *to_clear() = own_comparator();
  (void)*to_clear();
}
static void wait_for_event(void) {
  __asm__ volatile(".long 0x7c40007c" : : : "memory"); /* waitimpl */
  ++waits;
}
static void wait_while_zero(const volatile uint64_t* word, uint64_t mask) {
  for (;;) {
    arm(word, mask);
    if (*word != 0) return;
    wait_for_event();
  }
}

/* What wakes. ------------------------------------------------------------------------------------------------------ */

static void compute(uint64_t cycles) {
  const uint64_t end = time_base() + cycles;
  while (time_base() < end) continue;
}
static volatile uint64_t* alias(const volatile uint64_t* word, unsigned operation) {
  return (volatile uint64_t*)(BGQ_VA_L2_ATOMICS +
                              ((uint64_t)word << BGQ_L2_ATOMICS_ADDRESS_SHIFT & ~BGQ_L2_ATOMICS_LOW) +
                              (operation << BGQ_L2_ATOMICS_OPERATION_SHIFT));
}
static int is(const char* what) {
  return strcmp(how, what) == 0;
}

static void* wake(void* unused) {
  (void)unused;
  while (!ready) continue;
  compute(kSleep);
  if (is("neighbour")) {
    watched.word[8] = 1; /* the next 64 bytes: of the line, but not watched */
    compute(kSleep);
  }
  if (is("store") || is("set before") || is("neighbour") || is("mask")) watched.word[0] = 1;
  if (is("l2")) *alias(watched.word, 2 /* add */) = 1;
  if (is("l2 same")) *alias(watched.word, 4 /* or */) = 0;
  if (is("software")) *unit(BGQ_WU_THREAD_SET_OFFSET) = 1ull << BGQ_WU_THREAD_SET_SOFTWARE_STATUS_SHIFT;
  if (is("many")) {
    watched.word[0] = 1;
    while (watched.word[1024] != others) continue;
  }
  return NULL;
}

static void* wait_with_others(void* unused) {
  (void)unused;
  wait_while_zero(watched.word, ~63ull);
  __atomic_fetch_add((uint64_t*)&watched.word[1024], 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static uint64_t inject(mu_ring_t* ring, const uint8_t* descriptor) {
  const uint64_t error = mu_open_injection(kSubgroup, 0, descriptors, sizeof descriptors, 0, ring);
  if (error == 0) mu_inject(ring, descriptor);
  return error;
}

/* A put to this node decrements the counter that is watched. */
static uint64_t put(void) {
  uint8_t descriptor[BGQ_DESCRIPTOR_BYTES];
  mu_ring_t ring;
  uint64_t error = mu_open_base(kSubgroup, 0, physical(packets));
  if (error == 0) error = mu_open_base(kSubgroup, 1, bgq_atomic_address(physical(watched.word), 2));
  if (error != 0) return error;
  mu_describe(descriptor, here, 1, physical(payload), sizeof payload);
  mu_set_type(descriptor, BGQ_MU_PUT);
  bgq_set_payload_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8);
  bgq_set_counter_base(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 8 + 1);
  return inject(&ring, descriptor);
}

/* A packet to this node interrupts its subgroup. */
static uint64_t send(mu_ring_t* reception) {
  uint8_t descriptor[BGQ_DESCRIPTOR_BYTES];
  mu_ring_t ring;
  const uint32_t number = 0, attributes = BGQ_INTERRUPT_PACKET;
  static uint64_t group[BGQ_SG_REC_BYTES / 8];
  uint64_t error = mu_open_reception(kSubgroup, 0, packets, sizeof packets, reception);
  *(uint32_t*)((uint8_t*)group + BGQ_SG_REC_SUBGROUP_AT) = kSubgroup;
  if (error == 0)
    error =
        kernel_call(BGQ_SYS_CONFIGURE_REC_INTERRUPTS, (uint64_t)group, 1, (uint64_t)&number, (uint64_t)&attributes, 0);
  if (error != 0) return error;
  mu_describe(descriptor, here, 1, physical(payload), sizeof payload);
  bgq_descriptor_t what = bgq_descriptor_decode(descriptor);
  what.interrupt = 1;
  bgq_descriptor_encode(&what, descriptor);
  bgq_set_reception_fifo(descriptor + BGQ_DESCRIPTOR_HEADER, kSubgroup * 4);
  return inject(&ring, descriptor);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static uint64_t wait_for_it(void) {
  if (is("put")) {
    watched.word[0] = sizeof payload;
    arm(watched.word, ~63ull);
    const uint64_t error = put();
    if (error != 0) return error;
    while (watched.word[0] != 0) wait_for_event(), arm(watched.word, ~63ull);
  } else if (is("packet")) {
    mu_ring_t ring;
    *to_clear() = own_comparator() | own_comparator() >> 32;
    *to_set() = 0x8ull << BGQ_WU_THREAD_SET_MU_ENABLE_SHIFT;
    const uint64_t error = send(&ring);
    if (error != 0) return error;
    while (ring.registers[MU_TAIL] == ring.registers[MU_HEAD]) wait_for_event();
    wait_for_event(); /* ends at once: the interrupt is up until it is cleared */
    const uint64_t events = *to_set();
    *mu_register(kSubgroup, BGQ_MU_INT_CLEAR_OFFSET) = 0x8000; /* FIFO 0 */
    printf("event %x, then %x\n", (unsigned)(events >> 32), (unsigned)(*to_set() >> 32));
  } else if (is("software")) {
    *to_clear() = own_comparator();
    *to_set() = 1ull << BGQ_WU_THREAD_SET_SOFTWARE_ENABLE_SHIFT;
    wait_for_event();
  } else if (is("l2 same")) {
    arm(watched.word, ~63ull);
    wait_for_event();
  } else if (is("set before")) {
    arm(watched.word, ~63ull);
    compute(3 * kSleep); /* the store comes meanwhile */
    wait_for_event();
  } else if (is("mask")) {
    wait_while_zero(watched.word, ~0xFFFFull);
  } else if (is("everything")) {
    arm(watched.word, 0);
    wait_for_event();
  } else {
    wait_while_zero(watched.word, ~63ull);
  }
  return 0;
}

static void idle(void) {
  const struct timespec second = {1, 0};
  pthread_t threads[kMost];
  for (unsigned i = 0; i < others; ++i) pthread_create(&threads[i], NULL, wait_with_others, NULL);
  nanosleep(&second, NULL);
  watched.word[0] = 1;
  for (unsigned i = 0; i < others; ++i) pthread_join(threads[i], NULL);
  printf("%u threads have waited a second\n", others);
}

int main(int argc, char** argv) {
  uint8_t personality[BGQ_PERSONALITY_BYTES];
  kernel_call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0, 0, 0);
  memcpy(here, personality + BGQ_PERSONALITY_COORDS_AT, sizeof here);
  how = argc > 1 ? argv[1] : "store";
  others = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
  if (others > kMost) return 1;
  if (is("idle")) {
    idle();
    return 0;
  }
  kernel_call(BGQ_SYS_ALLOCATE_L2_ATOMIC, (uint64_t)&watched, sizeof watched, 0, 0, 0);
  pthread_t waker, threads[kMost];
  pthread_create(&waker, NULL, wake, NULL);
  for (unsigned i = 0; i < others; ++i) pthread_create(&threads[i], NULL, wait_with_others, NULL);
  elsewhere = 1;
  ready = 1;
  const uint64_t begin = time_base();
  const uint64_t error = wait_for_it();
  const uint64_t took = time_base() - begin;
  if (error != 0) printf("error %u\n", (unsigned)error);
  pthread_join(waker, NULL);
  for (unsigned i = 0; i < others; ++i) pthread_join(threads[i], NULL);
  printf("%s: %u waits, %s\n", how, waits, took > kSleep ? "slept" : "did not sleep");
  return error != 0;
}
