// SPDX-License-Identifier: Apache-2.0
// Start and end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/team.h"
#include "firmware/armci/transfer.h"
#include "firmware/hot.h"

/// How often the program has initialised the library.
static unsigned users;

size_t armcii_pack_below;
bool armcii_served;

HOT void armcii_enter(const char* function) {
  if (users == 0) armcii_fail("%s is called before ARMCI_Init() or after ARMCI_Finalize()", function);
  armcib_enter();
}

/// ARMCI_PROGRESS. Interrupts are what the library used on the real machines.
static armcib_progress_t wanted_progress(void) {
  const char* const text = getenv("ARMCI_PROGRESS");
  if (text == NULL || strcmp(text, "interrupts") == 0) return ARMCIB_INTERRUPTS;
  if (strcmp(text, "thread") == 0) return ARMCIB_THREAD;
  if (strcmp(text, "polling") == 0) return ARMCIB_POLLING;
  armcii_fail("ARMCI_PROGRESS is '%s'; it may be interrupts, thread or polling", text);
}

/// ARMCI_PACK_BELOW. If nobody advances outside ARMCI, a process may wait for a flag in its memory without calling
/// ARMCI, and only direct operations reach it.
static size_t wanted_packing(armcib_progress_t progress) {
  enum { DEFAULT = 256 };
  const char* const text = getenv("ARMCI_PACK_BELOW");
  if (text == NULL) return progress == ARMCIB_POLLING ? 0 : DEFAULT;
  char* end;
  const unsigned long bytes = strtoul(text, &end, 10);
  if (*text == 0 || *end != 0 || bytes > ARMCIB_PAYLOAD_MAX) {
    armcii_fail("ARMCI_PACK_BELOW is '%s'; it may be 0 to %d bytes", text, ARMCIB_PAYLOAD_MAX);
  }
  return bytes;
}

/// ARMCI_ACCUMULATE.
static armcii_accumulates_t wanted_accumulates(void) {
  const char* const text = getenv("ARMCI_ACCUMULATE");
  if (text == NULL || strcmp(text, "target") == 0) return ARMCII_BY_TARGET;
  if (strcmp(text, "source") == 0) return ARMCII_BY_SOURCE;
  if (strcmp(text, "pipelined") == 0) return ARMCII_PIPELINED;
  armcii_fail("ARMCI_ACCUMULATE is '%s'; it may be target, source or pipelined", text);
}

static void start(void) {
  armcib_init();
  armcii_self = armcib_rank();
  armcii_size = armcib_size();
  armcii_targets = calloc(armcii_size, sizeof *armcii_targets);
  armcii_active = calloc(armcii_size, sizeof *armcii_active);
  if (armcii_targets == NULL || armcii_active == NULL) {
    armcii_fail("there is no memory for what is known of %u processes", armcii_size);
  }
  armcii_active_count = 0;
  armcii_regions_start();
  armcii_accumulates = wanted_accumulates();
  const armcib_progress_t progress = armcib_progress(wanted_progress());
  armcii_pack_below = wanted_packing(progress);
  armcii_served = progress != ARMCIB_POLLING;
}

/// ARMCI_STATISTICS: process 0 says what all have done.
static void tell_statistics(void) {
  const char* const text = getenv("ARMCI_STATISTICS");
  if (text == NULL || strcmp(text, "0") == 0) return;
  armcii_statistics_t sums = armcii_statistics;
  armcii_team_t all;
  armcii_team_all(&all);
  armcib_enter();
  armcii_reduce_to_all(&all, &sums, sizeof sums / sizeof sums.puts, "+", ARMCI_INT);
  armcib_exit();
  if (armcii_self != 0) return;
  printf("ARMCI ranks=%u puts=%d gets=%d requests=%d waits=%d follows=%d\n", armcii_size, sums.puts, sums.gets,
         sums.requests, sums.waits, sums.follows);
}

/// The state stays for a later start.
static void stop(void) {
  armcib_progress(ARMCIB_POLLING);
  armcib_finalize();
}

int PARMCI_Init(void) {
  if (users++ != 0) return 0;
  start();
  // The others' tables stand when this returns.
  armcib_enter();
  armcii_team_t team;
  armcii_team_all(&team);
  armcii_barrier(&team);
  armcib_exit();
  return 0;
}
ARMCII_PUBLIC(Init);

int PARMCI_Init_args(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  return PARMCI_Init();
}
ARMCII_PUBLIC(Init_args);

int PARMCI_Initialized(void) {
  return users != 0;
}
ARMCII_PUBLIC(Initialized);

void PARMCI_Finalize(void) {
  if (users == 0) return;
  if (users == 1) {
    PARMCI_WaitAll();
    tell_statistics();
    PARMCI_Barrier();
    stop();
  }
  --users;
}
ARMCII_PUBLIC(Finalize);

void ARMCI_Cleanup(void) {}

void armci_msg_init(int* argc, char*** argv) {
  PARMCI_Init_args(argc, argv);
}

void armci_msg_finalize(void) {
  PARMCI_Finalize();
}

int armci_msg_me(void) {
  return (int)armcii_self;
}

int armci_msg_nproc(void) {
  return (int)armcii_size;
}

double armci_timer(void) {
  return armcib_time();
}
