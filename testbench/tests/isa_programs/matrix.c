// SPDX-License-Identifier: Apache-2.0
//
// Loops over arrays, as compilers make vector instructions of.
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 48, COUNT = 3001 };
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
static float x[COUNT], y[COUNT];
static int32_t i32[COUNT];
static int16_t i16[COUNT];
static uint8_t u8[COUNT];

int main(void) {
  for (int i = 0; i < SIZE; ++i)
    for (int j = 0; j < SIZE; ++j) a[i][j] = (i * 7 + j * 3) % 11 - 5, b[i][j] = (i * 5 + j) % 13 - 6;
  for (int i = 0; i < SIZE; ++i)
    for (int k = 0; k < SIZE; ++k)
      for (int j = 0; j < SIZE; ++j) c[i][j] += a[i][k] * b[k][j];
  double trace = 0, sum = 0;
  for (int i = 0; i < SIZE; ++i) {
    trace += c[i][i];
    for (int j = 0; j < SIZE; ++j) sum += c[i][j] * ((i + j) % 3);
  }
  printf("%.1f %.1f\n", trace, sum);
  for (int i = 0; i < COUNT; ++i) {
    x[i] = (float)(i % 64) * 0.5f;
    i32[i] = (int32_t)((uint32_t)i * 2654435u % 100019u) - 50000;
    i16[i] = (int16_t)(i32[i] >> 2);
    u8[i] = (uint8_t)i32[i];
  }
  for (int i = 0; i < COUNT; ++i) y[i] = x[i] * 2 + (float)u8[i];
  int64_t total = 0;
  float largest = 0;
  int32_t least = 0;
  for (int i = 0; i < COUNT; ++i) {
    total += (int64_t)i32[i] * i16[i] + (u8[i] > 100 ? i32[i] : i16[i]);
    largest = y[i] > largest ? y[i] : largest;
    least = i32[i] < least ? i32[i] : least;
  }
  for (int i = 0; i < COUNT; ++i) i16[i] = (int16_t)(i16[i] * 3 + u8[i]);
  int32_t hash = 0;
  for (int i = 0; i < COUNT; ++i) hash = (int32_t)((uint32_t)hash * 31u + (uint32_t)i16[i]);
  printf("%lld %.1f %d %d\n", (long long)total, (double)largest, (int)least, (int)hash);
  return 0;
}
