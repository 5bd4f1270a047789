// SPDX-License-Identifier: Apache-2.0
// Waits for no file sleep: each for 3 ms, the last one until a timer's signal ends it.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

enum { MILLISECONDS = 3 };

static void nothing(int number) {
  (void)number;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void say(const char* call, int result, double since) {
  const double slept = now() - since;
  printf("%s: %d, %s\n", call, result, slept >= MILLISECONDS && slept < MILLISECONDS + 0.5 ? "3 ms" : "another time");
}

int main(void) {
  struct timeval short_time = {0, MILLISECONDS * 1000};
  const struct timespec time = {0, MILLISECONDS * 1000000};
  double start = now();
  say("select", select(0, NULL, NULL, NULL, &short_time), start);
  start = now();
  say("pselect", pselect(0, NULL, NULL, NULL, &time, NULL), start);
  start = now();
  say("poll", poll(NULL, 0, MILLISECONDS), start);
  start = now();
  say("ppoll", ppoll(NULL, 0, &time, NULL), start);
  signal(SIGALRM, nothing);
  const struct itimerval once = {{0, 0}, {0, MILLISECONDS * 1000}};
  start = now();
  setitimer(ITIMER_REAL, &once, NULL);
  const int result = poll(NULL, 0, -1);
  say(errno == EINTR ? "interrupted" : "poll", result, start);
  return 0;
}
