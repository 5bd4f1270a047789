// SPDX-License-Identifier: Apache-2.0
// Collective operations among the neighbours of a grid, a graph and a distributed graph.
#include <string.h>

#include "check.h"

static int rank, size;
enum { MOST = 8, LONG = 700 };

/// What rank `from` says to its neighbour number `slot`.
static int word(int from, int slot) {
  return 1000 * from + slot;
}

/// In a grid: what comes from the one before was sent to the one behind, also where both are the same process.
static void in_grid(int dimensions, int periodic) {
  int sizes[3] = {0}, periods[3], out[MOST], in[MOST], neighbours[MOST], me;
  MPI_Comm grid;
  MPI_Dims_create(size, dimensions, sizes);
  for (int i = 0; i < dimensions; ++i) periods[i] = periodic;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 1, &grid);
  MPI_Comm_rank(grid, &me);
  const int count = 2 * dimensions;
  for (int i = 0; i < dimensions; ++i) MPI_Cart_shift(grid, i, 1, &neighbours[2 * i], &neighbours[2 * i + 1]);
  for (int i = 0; i < count; ++i) out[i] = word(me, i);
  memset(in, 0xFF, sizeof in);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < count; ++i) {
    const int wanted = neighbours[i] == MPI_PROC_NULL ? -1 : word(neighbours[i], i ^ 1);
    CHECK(in[i] == wanted, "%d dimensions, periodic %d: neighbour %d, %d, said %d, not %d", dimensions, periodic, i,
          neighbours[i], in[i], wanted);
  }
  memset(in, 0xFF, sizeof in);
  MPI_Neighbor_allgather(&me, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < count; ++i) {
    CHECK(in[i] == (neighbours[i] == MPI_PROC_NULL ? -1 : neighbours[i]), "neighbour %d said %d", i, in[i]);
  }
  // Long blocks of different sizes, without blocking.
  static int long_out[MOST * LONG], long_in[MOST * LONG];
  int counts[MOST], from_counts[MOST], places[MOST];
  for (int i = 0; i < count; ++i) {
    counts[i] = LONG - 1 - 100 * i;
    from_counts[i] = LONG - 1 - 100 * (i ^ 1);
    places[i] = i * LONG;
    for (int k = 0; k < LONG; ++k) long_out[i * LONG + k] = word(me, i) + k;
  }
  memset(long_in, 0xFF, sizeof long_in);
  MPI_Request request;
  MPI_Ineighbor_alltoallv(long_out, counts, places, MPI_INT, long_in, from_counts, places, MPI_INT, grid, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) {
    if (neighbours[i] == MPI_PROC_NULL) continue;
    const int last = from_counts[i] - 1;
    CHECK(long_in[i * LONG + last] == word(neighbours[i], i ^ 1) + last && long_in[i * LONG + last + 1] == -1,
          "neighbour %d's long block ends with %d", i, long_in[i * LONG + last]);
  }
  MPI_Comm_free(&grid);
}

static void in_graphs(void) {
  // Everybody knows the others at distances 1 and 2: a graph, and the same as a distributed graph with directions.
  int* index = malloc((size_t)size * sizeof *index);
  int* edges = malloc(4 * (size_t)size * sizeof *edges);
  for (int i = 0; i < size; ++i) {
    index[i] = 4 * (i + 1);
    for (int k = 0; k < 4; ++k) edges[4 * i + k] = (i + 2 * size + (k < 2 ? k - 2 : k - 1)) % size;
  }
  MPI_Comm graph, directed;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  int in[MOST];
  const int* mine = &edges[4 * rank];
  memset(in, 0xFF, sizeof in);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == mine[i], "neighbour %d of the graph is %d, not %d", i, in[i], mine[i]);
  int places[4] = {6, 4, 2, 0}, counts[4] = {1, 1, 1, 1};
  memset(in, 0xFF, sizeof in);
  MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, graph);
  for (int i = 0; i < 4; ++i) {
    CHECK(in[places[i]] == mine[i] && in[places[i] + 1] == -1, "neighbour %d of the graph said %d", i, in[places[i]]);
  }
  MPI_Comm_free(&graph);

  int from[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
  int to[2] = {(rank + 1) % size, (rank + 2) % size};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &directed);
  struct {
    char letter;
    double numbers[2];
  } out;
  double got[2][2] = {{0, 0}, {0, 0}};
  char letter[2] = {0, 0};
  out.letter = (char)('a' + rank);
  out.numbers[0] = rank;
  out.numbers[1] = rank + 0.5;
  // A letter to the next, the numbers to the one behind it.
  MPI_Aint out_places[2] = {(char*)&out.letter - (char*)&out, (char*)out.numbers - (char*)&out}, in_places[2] = {0, 0};
  MPI_Aint base, at;
  int out_counts[2] = {1, 2}, in_counts[2] = {1, 2};
  MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Get_address(letter, &base);
  MPI_Get_address(got[1], &at);
  in_places[1] = MPI_Aint_diff(at, base);
  MPI_Neighbor_alltoallw(&out, out_counts, out_places, types, letter, in_counts, in_places, types, directed);
  CHECK(letter[0] == (char)('a' + from[0]) && letter[1] == 0, "the one before said %c", letter[0]);
  CHECK(got[1][0] == from[1] && got[1][1] == from[1] + 0.5, "the one before that said %g, %g", got[1][0], got[1][1]);
  MPI_Comm_free(&directed);
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD));
  free(index);
  free(edges);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    in_grid(dimensions, 0);
    in_grid(dimensions, 1);
  }
  in_graphs();
  return check_end();
}
