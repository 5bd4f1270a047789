// SPDX-License-Identifier: Apache-2.0
// As NAS FT: the heat equation on a periodic box by Fourier transforms in three dimensions. Tasks have slabs; between
// two dimensions and the third all exchange with all.
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "firmware/programs/nas/nas.h"

enum { MOST = 512 };
static int n = 32, log_n;  ///< points along a side of the box, a power of two
static const double pi = 3.14159265358979323846;

typedef double complex number_t;

static number_t roots[MOST];

/// In place, of n numbers `stride` apart.
static void transform(number_t* line, int stride, bool back) {
  number_t here[MOST];
  for (int i = 0; i < n; ++i) {
    int reversed = 0;
    for (int bit = 0; bit < log_n; ++bit) reversed |= (i >> bit & 1) << (log_n - 1 - bit);
    here[reversed] = line[i * stride];
  }
  for (int half = 1; half < n; half *= 2) {
    for (int start = 0; start < n; start += 2 * half) {
      for (int k = 0; k < half; ++k) {
        const number_t w = back ? conj(roots[k * (n / 2 / half)]) : roots[k * (n / 2 / half)];
        const double re = creal(w) * creal(here[start + half + k]) - cimag(w) * cimag(here[start + half + k]);
        const double im = creal(w) * cimag(here[start + half + k]) + cimag(w) * creal(here[start + half + k]);
        const number_t other = CMPLX(re, im);
        here[start + half + k] = here[start + k] - other;
        here[start + k] += other;
      }
    }
  }
  for (int i = 0; i < n; ++i) line[i * stride] = here[i];
}

/// From slabs of z, data[z][y][x], to slabs of x, out[x][y][z], or the same the other way round: block by block.
static void transpose(const number_t* data, number_t* out, number_t* packed, number_t* came) {
  const int planes = n / nas.tasks;
  number_t* at = packed;
  for (int task = 0; task < nas.tasks; ++task) {
    for (int x = task * planes; x < (task + 1) * planes; ++x) {
      for (int y = 0; y < n; ++y) {
        for (int z = 0; z < planes; ++z) *at++ = data[(z * n + y) * n + x];
      }
    }
  }
  MPI_Alltoall(packed, planes * n * planes, MPI_C_DOUBLE_COMPLEX, came, planes * n * planes, MPI_C_DOUBLE_COMPLEX,
               MPI_COMM_WORLD);
  for (int task = 0; task < nas.tasks; ++task) {
    const number_t* from = came + (size_t)task * (size_t)planes * (size_t)n * (size_t)planes;
    for (int x = 0; x < planes; ++x) {
      for (int y = 0; y < n; ++y) {
        for (int z = 0; z < planes; ++z) out[(x * n + y) * n + task * planes + z] = *from++;
      }
    }
  }
}

int main(int argc, char** argv) {
  int iterations = 1;
  nas_begin(argc, argv, &iterations, &n);
  while (1 << log_n < n) ++log_n;
  nas_require(n <= MOST && 1 << log_n == n && n % nas.tasks == 0, "a divisor of the side, a power of two up to 512");
  const int planes = n / nas.tasks;
  const size_t count = (size_t)planes * (size_t)n * (size_t)n;
  number_t* data = nas_allocate(count, sizeof *data);
  number_t* wave = nas_allocate(count, sizeof *wave);
  number_t* packed = nas_allocate(count, sizeof *packed);
  number_t* came = nas_allocate(count, sizeof *came);
  for (int i = 0; i < n; ++i) roots[i] = cexp(-2 * pi * I * i / n);
  uint64_t state = nas_skip(271828, 2 * (uint64_t)nas.rank * count);
  for (size_t i = 0; i < count; ++i) {
    const double re = nas_random(&state);
    data[i] = CMPLX(re, nas_random(&state));
  }
  // Decay of each wave in a step; indices wrap to negative ones.
  double* decay = nas_allocate((size_t)n, sizeof *decay);
  for (int i = 0; i < n; ++i) {
    const int k = i < n / 2 ? i : i - n;
    decay[i] = exp(-1e-4 * k * k);
  }
  transpose(data, wave, packed, came);
  nas_start();
  for (int turn = 0; turn < iterations; ++turn) {
    for (int z = 0; z < planes; ++z) {
      for (int y = 0; y < n; ++y) transform(data + (z * n + y) * n, 1, false);
      for (int x = 0; x < n; ++x) transform(data + z * n * n + x, n, false);
    }
    transpose(data, wave, packed, came);
    for (int x = 0; x < planes; ++x) {
      for (int y = 0; y < n; ++y) {
        number_t* line = wave + (x * n + y) * n;
        transform(line, 1, false);
        const double across = decay[nas.rank * planes + x] * decay[y] / ((double)n * n * n);
        for (int z = 0; z < n; ++z) line[z] *= across * decay[z];
        transform(line, 1, true);
      }
    }
    transpose(wave, data, packed, came);
    for (int z = 0; z < planes; ++z) {
      for (int x = 0; x < n; ++x) transform(data + z * n * n + x, n, true);
      for (int y = 0; y < n; ++y) transform(data + (z * n + y) * n, 1, true);
    }
  }
  double mine = 0, sum;
  for (size_t i = 0; i < count; ++i) mine += creal(data[i]) * creal(data[i]) + cimag(data[i]) * cimag(data[i]);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  nas_stop();
  return nas_end("ft", iterations * (2.0 * 3 * n * n * 5 * n * log_n + 7.0 * n * n * n), sum);
}
