// SPDX-License-Identifier: Apache-2.0
//
// OpenMP: loops, reductions, sections, tasks, critical sections.
#include <omp.h>
#include <stdio.h>

static unsigned fibonacci(unsigned n) {
  if (n < 2) return n;
  if (n < 8) return fibonacci(n - 1) + fibonacci(n - 2);
  unsigned first, second;
#pragma omp task shared(first)
  first = fibonacci(n - 1);
#pragma omp task shared(second)
  second = fibonacci(n - 2);
#pragma omp taskwait
  return first + second;
}

int main(void) {
  enum { SIZE = 3000 };
  static double values[SIZE];
  double sum = 0, largest = 0;
  unsigned critical = 0, sections = 0, ordered = 0, result = 0;
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < SIZE; ++i) values[i] = i * 0.5;
#pragma omp parallel for reduction(+ : sum) reduction(max : largest) schedule(dynamic, 50)
  for (int i = 0; i < SIZE; ++i) {
    sum += values[i];
    largest = values[i] > largest ? values[i] : largest;
  }
#pragma omp parallel sections
  {
#pragma omp section
#pragma omp atomic
    sections += 1;
#pragma omp section
#pragma omp atomic
    sections += 10;
  }
#pragma omp parallel for ordered
  for (int i = 0; i < 20; ++i) {
#pragma omp critical
    critical += 1;
#pragma omp ordered
    ordered = ordered * 3 + (unsigned)i;
  }
#pragma omp parallel
#pragma omp single
  result = fibonacci(14);
  printf("%.1f %.1f %u %u %u %u %s\n", sum, largest, sections, critical, ordered, result,
         omp_get_max_threads() > 1 ? "several threads" : "one thread");
  return 0;
}
