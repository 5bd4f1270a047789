// SPDX-License-Identifier: Apache-2.0
// Pointers to nested functions, which the compiler makes by code on the stack; and a jump to other data there.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_with(int (*compare)(const void*, const void*), const int* first, const int* second) {
  return compare(first, second);
}

static int sorted(int order, int depth) {
  int calls = 0;
  int compare(const void* first, const void* second) {
    ++calls;
    return order * (*(const int*)first - *(const int*)second);
  }
  int numbers[5] = {3, 1, 4, 1, 5};
  qsort(numbers, 5, sizeof *numbers, compare);
  if (depth > 0 && sorted(-order, depth - 1) != numbers[4]) return -1;
  return compare_with(compare, &numbers[0], &numbers[4]) < 0 && calls > 5 ? numbers[0] : -1;
}

int main(int argc, char** argv) {
  (void)argv;
  printf("%d %d\n", sorted(1, 1), sorted(-1, 0));
  fflush(stdout);
  if (argc > 1) {
    volatile uint32_t data[10];
    memset((void*)data, 0x60, sizeof data);
    ((void (*)(void))(uintptr_t)data)();
  }
  return 0;
}
