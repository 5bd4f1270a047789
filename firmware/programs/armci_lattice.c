// SPDX-License-Identifier: Apache-2.0
// A Lattice-Boltzmann simulation of a flow in two dimensions (D2Q9, one relaxation time, periodic): the cells lie in
// blocks on the processes, which put those of their edges into the others' ghost cells after each collision.
//   armci_lattice [edge of a block [steps]]: 8 x 8 cells in each process, 4 steps
//   armci_lattice ranks=4 edge=8 steps=4 puts=128 compute_s=0.0006 ghosts_s=0.0001 seconds=0.0007 right=yes
#include <string.h>

#include "firmware/programs/armci_kernel.h"

enum { WAYS = 9 };
static const int kX[WAYS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kY[WAYS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double kWeight[WAYS] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

/// Cells with ghost cells around them; the densities of a cell's ways lie together.
typedef struct {
  int width, height;
  double* cells;
} field_t;

static double* cell(const field_t* field, int x, int y) {
  return field->cells + ((size_t)(y + 1) * (size_t)(field->width + 2) + (size_t)(x + 1)) * WAYS;
}

static size_t field_bytes(int width, int height) {
  return (size_t)(width + 2) * (size_t)(height + 2) * WAYS * sizeof(double);
}

static void equilibrium(double density, double speed_x, double speed_y, double* ways) {
  const double square = speed_x * speed_x + speed_y * speed_y;
  for (int way = 0; way < WAYS; ++way) {
    const double along = kX[way] * speed_x + kY[way] * speed_y;
    ways[way] = kWeight[way] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
  }
}

/// The flow at the start, over the whole field.
static void start(int x, int y, double* ways) {
  equilibrium(1 + (x * 5 + y * 3) % 7 * 0.01, (y % 5 - 2) * 0.02, (x % 3 - 1) * 0.02, ways);
}

/// From one field into another.
static void collide(const field_t* from, const field_t* to) {
  const double rate = 0.8;
  for (int y = 0; y < from->height; ++y) {
    for (int x = 0; x < from->width; ++x) {
      const double* const old = cell(from, x, y);
      double density = 0, flow_x = 0, flow_y = 0, rest[WAYS];
      for (int way = 0; way < WAYS; ++way) {
        density += old[way];
        flow_x += kX[way] * old[way];
        flow_y += kY[way] * old[way];
      }
      equilibrium(density, flow_x / density, flow_y / density, rest);
      double* const new = cell(to, x, y);
      for (int way = 0; way < WAYS; ++way) new[way] = old[way] + rate*(rest[way] - old[way]);
    }
  }
}

static void stream(const field_t* from, const field_t* to) {
  for (int y = 0; y < from->height; ++y) {
    for (int x = 0; x < from->width; ++x) {
      double* const new = cell(to, x, y);
      for (int way = 0; way < WAYS; ++way) new[way] = cell(from, x - kX[way], y - kY[way])[way];
    }
  }
}

static int edges_put;

/// Puts the edge towards the process at (dx, dy) of this one into its ghost cells.
static void put_edge(const field_t* own, void** others, int dx, int dy) {
  const int to_x = (rank % across + dx + across) % across, to_y = (rank / across + dy + down) % down;
  const int owner = to_y * across + to_x;
  const field_t other = {own->width, own->height, others[owner]};
  const int from_x = dx > 0 ? own->width - 1 : 0, from_y = dy > 0 ? own->height - 1 : 0;
  const int there_x = dx > 0 ? -1 : dx < 0 ? own->width : 0, there_y = dy > 0 ? -1 : dy < 0 ? own->height : 0;
  const int wide = dx == 0 ? own->width : 1, high = dy == 0 ? own->height : 1;
  int stride = (own->width + 2) * WAYS * (int)sizeof(double), count[2] = {wide * WAYS * (int)sizeof(double), high};
  ARMCI_NbPutS(cell(own, from_x, from_y), &stride, cell(&other, there_x, there_y), &stride, count, 1, owner, NULL);
  ++edges_put;
}

static void put_ghosts(const field_t* own, void** others) {
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) put_edge(own, others, dx, dy);
    }
  }
  ARMCI_Barrier();
}

/// The same by one process alone, whose ghost cells are its own cells of the other edges.
static void wrap(const field_t* field) {
  for (int y = -1; y <= field->height; ++y) {
    for (int x = -1; x <= field->width; ++x) {
      const int of_x = (x + field->width) % field->width, of_y = (y + field->height) % field->height;
      if (of_x != x || of_y != y) memcpy(cell(field, x, y), cell(field, of_x, of_y), WAYS * sizeof(double));
    }
  }
}

static int check(const field_t* own, int steps) {
  const int width = own->width * across, height = own->height * down;
  field_t now = {width, height, kernel_memory(field_bytes(width, height))};
  field_t collided = {width, height, kernel_memory(field_bytes(width, height))};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) start(x, y, cell(&now, x, y));
  }
  for (int step = 0; step < steps; ++step) {
    collide(&now, &collided);
    wrap(&collided);
    stream(&collided, &now);
  }
  const int first_x = rank % across * own->width, first_y = rank / across * own->height;
  int right = 1;
  for (int y = 0; y < own->height; ++y) {
    for (int x = 0; x < own->width; ++x) {
      const double* const wanted = cell(&now, first_x + x, first_y + y);
      right &= memcmp(cell(own, x, y), wanted, WAYS * sizeof(double)) == 0;
    }
  }
  free(now.cells), free(collided.cells);
  return right;
}

int main(int argc, char** argv) {
  static const char kUsage[] = "armci_lattice [edge of a block [steps]]: 1 to 1024, 1 to 100000";
  kernel_begin(&argc, &argv);
  const int edge = kernel_argument(argc, argv, 1, 8, 1, 1024, kUsage);
  const int steps = kernel_argument(argc, argv, 2, 4, 1, 100000, kUsage);
  // Two in turn: a neighbour may put its next ghost cells while this process still reads the last ones.
  void** parts[2] = {kernel_shared(field_bytes(edge, edge)), kernel_shared(field_bytes(edge, edge))};
  const field_t now = {edge, edge, kernel_memory(field_bytes(edge, edge))};
  for (int y = 0; y < edge; ++y) {
    for (int x = 0; x < edge; ++x) start(rank % across * edge + x, rank / across * edge + y, cell(&now, x, y));
  }
  double ghosts = 0;
  ARMCI_Barrier();
  const double begin = armci_timer();
  for (int step = 0; step < steps; ++step) {
    const field_t collided = {edge, edge, parts[step % 2][rank]};
    collide(&now, &collided);
    const double before = armci_timer();
    put_ghosts(&collided, parts[step % 2]);
    ghosts += armci_timer() - before;
    stream(&collided, &now);
  }
  const double seconds = armci_timer() - begin;
  const double of_ghosts = kernel_over_all(ghosts, "+") / size, most = kernel_over_all(seconds, "max");
  const double compute = kernel_over_all(seconds - ghosts, "+") / size, all_puts = kernel_over_all(edges_put, "+");
  const int right = kernel_agree(check(&now, steps));
  if (rank == 0) {
    printf("armci_lattice ranks=%d edge=%d steps=%d puts=%.0f compute_s=%.6f ghosts_s=%.6f seconds=%.6f right=%s\n",
           size, edge, steps, all_puts, compute, of_ghosts, most, right ? "yes" : "no");
  }
  for (int i = 0; i < 2; ++i) kernel_free(parts[i]);
  free(now.cells);
  ARMCI_Finalize();
  return right ? 0 : 1;
}
