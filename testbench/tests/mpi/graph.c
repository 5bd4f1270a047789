// SPDX-License-Identifier: Apache-2.0
// Graph topologies.
#include <string.h>

#include "check.h"

int main(int argc, char** argv) {
  int rank, size, value, nodes, edges;
  MPI_Comm star, made;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // A star: everybody knows rank 0, which knows all, itself included twice.
  int* index = malloc((size_t)size * sizeof *index);
  int* edge = malloc(3 * (size_t)size * sizeof *edge);
  int count = 0;
  edge[count++] = 0;
  edge[count++] = 0;
  for (int i = 1; i < size; ++i) edge[count++] = i;
  for (int i = 0; i < size; ++i) {
    if (i > 0) edge[count++] = 0;
    index[i] = count;
  }
  CHECK_ERROR(MPI_SUCCESS, MPI_Graph_create(MPI_COMM_WORLD, size, index, edge, 1, &star));
  MPI_Topo_test(star, &value);
  MPI_Graphdims_get(star, &nodes, &edges);
  CHECK(value == MPI_GRAPH && nodes == size && edges == count, "topology %d of %d nodes, %d edges", value, nodes,
        edges);
  int* found_index = calloc((size_t)size, sizeof *index);
  int* found_edge = calloc(3 * (size_t)size, sizeof *edge);
  MPI_Graph_get(star, size, count, found_index, found_edge);
  CHECK(memcmp(index, found_index, (size_t)size * sizeof *index) == 0, "another index than was given");
  CHECK(memcmp(edge, found_edge, (size_t)count * sizeof *edge) == 0, "other edges than were given");
  for (int i = 0; i < size; ++i) {
    MPI_Graph_neighbors_count(star, i, &value);
    CHECK(value == (i == 0 ? size + 1 : 1), "rank %d has %d neighbours", i, value);
  }
  memset(found_edge, 0xFF, sizeof *found_edge);
  MPI_Graph_neighbors(star, size - 1, size + 1, found_edge);
  CHECK(found_edge[0] == 0, "the last rank's neighbour is %d", found_edge[0]);
  MPI_Graph_neighbors(star, 0, size + 1, found_edge);
  CHECK(found_edge[0] == 0 && found_edge[1] == 0 && found_edge[size] == size - 1, "rank 0's neighbours are wrong");
  MPI_Comm copy;
  MPI_Comm_dup(star, &copy);
  MPI_Graphdims_get(copy, &nodes, &edges);
  CHECK(nodes == size && edges == count, "a copy has %d nodes, %d edges", nodes, edges);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Graph_neighbors_count(star, size, &value));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(star, &value));
  MPI_Comm_free(&copy);
  MPI_Comm_free(&star);

  // Of one node: the others get nothing.
  index[0] = 1;
  edge[0] = 0;
  MPI_Graph_map(MPI_COMM_WORLD, 1, index, edge, &value);
  CHECK(value == (rank == 0 ? 0 : MPI_UNDEFINED), "mapped to %d", value);
  MPI_Graph_create(MPI_COMM_WORLD, 1, index, edge, 0, &made);
  CHECK((made != MPI_COMM_NULL) == (rank == 0), "only rank 0 is in a graph of one node");
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  edge[0] = 1;
  CHECK_ERROR(MPI_ERR_ARG, MPI_Graph_create(MPI_COMM_WORLD, 1, index, edge, 0, &made));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Graph_create(MPI_COMM_WORLD, size + 1, index, edge, 0, &made));
  free(index);
  free(edge);
  free(found_index);
  free(found_edge);
  return check_end();
}
