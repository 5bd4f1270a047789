// SPDX-License-Identifier: Apache-2.0
// The job, the lock, and who advances.
#include <dcmf_globalcollectives.h>
#include <pthread.h>

#include "firmware/armci/bgp/bgp.h"

static uint32_t rank, size;
static DCMF_Protocol_t barrier_protocol;

void armcib_init(void) {
  static bool registered;
  DCMF_Messager_initialize();
  rank = (uint32_t)DCMF_Messager_rank();
  size = (uint32_t)DCMF_Messager_size();
  if (registered) return;
  registered = true;
  armcib_enter();
  DCMF_GlobalBarrier_Configuration_t barrier = {.protocol = DCMF_GI_GLOBALBARRIER_PROTOCOL};
  armcib_check(DCMF_GlobalBarrier_register(&barrier_protocol, &barrier), "DCMF_GlobalBarrier_register");
  armcib_register_requests();
  armcib_register_memory();
  // A message to a process that has not registered, but advances in MPI, would be an error.
  armcib_barrier();
  armcib_exchange_memory();
  armcib_exit();
}

/// DCMF goes on: MPI may use it, or a later ARMCI_Init().
void armcib_finalize(void) {}

uint32_t armcib_rank(void) {
  return rank;
}

uint32_t armcib_size(void) {
  return size;
}

double armcib_time(void) {
  return DCMF_Timer();
}

void armcib_set_flag(void* flag, DCMF_Error_t* error) {
  (void)error;
  *(volatile bool*)flag = true;
}

bool armcib_barrier(void) {
  DCMF_Request_t request;
  volatile bool met = false;
  const DCMF_Callback_t done = {.function = armcib_set_flag, .clientdata = (void*)&met};
  armcib_check(DCMF_GlobalBarrier(&barrier_protocol, &request, done), "DCMF_GlobalBarrier");
  while (!met) armcib_advance();
  return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The lock: DCMF's critical section

void armcib_enter(void) {
  DCMF_CriticalSection_enter(0);
}

void armcib_exit(void) {
  DCMF_CriticalSection_exit(0);
}

void armcib_advance(void) {
  DCMF_Messager_advance();
  DCMF_CriticalSection_cycle(0);
}

// ---------------------------------------------------------------------------------------------------------------
// Progress

static DCMF_Configure_t before;  ///< what was asked of DCMF by others
static bool changed;
static pthread_t helper;
static volatile bool helper_runs;

static void configure(DCMF_Thread threads, DCMF_Interrupts interrupts, DCMF_Configure_t* holds) {
  DCMF_Configure_t wanted = {.thread_level = threads, .interrupts = interrupts};
  armcib_check(DCMF_Messager_configure(&wanted, holds), "DCMF_Messager_configure");
}

static void* help(void* unused) {
  enum { PAUSE = 200 };  // cycles in which others can take the lock
  (void)unused;
  while (helper_runs) {
    DCMF_Messager_advance();
    for (unsigned i = 0; i < PAUSE; ++i) __asm__ volatile("");
  }
  return NULL;
}

static void restore(void) {
  if (helper_runs) {
    helper_runs = false;
    pthread_join(helper, NULL);
  }
  if (changed) configure(before.thread_level, before.interrupts, NULL);
  changed = false;
}

armcib_progress_t armcib_progress(armcib_progress_t wanted) {
  if (wanted == ARMCIB_POLLING) {
    restore();
    return ARMCIB_POLLING;
  }
  DCMF_Configure_t holds;
  armcib_check(DCMF_Messager_configure(NULL, &before), "DCMF_Messager_configure");
  changed = true;
  const bool by_interrupts = wanted == ARMCIB_INTERRUPTS;
  configure(DCMF_THREAD_MULTIPLE, by_interrupts ? DCMF_INTERRUPTS_ON : before.interrupts, &holds);
  // What is not granted leaves the program its threads.
  if (holds.thread_level != DCMF_THREAD_MULTIPLE) return ARMCIB_POLLING;
  if (by_interrupts) return holds.interrupts == DCMF_INTERRUPTS_ON ? ARMCIB_INTERRUPTS : ARMCIB_POLLING;
  helper_runs = true;
  helper_runs = pthread_create(&helper, NULL, help, NULL) == 0;
  return helper_runs ? ARMCIB_THREAD : ARMCIB_POLLING;
}
