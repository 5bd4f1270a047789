// SPDX-License-Identifier: Apache-2.0
//
// Floating point: rounding, conversions, special values, to the bit.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static volatile double zero = 0, one = 1, three = 3;

static void special(void) {
  const double inf = one / zero, nan = zero / zero;
  printf("%d %d %d %d\n", isinf(inf), isnan(nan) != 0, nan == nan, inf > DBL_MAX);
  printf("%d %d %d\n", -inf < inf, signbit(-zero) != 0, zero == -zero);
  printf("%a %a %a\n", DBL_MIN / 2, one / three, (double)(float)(one / three));
  printf("%a %a\n", nextafter(one, 2), DBL_MAX);
}

static void conversions(void) {
  static const double values[] = {0.0, 0.5, -0.5, 1.5, -2.5, 1e9, -1e9, 2147483646.9, 1e15, -1e15};
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i) {
    const volatile double value = values[i];
    printf("%lld", (long long)value);
    if (fabs(value) < 2e9) printf(" %d", (int)value);
    if (value >= 0) printf(" %llu", (unsigned long long)value);
    printf(" %a %a %a %a\n", floor(value), ceil(value), trunc(value), rint(value));
  }
  for (int i = 0; i < 20; ++i) {
    const volatile uint64_t whole = 0x123456789abcdefu << i ^ 0x55u;
    const volatile int64_t negative = -(int64_t)(whole >> 2);
    printf("%a %a %a %a\n", (double)whole, (double)negative, (double)(float)whole, (double)(float)negative);
  }
}

static void sums(void) {
  double sum = 0, product = 1;
  float single = 0;
  for (int i = 1; i <= 20000; ++i) {
    sum += one / i;
    product *= 1 + one / ((double)i * i);
    single += 1.0f / (float)i;
    if (i % 5000 == 0) printf("%a %a %a %a\n", sum, product, (double)single, sqrt(sum));
  }
  double tiny = 1;
  int steps = 0;
  while (tiny > 0) tiny /= 2, ++steps;
  printf("%d halvings, fused %a\n", steps, fma(one + DBL_EPSILON, one - DBL_EPSILON, -one));
}

int main(void) {
  special();
  conversions();
  sums();
  return 0;
}
