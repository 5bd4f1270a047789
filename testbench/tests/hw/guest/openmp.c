// SPDX-License-Identifier: Apache-2.0
//
// An OpenMP program: what is usual in one.
#include <omp.h>
#include <stdio.h>

int main(void) {
  enum { SIZE = 2000 };
  static double values[SIZE];
  double sum = 0;
  unsigned critical = 0, singles = 0, behind = 0;
#pragma omp parallel for
  for (int i = 0; i < SIZE; ++i) values[i] = i * 0.5;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 50)
  for (int i = 0; i < SIZE; ++i) sum += values[i];
#pragma omp parallel
  {
#pragma omp critical
    critical += 1;
#pragma omp barrier
    if (critical != (unsigned)omp_get_num_threads()) {
#pragma omp atomic
      behind += 1;
    }
#pragma omp single
    singles += 1;
  }
  printf("%d threads, sum %.1f, %u in the critical section, %u single, %u behind the barrier\n", omp_get_max_threads(),
         sum, critical, singles, behind);
  return 0;
}
