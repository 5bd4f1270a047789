// SPDX-License-Identifier: Apache-2.0
// As NAS BT: an alternating-direction solver on a multipartitioned box, whose lines are systems of three diagonals of
// 5 x 5 blocks.
#include "firmware/programs/nas/multipartition.h"

enum {
  BLOCK = MP_FIVE * MP_FIVE,
  FORWARD = BLOCK + MP_FIVE,  ///< the last point's normalised upper block and right hand side
  BACKWARD = MP_FIVE
};

/// Entries of a point's coupling: weak, and its own.
static double coupling(const mp_point_t* u, int i, int k) {
  return 0.02 * (u->of[(i + k) % MP_FIVE] - 0.5);
}

/// Gauss and Jordan on b, in place, with the columns of c and the right hand side r: c = b^-1 c, r = b^-1 r.
static void normalise(double b[BLOCK], double c[BLOCK], double r[MP_FIVE]) {
  for (int i = 0; i < MP_FIVE; ++i) {
    const double pivot = 1 / b[i * MP_FIVE + i];
    for (int k = i + 1; k < MP_FIVE; ++k) b[i * MP_FIVE + k] *= pivot;
    for (int k = 0; k < MP_FIVE; ++k) c[i * MP_FIVE + k] *= pivot;
    r[i] *= pivot;
    for (int j = 0; j < MP_FIVE; ++j) {
      const double f = b[j * MP_FIVE + i];
      if (j == i) continue;
      for (int k = i + 1; k < MP_FIVE; ++k) b[j * MP_FIVE + k] -= f * b[i * MP_FIVE + k];
      for (int k = 0; k < MP_FIVE; ++k) c[j * MP_FIVE + k] -= f * c[i * MP_FIVE + k];
      r[j] -= f * r[i];
    }
  }
}

static void forward(mp_cell_t* cell, int first, int stride, double* carry) {
  double *last_c = carry, *last_r = carry + BLOCK;
  for (int n = 0; n < mp.points; ++n) {
    const int at = first + n * stride;
    const mp_point_t* u = &cell->u[at];
    double* c = cell->coefficients + (long)at * BLOCK;
    double* r = cell->rhs[at].of;
    double a[BLOCK], b[BLOCK];
    for (int i = 0; i < MP_FIVE; ++i) {
      for (int k = 0; k < MP_FIVE; ++k) {
        const double weak = coupling(u, i, k);
        a[i * MP_FIVE + k] = (i == k ? -0.25 : 0) - weak;
        b[i * MP_FIVE + k] = (i == k ? 1.6 : 0) + weak;
        c[i * MP_FIVE + k] = (i == k ? -0.25 : 0) + weak;
      }
    }
    for (int i = 0; i < MP_FIVE; ++i) {
      for (int j = 0; j < MP_FIVE; ++j) {
        const double f = a[i * MP_FIVE + j];
        for (int k = 0; k < MP_FIVE; ++k) b[i * MP_FIVE + k] -= f * last_c[j * MP_FIVE + k];
        r[i] -= f * last_r[j];
      }
    }
    normalise(b, c, r);
    for (int i = 0; i < BLOCK; ++i) last_c[i] = c[i];
    for (int i = 0; i < MP_FIVE; ++i) last_r[i] = r[i];
  }
}

static void backward(mp_cell_t* cell, int first, int stride, double* carry) {
  for (int n = 0; n < mp.points; ++n) {
    const int at = first + n * stride;
    const double* c = cell->coefficients + (long)at * BLOCK;
    double* r = cell->rhs[at].of;
    for (int i = 0; i < MP_FIVE; ++i) {
      for (int k = 0; k < MP_FIVE; ++k) r[i] -= c[i * MP_FIVE + k] * carry[k];
    }
    for (int i = 0; i < MP_FIVE; ++i) carry[i] = r[i];
  }
}

int main(int argc, char** argv) {
  const mp_kernel_t kernel = {
      .name = "bt",
      .iterations = 1,
      .coefficients = BLOCK,
      .forward = forward,
      .backward = backward,
      .forward_carry = FORWARD,
      .backward_carry = BACKWARD,
      .operations_a_point = 3 * (75.0 + 300 + 350 + 50) + 5 * 11 + 5,
  };
  return mp_main(argc, argv, &kernel);
}
