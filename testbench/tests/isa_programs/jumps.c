// SPDX-License-Identifier: Apache-2.0
//
// Control flow: setjmp(), tables of a switch, labels as values, pointers to functions.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

__attribute__((noinline)) static void down(int depth, double value) {
  if (depth == 0) longjmp(back, (int)value + 1);
  down(depth - 1, value * 1.5);
}

static int decide(int number) {
  switch (number % 12) {
    case 0:
      return 7;
    case 1:
      return number * 3;
    case 2:
      return -number;
    case 3:
      return 1 << number % 20;
    case 4:
      return number / 3;
    case 5:
      return 99;
    case 6:
      return number ^ 0x55;
    case 7:
      return number & 12;
    case 9:
      return number - 1000;
    case 11:
      return number | 1;
    default:
      return 0;
  }
}

static int interpret(const char* program) {
  static const void* const labels[] = {&&add, &&twice, &&negate, &&stop};
  int value = 1;
  const char* at = program;
  goto* labels[*at++ - '0'];
add:
  value += 5;
  goto* labels[*at++ - '0'];
twice:
  value *= 2;
  goto* labels[*at++ - '0'];
negate:
  value = -value;
  goto* labels[*at++ - '0'];
stop:
  return value;
}

int main(void) {
  for (volatile int depth = 0; depth < 10; ++depth) {
    volatile double kept = depth + 0.25;
    const int came = setjmp(back);
    if (came == 0) down(depth, depth);
    printf("%d %.2f\n", came, kept);
  }
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum = sum * 3 % 100003 + decide(i) % 1000;
  int (*volatile function)(const char*) = interpret;
  printf("%d %d\n", sum, function("0101120011203"));
  return 0;
}
