// SPDX-License-Identifier: Apache-2.0
// A product of matrices in tiles, as programs on Global Arrays compute one: processes get tiles of the factors, the
// next ones while they multiply, and accumulate to the product, whose values nobody needs before the end.
//   armci_dgemm [tiles [edge]]: 4 x 4 tiles of 12 x 12
//   armci_dgemm ranks=4 tiles=4 edge=12 gets=128 accumulates=64 seconds=0.001 mflops=221 right=yes
#include "firmware/programs/armci_kernel.h"

static double left_factor(int row, int column) {
  return (row * 3 + column) % 7 - 3;
}

static double right_factor(int row, int column) {
  return (row + column * 5) % 11 - 5;
}

/// The tiles of a task's factors, on their way or there.
typedef struct {
  int i, j, k;
  double *left, *right;
  armci_hdl_t handles[2];
} task_t;

static kernel_matrix_t factors[2], product;

static void fetch(task_t* task, int number) {
  const int tiles = product.tiles, bytes = kernel_tile_bytes(&product);
  task->i = number / tiles % tiles;
  task->j = number % tiles;
  task->k = number / (tiles * tiles);
  for (int i = 0; i < 2; ++i) ARMCI_INIT_HANDLE(&task->handles[i]);
  ARMCI_NbGet(kernel_tile(&factors[0], task->i, task->k), task->left, bytes, kernel_owner(task->i, task->k),
              &task->handles[0]);
  ARMCI_NbGet(kernel_tile(&factors[1], task->k, task->j), task->right, bytes, kernel_owner(task->k, task->j),
              &task->handles[1]);
}

static void multiply(int tasks) {
  const int edge = product.edge, bytes = kernel_tile_bytes(&product);
  double* const tiles = kernel_memory(6 * (size_t)bytes);
  const int elements = edge * edge;
  task_t task[2];
  armci_hdl_t added[2];
  for (int i = 0; i < 2; ++i) {
    task[i].left = tiles + 2 * i * elements;
    task[i].right = task[i].left + elements;
    ARMCI_INIT_HANDLE(&added[i]);
  }
  double one = 1;
  int turn = 0;
  if (rank < tasks) fetch(&task[0], rank);
  for (int number = rank; number < tasks; number += size, turn ^= 1) {
    task_t* const now = &task[turn];
    if (number + size < tasks) fetch(&task[turn ^ 1], number + size);
    for (int i = 0; i < 2; ++i) ARMCI_Wait(&now->handles[i]);
    double* const part = tiles + (4 + turn) * elements;
    ARMCI_Wait(&added[turn]);
    for (int x = 0; x < elements; ++x) part[x] = 0;
    kernel_multiply(edge, 1, now->left, now->right, part);
    ARMCI_NbAcc(ARMCI_ACC_DBL, &one, part, kernel_tile(&product, now->i, now->j), bytes, kernel_owner(now->i, now->j),
                &added[turn]);
  }
  ARMCI_WaitAll();
  ARMCI_Barrier();
  free(tiles);
}

/// The own tiles of the product.
static int check(void) {
  const int edge = product.edge, dimension = product.tiles * edge;
  for (int i = rank / across; i < product.tiles; i += down) {
    for (int j = rank % across; j < product.tiles; j += across) {
      const double* const tile = kernel_tile(&product, i, j);
      for (int x = 0; x < edge * edge; ++x) {
        const int row = i * edge + x / edge, column = j * edge + x % edge;
        double sum = 0;
        for (int inner = 0; inner < dimension; ++inner) sum += left_factor(row, inner) * right_factor(inner, column);
        if (tile[x] != sum) return 0;
      }
    }
  }
  return 1;
}

int main(int argc, char** argv) {
  static const char kUsage[] = "armci_dgemm [tiles [edge]]: 1 to 64, 1 to 256";
  kernel_begin(&argc, &argv);
  const int tiles = kernel_argument(argc, argv, 1, 4, 1, 64, kUsage);
  const int edge = kernel_argument(argc, argv, 2, 12, 1, 256, kUsage);
  for (int i = 0; i < 2; ++i) factors[i] = kernel_matrix(tiles, edge);
  product = kernel_matrix(tiles, edge);
  kernel_fill(&factors[0], left_factor);
  kernel_fill(&factors[1], right_factor);
  const int tasks = tiles * tiles * tiles;
  const double begin = armci_timer();
  multiply(tasks);
  const double seconds = kernel_over_all(armci_timer() - begin, "max");
  const int right = kernel_agree(check());
  if (rank == 0) {
    const double dimension = tiles * edge;
    printf("armci_dgemm ranks=%d tiles=%d edge=%d gets=%d accumulates=%d seconds=%.6f mflops=%.1f right=%s\n", size,
           tiles, edge, 2 * tasks, tasks, seconds, 2 * dimension * dimension * dimension / seconds / 1e6,
           right ? "yes" : "no");
  }
  for (int i = 0; i < 2; ++i) kernel_free(factors[i].parts);
  kernel_free(product.parts);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
