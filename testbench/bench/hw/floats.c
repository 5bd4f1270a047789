// SPDX-License-Identifier: Apache-2.0
//
// Floating point without end, of the kind that the program's name says: one instruction again and again, or compiled
// code: daxpy of vectors that fit into the first level of caches, and the LU factorisation of a matrix with it.
#include <stdint.h>
#include <string.h>

enum { kRounds = 1000, kVector = 500, kMatrix = 40 };

#define EIGHT(instruction)                                                                                  \
  instruction(4) instruction(5) instruction(6) instruction(7) instruction(8) instruction(9) instruction(10) \
      instruction(11)
#define FADD(target) "fadd " #target ",1,2\n"
#define FADDS(target) "fadds " #target ",1,2\n"
#define FMUL(target) "fmul " #target ",1,2\n"
#define FDIV(target) "fdiv " #target ",1,2\n"
#define FMADD(target) "fmadd " #target ",1,2," #target "\n"
#define FMADDS(target) "fmadds " #target ",1,2," #target "\n"
#define LFD(target) "lfd " #target ",8*" #target "(%0)\n"
#define STFD(source) "stfd " #source ",8*" #source "(%0)\n"
#define CLOBBERED "memory", "fr1", "fr2", "fr4", "fr5", "fr6", "fr7", "fr8", "fr9", "fr10", "fr11"
#define CASE(name, instruction) \
  if (strcmp(kind, name) == 0)  \
    for (;;)                    \
  __asm__ volatile("lfd 1,0(%0)\nlfd 2,8(%0)\n" EIGHT(LFD) "mtctr %1\n"                     \
                       "0:\n" EIGHT(instruction) "bdnz 0b" ::"b"(words), "r"(kRounds) : "ctr", CLOBBERED)

static double words[12], x[kVector], y[kVector], matrix[kMatrix][kMatrix];

/// With multiply-adds, as compilers make them unless the strict standard is asked for.
__attribute__((noinline)) static void daxpy(int count, double a, const double* from, double* to) {
  for (int i = 0; i < count; ++i) to[i] = __builtin_fma(a, from[i], to[i]);
}

static double absolute(double value) {
  return value < 0 ? -value : value;
}

/// By columns, with partial pivoting.
__attribute__((noinline)) static void factorise(double a[kMatrix][kMatrix]) {
  for (int k = 0; k < kMatrix - 1; ++k) {
    int pivot = k;
    for (int i = k + 1; i < kMatrix; ++i)
      if (absolute(a[k][i]) > absolute(a[k][pivot])) pivot = i;
    const double largest = a[k][pivot];
    a[k][pivot] = a[k][k];
    a[k][k] = largest;
    for (int i = k + 1; i < kMatrix; ++i) a[k][i] *= -1 / largest;
    for (int j = k + 1; j < kMatrix; ++j) {
      const double factor = a[j][pivot];
      a[j][pivot] = a[j][k];
      a[j][k] = factor;
      daxpy(kMatrix - k - 1, factor, &a[k][k + 1], &a[j][k + 1]);
    }
  }
}

int main(int count, char** arguments) {
  const char* const kind = arguments[count - 1];
  uint32_t random = 1;
  for (int i = 0; i < 12; ++i) words[i] = 1.1 - 0.07 * i;
  for (int i = 0; i < kVector; ++i) x[i] = y[i] = 1.0 / (i + 1);
  CASE("fadd", FADD);
  CASE("fadds", FADDS);
  CASE("fmul", FMUL);
  CASE("fdiv", FDIV);
  CASE("fmadd", FMADD);
  CASE("fmadds", FMADDS);
  CASE("lfd", LFD);
  CASE("stfd", STFD);
  if (strcmp(kind, "daxpy") == 0)
    for (;;) daxpy(kVector, 0.001, x, y);
  if (strcmp(kind, "dgefa") == 0)
    for (;;) {
      for (int i = 0; i < kMatrix * kMatrix; ++i) {
        random = random * 1664525 + 1013904223;
        matrix[i / kMatrix][i % kMatrix] = random * 0x1p-31 - 1;
      }
      factorise(matrix);
    }
  return 1;
}
