// SPDX-License-Identifier: Apache-2.0
// As NAS SP: an alternating-direction solver on a multipartitioned box, whose lines are systems of five diagonals, the
// same for the five unknowns of a point.
#include "firmware/programs/nas/multipartition.h"

enum {
  KEPT = 2,                        ///< a point's normalised upper diagonals
  FORWARD = 2 * (KEPT + MP_FIVE),  ///< those and the right hand side of the last two points
  BACKWARD = 2 * MP_FIVE           ///< the last two points
};

/// Eliminate the two diagonals below.
static void forward(mp_cell_t* cell, int first, int stride, double* carry) {
  double *last = carry, *but_last = carry + KEPT + MP_FIVE;
  for (int n = 0; n < mp.points; ++n) {
    const int at = first + n * stride;
    mp_point_t* r = &cell->rhs[at];
    double* kept = cell->coefficients + (long)at * KEPT;
    const double lean = 0.05 * cell->u[at].of[0];
    const double low2 = 0.02, up1 = -0.3 + lean, up2 = 0.02;
    const double low1 = -0.3 - lean - low2 * but_last[0];
    const double scale = 1 / (1.8 - low1 * last[0] - low2 * but_last[1]);
    kept[0] = (up1 - low1 * last[1]) * scale;
    kept[1] = up2 * scale;
    for (int k = 0; k < MP_FIVE; ++k) {
      r->of[k] = (r->of[k] - low1 * last[KEPT + k] - low2 * but_last[KEPT + k]) * scale;
    }
    for (int i = 0; i < KEPT + MP_FIVE; ++i) but_last[i] = last[i];
    for (int i = 0; i < KEPT; ++i) last[i] = kept[i];
    for (int k = 0; k < MP_FIVE; ++k) last[KEPT + k] = r->of[k];
  }
}

static void backward(mp_cell_t* cell, int first, int stride, double* carry) {
  double *last = carry, *but_last = carry + MP_FIVE;
  for (int n = 0; n < mp.points; ++n) {
    const int at = first + n * stride;
    mp_point_t* r = &cell->rhs[at];
    const double* kept = cell->coefficients + (long)at * KEPT;
    for (int k = 0; k < MP_FIVE; ++k) {
      r->of[k] -= kept[0] * last[k] + kept[1] * but_last[k];
      but_last[k] = last[k];
      last[k] = r->of[k];
    }
  }
}

int main(int argc, char** argv) {
  const mp_kernel_t kernel = {
      .name = "sp",
      .iterations = 3,
      .coefficients = KEPT,
      .forward = forward,
      .backward = backward,
      .forward_carry = FORWARD,
      .backward_carry = BACKWARD,
      .operations_a_point = 3 * (15.0 + 25 + 20) + 5 * 11 + 5,
  };
  return mp_main(argc, argv, &kernel);
}
