/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs here share. Each checks a part of ARMCI by itself: a line on standard error for each check that
 * fails, with the rank, and exit status 1; rank 0 prints "ok" if all ranks found everything right. Any number of ranks
 * will do. They run on the emulated machine, and on the host over a bottom for tests.
 */
#ifndef TOROID_TESTBENCH_TESTS_ARMCI_CHECK_H
#define TOROID_TESTBENCH_TESTS_ARMCI_CHECK_H

#include <armci.h>
#include <message.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

/* Whether `condition` holds; the rest is printf's, to say what does not. */
#define CHECK(condition, ...)                                                  \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "rank %d, %s:%d: ", armci_msg_me(), __FILE__, __LINE__); \
      fprintf(stderr, __VA_ARGS__);                                            \
      fprintf(stderr, " (%s)\n", #condition);                                  \
      if (++check_failures > 20) exit(1);                                      \
    }                                                                          \
  } while (0)

#define CHECK_IS(wanted, call)                                                  \
  do {                                                                          \
    const int check_is_ = (int)(call);                                          \
    CHECK(check_is_ == (wanted), "it is %d, not %d", check_is_, (int)(wanted)); \
  } while (0)

static inline unsigned check_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* A number from the environment. */
static inline int check_setting(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text != NULL ? atoi(text) : otherwise;
}

/* The exit status. */
static inline int check_end(void) {
  int failures = check_failures;
  armci_msg_igop(&failures, 1, (char*)"+");
  if (failures == 0 && armci_msg_me() == 0) puts("ok");
  ARMCI_Finalize();
  return failures != 0;
}

#endif
