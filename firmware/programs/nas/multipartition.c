// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/nas/multipartition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

mp_t mp;

static int wrap(int value) {
  return (value % mp.side + mp.side) % mp.side;
}

static int task_at(int i, int j) {
  return wrap(i) + mp.side * wrap(j);
}

static void make(int size, int coefficients) {
  while (mp.side * mp.side < nas.tasks) ++mp.side;
  nas_require(mp.side * mp.side == nas.tasks && size % mp.side == 0, "a square, of a divisor of the box's side");
  mp.points = size / mp.side;
  mp.coefficients = coefficients;
  const int i = nas.rank % mp.side, j = nas.rank / mp.side;
  const int steps[3][2] = {{1, 0}, {0, 1}, {-1, 1}};  // a cell on along x, y and z
  for (int d = 0; d < 3; ++d) {
    mp.after[d] = task_at(i + steps[d][0], j + steps[d][1]);
    mp.before[d] = task_at(i - steps[d][0], j - steps[d][1]);
  }
  const size_t row = (size_t)mp.points + 2, count = row * row * row;
  mp.cells = nas_allocate((size_t)mp.side, sizeof *mp.cells);
  for (int c = 0; c < mp.side; ++c) {
    mp_cell_t* cell = &mp.cells[c];
    cell->place[0] = wrap(i + c);
    cell->place[1] = wrap(j - c);
    cell->place[2] = c;
    cell->u = nas_allocate(count, sizeof *cell->u);
    cell->rhs = nas_allocate(count, sizeof *cell->rhs);
    cell->coefficients = nas_allocate(count * (size_t)coefficients, sizeof(double));
    for (int z = 0; z < mp.points; ++z) {
      for (int y = 0; y < mp.points; ++y) {
        for (int x = 0; x < mp.points; ++x) {
          const int where[3] = {cell->place[0] * mp.points + x, cell->place[1] * mp.points + y,
                                cell->place[2] * mp.points + z};
          for (int k = 0; k < MP_FIVE; ++k) {
            cell->u[mp_index(x, y, z)].of[k] = 0.01 * ((where[0] + 2 * where[1] + 3 * where[2] + k) % 7);
          }
        }
      }
    }
  }
}

/// The cell of this task in a plane of cells across a dimension: there is one.
static mp_cell_t* cell_in_plane(int dimension, int plane) {
  mp_cell_t* cell = mp.cells;
  while (cell->place[dimension] != plane) ++cell;
  return cell;
}

/// The points of a cell's face, or of the layer next to it; the other two dimensions in order.
static int face_point(int dimension, int depth, int a, int b) {
  return dimension == 0 ? mp_index(depth, a, b) : dimension == 1 ? mp_index(a, depth, b) : mp_index(a, b, depth);
}

