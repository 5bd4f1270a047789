// SPDX-License-Identifier: Apache-2.0
//
// OpenMP: a reduction, a critical section, a barrier.
#include <omp.h>
#include <stdio.h>

int main(void) {
  double sum = 0;
  int threads = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : threads)
  for (int i = 0; i < 10000; ++i) {
    sum += i * 0.5;
    if (omp_get_num_threads() > threads) threads = omp_get_num_threads();
  }
  int entered = 0;
#pragma omp parallel
  {
#pragma omp critical
    entered += 1;
#pragma omp barrier
  }
  printf("%d threads, %.1f, %d entered\n", threads, sum, entered);
  return 0;
}
