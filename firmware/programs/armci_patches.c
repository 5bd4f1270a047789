// SPDX-License-Identifier: Apache-2.0
// A product of matrices that are distributed over all processes in blocks, as programs on Global Arrays compute one:
// processes draw tasks from a shared counter, get patches of the factors, multiply them, and accumulate the patch of
// the product. Patches lie in the memory of several processes.
//   armci_patches [dimension [patch]]: 48 and 17
//   armci_patches ranks=4 dimension=48 patch=17 tasks=27 most=9 right=yes
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIMENSION = 4096 };

static int rank, size, dimension, patch_most;
static int across, down;  ///< processes

/// A matrix in blocks of equal size, but for the last ones; block (i, j) is in process i * across + j, by rows.
typedef struct {
  void** blocks;
} matrix_t;

typedef struct {
  int row, column, rows, columns;
} patch_t;

typedef enum { PUT, GET, ADD } kind_t;

static int rows_each(void) {
  return (dimension + down - 1) / down;
}

static int columns_each(void) {
  return (dimension + across - 1) / across;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static matrix_t matrix_new(void) {
  matrix_t matrix = {calloc((size_t)size, sizeof(void*))};
  const size_t bytes = (size_t)rows_each() * (size_t)columns_each() * sizeof(double);
  if (matrix.blocks == NULL || ARMCI_Malloc(matrix.blocks, (armci_size_t)bytes) != 0) {
    ARMCI_Error((char*)"no memory for a matrix", 1);
  }
  double* const own = matrix.blocks[rank];
  for (size_t i = 0; i < bytes / sizeof(double); ++i) own[i] = 0;
  ARMCI_Barrier();
  return matrix;
}

static void matrix_free(matrix_t* matrix) {
  ARMCI_Barrier();
  ARMCI_Free(matrix->blocks[rank]);
  free(matrix->blocks);
}

/// The part of a patch that is in one block. `own` has the patch's rows one behind the other.
static void access_block(kind_t kind, const matrix_t* matrix, const patch_t* patch, double* own, int i, int j) {
  const int first_row = i * rows_each(), first_column = j * columns_each();
  const int row = patch->row > first_row ? patch->row : first_row;
  const int column = patch->column > first_column ? patch->column : first_column;
  const int rows = least(patch->row + patch->rows, first_row + rows_each()) - row;
  const int columns = least(patch->column + patch->columns, first_column + columns_each()) - column;
  const int owner = i * across + j;
  double* const there = (double*)matrix->blocks[owner] + (row - first_row) * columns_each() + (column - first_column);
  double* const here = own + (row - patch->row) * patch->columns + (column - patch->column);
  int near = patch->columns * (int)sizeof(double), far = columns_each() * (int)sizeof(double);
  int count[2] = {columns * (int)sizeof(double), rows};
  double one = 1;
  int error = 0;
  if (kind == PUT) error = ARMCI_PutS(here, &near, there, &far, count, 1, owner);
  if (kind == GET) error = ARMCI_GetS(there, &far, here, &near, count, 1, owner);
  if (kind == ADD) error = ARMCI_AccS(ARMCI_ACC_DBL, &one, here, &near, there, &far, count, 1, owner);
  if (error != 0) ARMCI_Error((char*)"a patch is refused", error);
}

static void access_patch(kind_t kind, const matrix_t* matrix, const patch_t* patch, double* own) {
  const int last_i = (patch->row + patch->rows - 1) / rows_each();
  const int last_j = (patch->column + patch->columns - 1) / columns_each();
  for (int i = patch->row / rows_each(); i <= last_i; ++i) {
    for (int j = patch->column / columns_each(); j <= last_j; ++j) access_block(kind, matrix, patch, own, i, j);
  }
}

static double left_factor(int row, int column) {
  return (row * 3 + column) % 7 - 3;
}

static double right_factor(int row, int column) {
  return (row + column * 5) % 11 - 5;
}

static int strips(void) {
  return (dimension + patch_most - 1) / patch_most;
}

static int strip_length(int strip) {
  return least(patch_most, dimension - strip * patch_most);
}

/// Every process puts its share of the strips of rows.
static void fill(const matrix_t* matrix, double value(int, int), double* own) {
  for (int strip = rank; strip < strips(); strip += size) {
    const patch_t patch = {strip * patch_most, 0, strip_length(strip), dimension};
    for (int i = 0; i < patch.rows; ++i) {
      for (int j = 0; j < dimension; ++j) own[i * dimension + j] = value(patch.row + i, j);
    }
    access_patch(PUT, matrix, &patch, own);
  }
}

/// Adds the product of patch (i, k) of the left and (k, j) of the right factor to patch (i, j).
static void multiply(const matrix_t matrices[3], int i, int j, int k, double* work) {
  const int n = patch_most * patch_most;
  double *const left = work, *const right = work + n, *const product = work + 2 * n;
  const patch_t of_left = {i * patch_most, k * patch_most, strip_length(i), strip_length(k)};
  const patch_t of_right = {k * patch_most, j * patch_most, strip_length(k), strip_length(j)};
  const patch_t of_product = {i * patch_most, j * patch_most, strip_length(i), strip_length(j)};
  access_patch(GET, &matrices[0], &of_left, left);
  access_patch(GET, &matrices[1], &of_right, right);
  for (int row = 0; row < of_product.rows; ++row) {
    for (int column = 0; column < of_product.columns; ++column) {
      double sum = 0;
      for (int inner = 0; inner < of_left.columns; ++inner) {
        sum += left[row * of_left.columns + inner] * right[inner * of_right.columns + column];
      }
      product[row * of_product.columns + column] = sum;
    }
  }
  access_patch(ADD, &matrices[2], &of_product, product);
}

/// Whether the process's share of the rows is right.
static int check(const matrix_t* product, double* own) {
  for (int row = rank; row < dimension; row += size) {
    const patch_t patch = {row, 0, 1, dimension};
    access_patch(GET, product, &patch, own);
    for (int column = 0; column < dimension; ++column) {
      double sum = 0;
      for (int inner = 0; inner < dimension; ++inner) sum += left_factor(row, inner) * right_factor(inner, column);
      if (own[column] != sum) return 0;
    }
  }
  return 1;
}

int main(int argc, char** argv) {
  ARMCI_Init_args(&argc, &argv);
  rank = armci_msg_me();
  size = armci_msg_nproc();
  dimension = argc > 1 ? atoi(argv[1]) : 48;
  patch_most = argc > 2 ? atoi(argv[2]) : 17;
  if (dimension < 1 || dimension > MOST_DIMENSION || patch_most < 1 || patch_most > dimension) {
    ARMCI_Error((char*)"armci_patches [dimension [patch]]: 1 to 4096, and 1 to the dimension", 2);
  }
  down = 1;
  for (int i = 1; i * i <= size; ++i) {
    if (size % i == 0) down = i;
  }
  across = size / down;
  double* const work = malloc(sizeof(double) * (size_t)patch_most * (size_t)(3 * patch_most + dimension));
  if (work == NULL) ARMCI_Error((char*)"no memory for patches", 1);
  matrix_t matrices[3];
  for (int i = 0; i < 3; ++i) matrices[i] = matrix_new();
  void** const counters = calloc((size_t)size, sizeof(void*));
  if (counters == NULL || ARMCI_Malloc(counters, sizeof(long)) != 0) ARMCI_Error((char*)"no memory", 1);
  *(long*)counters[rank] = 0;
  fill(&matrices[0], left_factor, work);
  fill(&matrices[1], right_factor, work);
  ARMCI_Barrier();

  const long n = strips(), tasks = n * n * n;
  long task, most = 0;
  for (;; ++most) {
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &task, counters[0], 1, 0);
    if (task >= tasks) break;
    multiply(matrices, (int)(task % n), (int)(task / n % n), (int)(task / (n * n)), work);
  }
  ARMCI_Barrier();

  int right = check(&matrices[2], work);
  armci_msg_igop(&right, 1, (char*)"min");
  armci_msg_lgop(&most, 1, (char*)"max");
  if (rank == 0) {
    printf("armci_patches ranks=%d dimension=%d patch=%d tasks=%ld most=%ld right=%s\n", size, dimension, patch_most,
           tasks, most, right ? "yes" : "no");
  }
  for (int i = 0; i < 3; ++i) matrix_free(&matrices[i]);
  ARMCI_Free(counters[rank]);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
