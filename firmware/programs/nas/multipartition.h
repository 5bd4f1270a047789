// SPDX-License-Identifier: Apache-2.0
/// The diagonal multipartition of NAS BT and SP: a cubic box is cut into q x q x q cells for q x q tasks, each of which
/// has q cells so that every plane of cells holds one of each task. So in a sweep along any dimension all tasks have
/// something to do at every stage. Task (i, j) is rank i + q j; its cell number c lies at (i + c, j - c, c) modulo q.
#ifndef TOROID_FIRMWARE_PROGRAMS_NAS_MULTIPARTITION_H
#define TOROID_FIRMWARE_PROGRAMS_NAS_MULTIPARTITION_H

#include "firmware/programs/nas/nas.h"

enum { MP_FIVE = 5 };  ///< unknowns a point

typedef struct {
  double of[MP_FIVE];
} mp_point_t;

typedef struct {
  int place[3];          ///< of the cell, in cells
  mp_point_t *u, *rhs;   ///< with a layer of the neighbours' points around; rhs becomes the solution of a sweep
  double* coefficients;  ///< of the solver, mp.coefficients a point
} mp_cell_t;

typedef struct {
  int side;          ///< q
  int points;        ///< of a cell along a dimension
  int coefficients;  ///< doubles that the solver keeps for each point
  mp_cell_t* cells;
  int before[3], after[3];  ///< tasks with the neighbour cells along each dimension
} mp_t;

extern mp_t mp;

static inline int mp_index(int x, int y, int z) {
  const int row = mp.points + 2;
  return ((z + 1) * row + y + 1) * row + x + 1;
}

/// The distance of neighbours along a dimension, in points of a cell.
static inline int mp_stride(int dimension) {
  return dimension == 0 ? 1 : dimension == 1 ? mp.points + 2 : (mp.points + 2) * (mp.points + 2);
}

/// A line of points of a cell: the first, the distance to the next, all in points. `carry` brings what the cell before
/// (behind, in a backward sweep) has left, zeros at the box's end, and takes what this one leaves.
typedef void (*mp_solve_t)(mp_cell_t* cell, int first, int stride, double* carry);

/// What makes one kernel of it: how a line is solved, and with how many doubles.
typedef struct {
  const char* name;
  int iterations;       ///< without `--iterations`
  int coefficients;     ///< doubles that are kept for each point
  mp_solve_t forward;   ///< through a line, then
  mp_solve_t backward;  ///< back
  int forward_carry;    ///< doubles from cell to cell, a line
  int backward_carry;
  double operations_a_point;  ///< in one iteration
} mp_kernel_t;

/// main(): a box of 40 or `--size` points a side, which the square root of the number of tasks has to divide.
int mp_main(int argc, char** argv, const mp_kernel_t* kernel);

#endif
