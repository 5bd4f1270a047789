// SPDX-License-Identifier: Apache-2.0
// The loop of tasks of a self-consistent field calculation: processes draw tasks from a counter in process 0, get tiles
// of the density, compute with integrals, and accumulate to tiles of the Fock matrix (A. Vishnu et al.,
// IPDPS 2013, figure 15). The integrals are made up.
//   armci_scf [tiles [edge [passes]]]: 4 x 4 tiles of 8 x 8, 2 passes
//   armci_scf ranks=4 tiles=4 edge=8 passes=2 tasks=32 most=10 counter_s=0.0001 get_s=0.0001 accumulate_s=0.0001
//   work_s=0.001 seconds=0.002 right=yes, on one line; times are means of the processes
#include "firmware/programs/armci_kernel.h"

static kernel_matrix_t density, fock;
static void** counters;

static double guess(int row, int column) {
  return (row * 5 + column * 3) % 9 - 4;
}

/// Of a task, for one element of the density and one of the Fock matrix.
static double integral(int task, int from, int to) {
  return (task + from * 3 + to * 7) % 5 - 2;
}

enum { COUNTER, GET, ACCUMULATE, WORK, PARTS };
static double spent[PARTS];

static double lap(int part, double begin) {
  const double now = armci_timer();
  spent[part] += now - begin;
  return now;
}

static long draw(void) {
  long task;
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &task, counters[0], 1, 0);
  return task;
}

/// part[to] = sum of the integrals times the density
static void contract(int task, int elements, const double* tile, double* part) {
  for (int to = 0; to < elements; ++to) {
    double sum = 0;
    for (int from = 0; from < elements; ++from) sum += integral(task, from, to) * tile[from];
    part[to] = sum;
  }
}

/// Returns how many tasks this process has done. Task (i, j) adds its part twice to tile (i, j) and takes it once from
/// (j, i).
static long pass(double* tile, double* part) {
  const int tiles = fock.tiles, elements = fock.edge * fock.edge, bytes = kernel_tile_bytes(&fock);
  double factors[2] = {2, -1};
  long done = 0;
  for (double time = armci_timer();; ++done) {
    const long task = draw();
    time = lap(COUNTER, time);
    if (task >= (long)tiles * tiles) return done;
    const int i = (int)task / tiles, j = (int)task % tiles;
    kernel_get(&density, i, j, tile);
    time = lap(GET, time);
    contract((int)task, elements, tile, part);
    time = lap(WORK, time);
    ARMCI_Acc(ARMCI_ACC_DBL, &factors[0], part, kernel_tile(&fock, i, j), bytes, kernel_owner(i, j));
    ARMCI_Acc(ARMCI_ACC_DBL, &factors[1], part, kernel_tile(&fock, j, i), bytes, kernel_owner(j, i));
    time = lap(ACCUMULATE, time);
  }
}

/// The own tiles of the Fock matrix, which is the sum of all passes.
static int check(int passes) {
  const int tiles = fock.tiles, edge = fock.edge, elements = edge * edge;
  double *const tile = kernel_memory((size_t)kernel_tile_bytes(&fock)), *const parts = kernel_memory(
                                                                            2 * (size_t)kernel_tile_bytes(&fock));
  int right = 1;
  for (int i = rank / across; i < tiles; i += down) {
    for (int j = rank % across; j < tiles; j += across) {
      for (int turn = 0; turn < 2; ++turn) {
        const int of_i = turn == 0 ? i : j, of_j = turn == 0 ? j : i;
        for (int x = 0; x < elements; ++x) tile[x] = guess(of_i * edge + x / edge, of_j * edge + x % edge);
        contract(of_i * tiles + of_j, elements, tile, parts + turn * elements);
      }
      const double* const own = kernel_tile(&fock, i, j);
      for (int x = 0; x < elements; ++x) right &= own[x] == passes * (2 * parts[x] - parts[elements + x]);
    }
  }
  free(tile), free(parts);
  return right;
}

int main(int argc, char** argv) {
  static const char kUsage[] = "armci_scf [tiles [edge [passes]]]: 1 to 64, 1 to 64, 1 to 1000";
  kernel_begin(&argc, &argv);
  const int tiles = kernel_argument(argc, argv, 1, 4, 1, 64, kUsage);
  const int edge = kernel_argument(argc, argv, 2, 8, 1, 64, kUsage);
  const int passes = kernel_argument(argc, argv, 3, 2, 1, 1000, kUsage);
  density = kernel_matrix(tiles, edge);
  fock = kernel_matrix(tiles, edge);
  counters = kernel_shared(sizeof(long));
  kernel_fill(&density, guess);
  double* const work = kernel_memory(2 * (size_t)kernel_tile_bytes(&fock));
  double own = 0;
  const double begin = armci_timer();
  for (int i = 0; i < passes; ++i) {
    own += (double)pass(work, work + edge * edge);
    ARMCI_Barrier();
    if (rank == 0) *(long*)counters[0] = 0;
    ARMCI_Barrier();
  }
  const double seconds = kernel_over_all(armci_timer() - begin, "max");
  const double done = kernel_over_all(own, "+"), most = kernel_over_all(own, "max");
  for (int i = 0; i < PARTS; ++i) spent[i] = kernel_over_all(spent[i], "+") / size;
  const int tasks = tiles * tiles * passes;
  const int right = kernel_agree(check(passes)) && done == tasks;
  if (rank == 0) {
    printf(
        "armci_scf ranks=%d tiles=%d edge=%d passes=%d tasks=%d most=%.0f counter_s=%.6f get_s=%.6f "
        "accumulate_s=%.6f work_s=%.6f seconds=%.6f right=%s\n",
        size, tiles, edge, passes, tasks, most, spent[COUNTER], spent[GET], spent[ACCUMULATE], spent[WORK], seconds,
        right ? "yes" : "no");
  }
  free(work);
  kernel_free(counters);
  kernel_free(fock.parts);
  kernel_free(density.parts);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