static void copy_faces(void) {
  const int face = mp.points * mp.points, faces = mp.side - 1;
  static mp_point_t *out, *in;
  if (faces == 0) return;
  if (out == NULL) {
    out = nas_allocate((size_t)(face * faces), 6 * sizeof *out);
    in = nas_allocate((size_t)(face * faces), 6 * sizeof *in);
  }
  const int bytes = face * faces * MP_FIVE;
  MPI_Request requests[12];
  for (int way = 0; way < 6; ++way) {  // to the tasks behind and in front of each dimension's cells
    const int d = way / 2, up = way % 2;
    MPI_Irecv(in + way * face * faces, bytes, MPI_DOUBLE, up ? mp.before[d] : mp.after[d], way, MPI_COMM_WORLD,
              &requests[way]);
  }
  for (int way = 0; way < 6; ++way) {
    const int d = way / 2, up = way % 2;
    mp_point_t* to = out + way * face * faces;
    for (int plane = up ? 0 : 1; plane < mp.side - (up ? 1 : 0); ++plane) {
      const mp_cell_t* cell = cell_in_plane(d, plane);
      for (int b = 0; b < mp.points; ++b) {
        for (int a = 0; a < mp.points; ++a) *to++ = cell->u[face_point(d, up ? mp.points - 1 : 0, a, b)];
      }
    }
    MPI_Isend(out + way * face * faces, bytes, MPI_DOUBLE, up ? mp.after[d] : mp.before[d], way, MPI_COMM_WORLD,
              &requests[6 + way]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
  for (int way = 0; way < 6; ++way) {
    const int d = way / 2, up = way % 2;
    const mp_point_t* from = in + way * face * faces;
    for (int plane = up ? 1 : 0; plane < mp.side - (up ? 0 : 1); ++plane) {
      mp_cell_t* cell = cell_in_plane(d, plane);
      for (int b = 0; b < mp.points; ++b) {
        for (int a = 0; a < mp.points; ++a) cell->u[face_point(d, up ? -1 : mp.points, a, b)] = *from++;
      }
    }
  }
}

static void half_sweep(int dimension, mp_solve_t solve, int carry, bool backward) {
  const int lines = mp.points * mp.points, tag = 20 + 2 * dimension + backward;
  double* carried = nas_allocate((size_t)(lines * carry), sizeof *carried);  // zeros come to the box's end
  double* next = nas_allocate((size_t)(lines * carry), sizeof *next);
  const int from = backward ? mp.after[dimension] : mp.before[dimension];
  const int to = backward ? mp.before[dimension] : mp.after[dimension];
  const int stride = backward ? -mp_stride(dimension) : mp_stride(dimension);
  for (int stage = 0; stage < mp.side; ++stage) {
    mp_cell_t* cell = cell_in_plane(dimension, backward ? mp.side - 1 - stage : stage);
    for (int b = 0; b < mp.points; ++b) {
      for (int a = 0; a < mp.points; ++a) {
        solve(cell, face_point(dimension, backward ? mp.points - 1 : 0, a, b), stride,
              carried + (b * mp.points + a) * carry);
      }
    }
    if (stage + 1 == mp.side) break;
    MPI_Sendrecv(carried, lines * carry, MPI_DOUBLE, to, tag, next, lines * carry, MPI_DOUBLE, from, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double* used = carried;
    carried = next;
    next = used;
  }
  free(carried), free(next);
}

static void sweep(int dimension, mp_solve_t forward, int forward_carry, mp_solve_t backward, int backward_carry) {
  half_sweep(dimension, forward, forward_carry, false);
  half_sweep(dimension, backward, backward_carry, true);
}

static void residual(void) {
  copy_faces();
  for (int c = 0; c < mp.side; ++c) {
    mp_cell_t* cell = &mp.cells[c];
    for (int z = 0; z < mp.points; ++z) {
      for (int y = 0; y < mp.points; ++y) {
        for (int x = 0; x < mp.points; ++x) {
          const mp_point_t* here = &cell->u[mp_index(x, y, z)];
          mp_point_t* r = &cell->rhs[mp_index(x, y, z)];
          for (int k = 0; k < MP_FIVE; ++k) {
            double value = 1 - 6.5 * here->of[k] + 0.1 * here->of[(k + 1) % MP_FIVE];
            for (int d = 0; d < 3; ++d) {
              const int stride = mp_stride(d);
              value += here[stride].of[k] + (here - stride)->of[k];
            }
            r->of[k] = 0.1 * value;
          }
        }
      }
    }
  }
}

static void add(void) {
  for (int c = 0; c < mp.side; ++c) {
    for (int z = 0; z < mp.points; ++z) {
      for (int y = 0; y < mp.points; ++y) {
        for (int x = 0; x < mp.points; ++x) {
          const int at = mp_index(x, y, z);
          for (int k = 0; k < MP_FIVE; ++k) mp.cells[c].u[at].of[k] += mp.cells[c].rhs[at].of[k];
        }
      }
    }
  }
}

/// The norm of rhs, at all tasks.
static double norm(void) {
  double mine = 0, sum;
  for (int c = 0; c < mp.side; ++c) {
    for (int z = 0; z < mp.points; ++z) {
      for (int y = 0; y < mp.points; ++y) {
        for (int x = 0; x < mp.points; ++x) {
          const mp_point_t* r = &mp.cells[c].rhs[mp_index(x, y, z)];
          for (int k = 0; k < MP_FIVE; ++k) mine += r->of[k] * r->of[k];
        }
      }
    }
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(sum);
}

int mp_main(int argc, char** argv, const mp_kernel_t* kernel) {
  int iterations = kernel->iterations, size = 40;
  nas_begin(argc, argv, &iterations, &size);
  make(size, kernel->coefficients);
  residual();
  nas_start();
  for (int turn = 0; turn < iterations; ++turn) {
    residual();
    for (int d = 0; d < 3; ++d) {
      sweep(d, kernel->forward, kernel->forward_carry, kernel->backward, kernel->backward_carry);
    }
    add();
  }
  const double rest = norm();
  nas_stop();
  const double points = (double)size * size * size;
  return nas_end(kernel->name, iterations * points * kernel->operations_a_point, rest);
}
