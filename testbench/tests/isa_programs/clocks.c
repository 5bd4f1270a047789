// SPDX-License-Identifier: Apache-2.0
//
// Time goes on, and sleeping takes as long as it says.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void) {
  const double begin = now(CLOCK_MONOTONIC);
  volatile double last = begin;
  int backwards = 0;
  for (int i = 0; i < 200; ++i) {
    const double time = now(CLOCK_MONOTONIC);
    backwards += time < last;
    last = time;
  }
  const struct timespec pause = {0, 2000000};
  const double before = now(CLOCK_MONOTONIC);
  nanosleep(&pause, NULL);
  const double slept = now(CLOCK_MONOTONIC) - before;
  printf("%d backwards, slept %s, %s\n", backwards, slept >= 0.002 ? "enough" : "too little",
         now(CLOCK_REALTIME) > 1e9 ? "a calendar" : "no calendar");
  const time_t day = 1000000000;
  struct tm calendar;
  gmtime_r(&day, &calendar);
  char text[40];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &calendar);
  puts(text);
  return 0;
}
