// SPDX-License-Identifier: Apache-2.0
//
// How floating-point operations round, and which exceptions they have met: a thread begins as its creator is, a
// signal's handler anew, and what it changes is over when it returns. A timer's handler and the program share all
// registers.
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile double one = 1, three = 3, zero = 0, kept;
static volatile long double length = 7, spoilt;
static volatile int ticks;
static int round_of_handler = -1, flags_of_handler = -1, thirds_of_handler = -1;

static const char* rounding(void) {
  switch (fegetround()) {
    case FE_TONEAREST:
      return "nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    default:
      return "to zero";
  }
}

static void* thread(void* depth) {
  printf("thread: %s %a\n", rounding(), one / three);
  fesetround(FE_DOWNWARD);
  if (depth != NULL) {
    pthread_t inner;
    pthread_create(&inner, NULL, thread, NULL);
    pthread_join(inner, NULL);
  }
  return NULL;
}

static void change(int signal) {
  (void)signal;
  round_of_handler = fegetround() == FE_TONEAREST;
  flags_of_handler = fetestexcept(FE_ALL_EXCEPT) != 0;
  thirds_of_handler = one / three == 0x1.5555555555555p-2;
  fesetround(FE_TOWARDZERO);
  kept = one / zero;
}

static void tick(int signal) {
  (void)signal;
  spoilt = (length / 3 + 1) * (length / 5 + (length + 2) / (length * 3 + ticks * 1e-9L));
  kept = one / three + kept * 0.5;
  ticks += 1;
}

static long double sums[6];

/// Keeps all of them in registers, where there are any.
static void sum(int until) {
  long double a = 0, b = 1, c = 2, d = 3, e = 4, f = 5;
  for (int i = 1; i < until; ++i) {
    a += 1.0L / i;
    b = b * 0.999999L + a * 1e-6L;
    c += b * 1e-6L;
    d = d * 0.5L + c;
    e = e * 0.25L + d;
    f = f * 0.125L + e;
  }
  sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d, sums[4] = e, sums[5] = f;
}

int main(void) {
  printf("main: %s %a\n", rounding(), one / three);
  fesetround(FE_UPWARD);
  pthread_t first;
  pthread_create(&first, NULL, thread, &first);
  pthread_join(first, NULL);
  printf("main: %s %a\n", rounding(), one / three);

  feclearexcept(FE_ALL_EXCEPT);
  kept = one / three;
  signal(SIGUSR1, change);
  raise(SIGUSR1);
  printf("handler: nearest %d %d, exceptions %d\n", round_of_handler, thirds_of_handler, flags_of_handler);
  printf("main: %s %a, inexact %d, division %d\n", rounding(), one / three, fetestexcept(FE_INEXACT) != 0,
         fetestexcept(FE_DIVBYZERO) != 0);

  fesetround(FE_TONEAREST);
  enum { UNTIL = 2000 };
  sum(UNTIL);
  long double alone[6];
  for (int i = 0; i < 6; ++i) alone[i] = sums[i];
  signal(SIGALRM, tick);
  const struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  int same = 1;
  while (ticks < 20) {
    sum(UNTIL);
    for (int i = 0; i < 6; ++i) same &= alone[i] == sums[i];
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("sums beside a timer are the same %d\n", same);
  return 0;
}
