// SPDX-License-Identifier: Apache-2.0
// Distributed graph topologies.
#include <string.h>

#include "check.h"

static int rank, size;

/// Whether a list has these ranks with their weights, in any order.
static int has(int count, const int* ranks, const int* weights, int wanted, const int* wanted_ranks,
               const int* wanted_weights) {
  if (count != wanted) return 0;
  int used[16] = {0};
  for (int i = 0; i < wanted; ++i) {
    int found = 0;
    for (int k = 0; k < count && !found; ++k) {
      if (used[k] || ranks[k] != wanted_ranks[i] || weights[k] != wanted_weights[i]) continue;
      found = used[k] = 1;
    }
    if (!found) return 0;
  }
  return 1;
}

/// Everybody sends to the next two ranks; the weight is the distance times ten, plus the sender's rank.
static void check_ring(MPI_Comm graph, int weighted_wanted, const char* what) {
  int in, out, weighted, kind, sources[8], source_weights[8], destinations[8], destination_weights[8];
  MPI_Topo_test(graph, &kind);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(kind == MPI_DIST_GRAPH && in == 2 && out == 2 && !weighted == !weighted_wanted,
        "%s: topology %d, %d in, %d out, weighted %d", what, kind, in, out, weighted);
  if (in != 2 || out != 2) return;
  int from[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size},
      to[2] = {(rank + 1) % size, (rank + 2) % size};
  int from_weights[2] = {10 + from[0], 20 + from[1]}, to_weights[2] = {10 + rank, 20 + rank};
  if (weighted_wanted) {
    MPI_Dist_graph_neighbors(graph, 2, sources, source_weights, 2, destinations, destination_weights);
  } else {
    MPI_Dist_graph_neighbors(graph, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED);
    memcpy(source_weights, from_weights, sizeof from_weights);
    memcpy(destination_weights, to_weights, sizeof to_weights);
    if (sources[0] != from[0]) {
      source_weights[0] = from_weights[1];
      source_weights[1] = from_weights[0];
    }
    if (destinations[0] != to[0]) {
      destination_weights[0] = to_weights[1];
      destination_weights[1] = to_weights[0];
    }
  }
  CHECK(has(2, sources, source_weights, 2, from, from_weights), "%s: sources %d, %d; weights %d, %d", what, sources[0],
        sources[1], source_weights[0], source_weights[1]);
  CHECK(has(2, destinations, destination_weights, 2, to, to_weights), "%s: destinations %d, %d; weights %d, %d", what,
        destinations[0], destinations[1], destination_weights[0], destination_weights[1]);
}

int main(int argc, char** argv) {
  MPI_Comm graph, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

  // Who knows his own neighbours.
  int from[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size},
      to[2] = {(rank + 1) % size, (rank + 2) % size};
  int from_weights[2] = {10 + from[0], 20 + from[1]}, to_weights[2] = {10 + rank, 20 + rank};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, from_weights, 2, to, to_weights, MPI_INFO_NULL, 1, &graph);
  check_ring(graph, 1, "adjacent");
  int found[2];
  MPI_Dist_graph_neighbors(graph, 2, found, MPI_UNWEIGHTED, 0, NULL, NULL);
  CHECK(found[0] == from[0] && found[1] == from[1], "adjacent: the order is another than was given");
  MPI_Comm_dup(graph, &copy);
  check_ring(copy, 1, "a copy");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&graph);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  check_ring(graph, 0, "adjacent, unweighted");
  MPI_Comm_free(&graph);

  // Everybody says two edges of others; then rank 0 says all.
  int node = (rank + 1) % size, degree = 2, ends[2] = {(node + 1) % size, (node + 2) % size};
  int weights[2] = {10 + node, 20 + node};
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &node, &degree, ends, weights, MPI_INFO_NULL, 0, &graph);
  check_ring(graph, 1, "of others' edges");
  MPI_Comm_free(&graph);
  int* nodes = malloc((size_t)size * sizeof *nodes);
  int* degrees = malloc((size_t)size * sizeof *degrees);
  int* all_ends = malloc(2 * (size_t)size * sizeof *all_ends);
  int* all_weights = malloc(2 * (size_t)size * sizeof *all_weights);
  for (int i = 0; i < size; ++i) {
    nodes[i] = i;
    degrees[i] = 2;
    for (int k = 0; k < 2; ++k) {
      all_ends[2 * i + k] = (i + k + 1) % size;
      all_weights[2 * i + k] = 10 * (k + 1) + i;
    }
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, nodes, degrees, all_ends,
                        rank == 0 ? all_weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
  check_ring(graph, 1, "of one's edges");
  int value;
  // A star, which the last rank describes: rank 0 sends to all.
  MPI_Comm star;
  int centre = 0, in, out;
  for (int i = 0; i < size; ++i) all_ends[i] = i;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == size - 1, &centre, &size, all_ends, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &star);
  MPI_Dist_graph_neighbors_count(star, &in, &out, &value);
  CHECK(in == 1 && out == (rank == 0 ? size : 0) && !value, "in a star: %d in, %d out, weighted %d", in, out, value);
  MPI_Comm_free(&star);
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(graph, &value));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &value, &value, &value));
  MPI_Comm_free(&graph);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &size, MPI_UNWEIGHTED, 0, NULL,
                                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
  degrees[0] = -1;
  CHECK_ERROR(MPI_ERR_ARG, MPI_Dist_graph_create(MPI_COMM_WORLD, 1, nodes, degrees, all_ends, MPI_UNWEIGHTED,
                                                 MPI_INFO_NULL, 0, &graph));
  free(nodes);
  free(degrees);
  free(all_ends);
  free(all_weights);
  CHECK(MPI_UNWEIGHTED != NULL && MPI_WEIGHTS_EMPTY != MPI_UNWEIGHTED, "three pointers mean three things");
  return check_end();
}
