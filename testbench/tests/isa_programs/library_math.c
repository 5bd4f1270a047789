// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library for numbers, to ten digits.
#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  for (volatile double x = 0.1; x < 20; x = x * 1.7 + 0.01) {
    printf("%.10g %.10g %.10g %.10g\n", sin(x), cos(x), tan(x), atan2(x, 2.5));
    printf("%.10g %.10g %.10g %.10g\n", exp(x), log(x), pow(x, 1.3), cbrt(x));
    printf("%.10g %.10g %.10g %.10g\n", tgamma(x), erf(x / 10), sinh(x), hypot(x, 3));
    int exponent;
    const double part = frexp(x, &exponent);
    printf("%.10g %d %.10g\n", part, exponent, fmod(x * 100, 7));
  }
  // Some of these functions change the rounding mode, and back.
  printf("rounding mode %d\n", fegetround());
  const volatile double angle = 0.7;
  const double complex value = cexp(angle * I) * (2 + 3 * I) / (1 - I);
  printf("%.10g %.10g %.10g\n", creal(value), cimag(value), cabs(value));
  return 0;
}
