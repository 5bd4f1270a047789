// SPDX-License-Identifier: Apache-2.0
// LU decomposition of a matrix in tiles, without pivoting: in each step the tile of the diagonal is factored, its row
// and column are solved with it, and each process updates its tiles by products of tiles that it gets.
//   armci_lu [tiles [edge]]: 4 x 4 tiles of 8 x 8
//   armci_lu ranks=4 tiles=4 edge=8 gets=70 seconds=0.0012 communicate_s=0.0004 mflops=18.1 right=yes
#include <math.h>

#include "firmware/programs/armci_kernel.h"

static kernel_matrix_t matrix;
static double communicating;  ///< seconds of this process
static double gets;

/// Large on the diagonal.
static double element(int row, int column) {
  return (row * 7 + column * 3) % 13 - 6 + (row == column ? 8 * matrix.tiles * matrix.edge : 0);
}

static void fetch(int i, int j, double* tile) {
  const double begin = armci_timer();
  kernel_get(&matrix, i, j, tile);
  communicating += armci_timer() - begin;
  ++gets;
}

static void meet(void) {
  const double begin = armci_timer();
  ARMCI_Barrier();
  communicating += armci_timer() - begin;
}

/// The lower factor, with ones that are not stored, and the upper one in one tile.
static void factor(double* tile) {
  const int edge = matrix.edge;
  for (int k = 0; k < edge; ++k) {
    for (int i = k + 1; i < edge; ++i) {
      const double ratio = tile[i * edge + k] /= tile[k * edge + k];
      for (int j = k + 1; j < edge; ++j) tile[i * edge + j] -= ratio * tile[k * edge + j];
    }
  }
}

/// tile = tile x (upper factor)^-1
static void solve_column(const double* diagonal, double* tile) {
  const int edge = matrix.edge;
  for (int i = 0; i < edge; ++i) {
    for (int j = 0; j < edge; ++j) {
      for (int k = 0; k < j; ++k) tile[i * edge + j] -= tile[i * edge + k] * diagonal[k * edge + j];
      tile[i * edge + j] /= diagonal[j * edge + j];
    }
  }
}

/// tile = (lower factor)^-1 x tile
static void solve_row(const double* diagonal, double* tile) {
  const int edge = matrix.edge;
  for (int i = 0; i < edge; ++i) {
    for (int k = 0; k < i; ++k) {
      for (int j = 0; j < edge; ++j) tile[i * edge + j] -= diagonal[i * edge + k] * tile[k * edge + j];
    }
  }
}

static int is_own(int i, int j) {
  return kernel_owner(i, j) == rank;
}

/// Updates the own tiles behind step `k`; a row of the upper factor is fetched once.
static void update(int k, double* left, double* rights) {
  const int tiles = matrix.tiles, elements = matrix.edge * matrix.edge;
  const int first_i = k + 1 + ((rank / across - (k + 1)) % down + down) % down;
  const int first_j = k + 1 + ((rank % across - (k + 1)) % across + across) % across;
  if (first_i >= tiles) return;
  for (int j = first_j; j < tiles; j += across) fetch(k, j, rights + j * elements);
  for (int i = first_i; i < tiles; i += down) {
    if (first_j < tiles) fetch(i, k, left);
    for (int j = first_j; j < tiles; j += across) {
      kernel_multiply(matrix.edge, -1, left, rights + j * elements, kernel_tile(&matrix, i, j));
    }
  }
}

static void decompose(void) {
  const int tiles = matrix.tiles, bytes = kernel_tile_bytes(&matrix);
  double *const one = kernel_memory((size_t)bytes), *const row = kernel_memory((size_t)tiles * (size_t)bytes);
  for (int k = 0; k < tiles; ++k) {
    if (is_own(k, k)) factor(kernel_tile(&matrix, k, k));
    meet();
    if (rank % across == k % across || rank / across == k % down) fetch(k, k, one);
    for (int i = k + 1; i < tiles; ++i) {
      if (is_own(i, k)) solve_column(one, kernel_tile(&matrix, i, k));
      if (is_own(k, i)) solve_row(one, kernel_tile(&matrix, k, i));
    }
    meet();
    update(k, one, row);
  }
  meet();
  free(one), free(row);
}

/// Element of the product of both factors, from all of the matrix.
static double product(const double* all, int row, int column) {
  const int n = matrix.tiles * matrix.edge, last = row < column ? row : column;
  double sum = 0;
  for (int k = 0; k <= last; ++k) sum += (k == row ? 1 : all[row * n + k]) * all[k * n + column];
  return sum;
}

/// Whether the own tiles' elements are those of the product.
static int check(void) {
  const int tiles = matrix.tiles, edge = matrix.edge, n = tiles * edge;
  double *const all = kernel_memory(sizeof(double) * (size_t)n * (size_t)n), *const tile = kernel_memory(
                                                                                 (size_t)kernel_tile_bytes(&matrix));
  for (int i = 0; i < tiles * tiles; ++i) {
    kernel_get(&matrix, i / tiles, i % tiles, tile);
    for (int x = 0; x < edge * edge; ++x)
      all[(i / tiles * edge + x / edge) * n + i % tiles * edge + x % edge] = tile[x];
  }
  int right = 1;
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      if (!is_own(row / edge, column / edge)) continue;
      const double wanted = element(row, column);
      right &= fabs(product(all, row, column) - wanted) <= 1e-12 * n * (fabs(wanted) + 1);
    }
  }
  free(all), free(tile);
  return right;
}

int main(int argc, char** argv) {
  static const char kUsage[] = "armci_lu [tiles [edge]]: 1 to 64, 1 to 256";
  kernel_begin(&argc, &argv);
  const int tiles = kernel_argument(argc, argv, 1, 4, 1, 64, kUsage);
  const int edge = kernel_argument(argc, argv, 2, 8, 1, 256, kUsage);
  matrix = kernel_matrix(tiles, edge);
  kernel_fill(&matrix, element);
  const double begin = armci_timer();
  decompose();
  const double seconds = kernel_over_all(armci_timer() - begin, "max");
  communicating = kernel_over_all(communicating, "+") / size;
  gets = kernel_over_all(gets, "+");
  const int right = kernel_agree(check());
  if (rank == 0) {
    const double n = tiles * edge;
    printf("armci_lu ranks=%d tiles=%d edge=%d gets=%.0f seconds=%.6f communicate_s=%.6f mflops=%.1f right=%s\n", size,
           tiles, edge, gets, seconds, communicating, 2 * n * n * n / 3 / seconds / 1e6, right ? "yes" : "no");
  }
  kernel_free(matrix.parts);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
