// SPDX-License-Identifier: Apache-2.0
//
// Arguments and results: many, mixed, structures by value, variable lists, pointers to functions.
#include <stdarg.h>
#include <stdio.h>

struct small {
  short x;
  char y;
};
struct floats {
  double a, b;
};
struct large {
  int words[20];
  double last;
};

static struct small swapped(struct small s) {
  return (struct small){s.y, (char)s.x};
}
static struct floats twice(struct floats f, float more) {
  return (struct floats){f.b * 2 + more, f.a * 2 - more};
}
static struct large shifted(int before, struct large l, double behind) {
  for (int i = 19; i > 0; --i) l.words[i] = l.words[i - 1];
  l.words[0] = before;
  l.last += behind;
  return l;
}

__attribute__((noinline)) static double many(int a, double b, long long c, float d, char e, double f, short g, double h,
                                             long long i, float j, int k, double l, unsigned m, double n, long long o,
                                             double p, double q, double r) {
  return a + b * 2 + (double)c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + (double)i * 9 + j * 10 + k * 11 + l * 12 +
         m * 13 + n * 14 + (double)o * 15 + p * 16 + q * 17 + r * 18;
}

static double sum(const char* kinds, ...) {
  va_list list, copy;
  va_start(list, kinds);
  va_copy(copy, list);
  double total = 0;
  for (int pass = 1; pass <= 2; ++pass) {
    va_list* const from = pass == 1 ? &list : &copy;
    for (const char* kind = kinds; *kind != 0; ++kind) {
      if (*kind == 'i') total += va_arg(*from, int) * pass;
      if (*kind == 'l') total += (double)va_arg(*from, long long) * pass;
      if (*kind == 'd') total += va_arg(*from, double) * pass;
      if (*kind == 's') total += va_arg(*from, struct floats).b * pass;
    }
  }
  va_end(copy);
  va_end(list);
  return total;
}

int main(void) {
  const struct small small = swapped((struct small){7, 9});
  const struct floats floats = twice((struct floats){1.5, 2.5}, 0.25f);
  struct large large = {{1, 2, 3}, 0.5};
  for (int i = 0; i < 5; ++i) large = shifted(100 + i, large, i * 0.125);
  printf("%d %d %g %g %d %d %g\n", small.x, small.y, floats.a, floats.b, large.words[0], large.words[7], large.last);
  double (*volatile pointer)(int, double, long long, float, char, double, short, double, long long, float, int, double,
                             unsigned, double, long long, double, double, double) = many;
  printf("%.3f\n", pointer(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18));
  printf("%.3f\n",
         sum("idlsiddlsdiiilddddddddddil", 1, 2.5, 3ll, (struct floats){1, 4.5}, 5, 6.5, 7.5, 8ll,
             (struct floats){1, 9.5}, 10.5, 11, 12, 13, 14ll, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 15, 16ll));
  return 0;
}
