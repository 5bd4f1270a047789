// SPDX-License-Identifier: Apache-2.0
// Distributed graph topologies: every process knows its own neighbours.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/topology.h"

typedef struct {
  int source;
  int destination;
  int weight;
} edge_t;

static int enter(const char* function, MPI_Comm handle, MPI_Info info_handle, mpii_comm_t** comm) {
  struct mpii_info* info;
  MPII_TRY(mpii_enter_comm(function, handle, comm));
  if (mpii_is_inter(*comm)) {
    return mpii_fail(*comm, MPI_ERR_COMM, "the communicator is an intercommunicator; it must have one group");
  }
  return info_handle == MPI_INFO_NULL ? MPI_SUCCESS : mpii_info(*comm, info_handle, &info);
}

static int check_ranks(mpii_comm_t* comm, int count, const int* ranks, const char* what) {
  if (count < 0) return mpii_fail(comm, MPI_ERR_ARG, "there are %d %s; 0 is the least", count, what);
  MPII_TRY(mpii_check_array(comm, ranks, count, what));
  for (int i = 0; i < count; ++i) {
    if (ranks[i] >= 0 && ranks[i] < comm->size) continue;
    return mpii_fail(comm, MPI_ERR_RANK, "number %d of the %s is rank %d; there are ranks 0 to %d", i, what, ranks[i],
                     comm->size - 1);
  }
  return MPI_SUCCESS;
}

/// The lists of a topology: sources, their weights, destinations, their weights.
typedef struct {
  int *sources, *source_weights, *destinations, *destination_weights;
} lists_t;

static lists_t lists_of(mpii_topology_t* graph) {
  int* sources = graph->numbers;
  int* destinations = sources + 2 * graph->u.dist_graph.in;
  return (lists_t){sources, sources + graph->u.dist_graph.in, destinations, destinations + graph->u.dist_graph.out};
}

static mpii_topology_t* make(int in, int out, bool weighted) {
  mpii_topology_t* graph = mpii_topology_new(MPI_DIST_GRAPH, 2 * in + 2 * out);
  graph->u.dist_graph.in = in;
  graph->u.dist_graph.out = out;
  graph->u.dist_graph.weighted = weighted;
  return graph;
}

/// Processes are not reordered even if the program permits it: their order is the communicator's.
static MPI_Comm with(mpii_comm_t* comm, mpii_topology_t* graph, uint32_t context) {
  mpii_comm_t* made = mpii_comm_new(mpii_retain(comm->group), context, comm);
  mpii_network_share(made, comm);
  made->topology = graph;
  return made->object.handle;
}

static void copy(int* to, const int* from, int count) {
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm handle, int in, const int sources[], const int source_weights[], int out,
                                    const int destinations[], const int destination_weights[], MPI_Info info,
                                    int reorder, MPI_Comm* made) {
  mpii_comm_t* comm;
  (void)reorder;
  MPII_TRY(enter("MPI_Dist_graph_create_adjacent", handle, info, &comm));
  MPII_TRY(check_ranks(comm, in, sources, "sources"));
  MPII_TRY(check_ranks(comm, out, destinations, "destinations"));
  MPII_TRY(mpii_check_array(comm, source_weights, in, "source_weights"));
  MPII_TRY(mpii_check_array(comm, destination_weights, out, "destination_weights"));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  const uint32_t context = mpii_agree_context(comm);
  const bool weighted = source_weights != MPI_UNWEIGHTED || destination_weights != MPI_UNWEIGHTED;
  mpii_topology_t* graph = make(in, out, weighted);
  const lists_t lists = lists_of(graph);
  copy(lists.sources, sources, in);
  copy(lists.destinations, destinations, out);
  if (source_weights != MPI_UNWEIGHTED) copy(lists.source_weights, source_weights, in);
  if (destination_weights != MPI_UNWEIGHTED) copy(lists.destination_weights, destination_weights, out);
  *made = with(comm, graph, context);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Dist_graph_create_adjacent);

/// All processes' edges, in the order of their ranks. `count` becomes the number of all.
static edge_t* collect(mpii_comm_t* comm, const edge_t* mine, int* count) {
  int* counts = mpii_allocate((size_t)comm->size * sizeof *counts);
  mpii_collect(comm, count, sizeof *count, counts);
  int all = 0;
  for (int rank = 0; rank < comm->size; ++rank) all += counts[rank];
  edge_t* edges = mpii_allocate((size_t)all * sizeof *edges);
  for (int rank = 0, at = 0; rank < comm->size; at += counts[rank++]) {
    if (counts[rank] == 0) continue;
    const uint32_t bytes = (uint32_t)counts[rank] * sizeof *edges;
    if (rank == comm->rank) memcpy(edges + at, mine, bytes);
    mpii_spread(comm, rank, edges + at, bytes);
  }
  free(counts);
  *count = all;
  return edges;
}

static mpii_topology_t* own_part(int rank, const edge_t* edges, int count, bool weighted) {
  int in = 0, out = 0;
  for (int i = 0; i < count; ++i) {
    in += edges[i].destination == rank;
    out += edges[i].source == rank;
  }
  mpii_topology_t* graph = make(in, out, weighted);
  const lists_t lists = lists_of(graph);
  in = out = 0;
  for (int i = 0; i < count; ++i) {
    if (edges[i].destination == rank) {
      lists.sources[in] = edges[i].source;
      lists.source_weights[in++] = edges[i].weight;
    }
    if (edges[i].source == rank) {
      lists.destinations[out] = edges[i].destination;
      lists.destination_weights[out++] = edges[i].weight;
    }
  }
  return graph;
}

int PMPI_Dist_graph_create(MPI_Comm handle, int nodes, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm* made) {
  mpii_comm_t* comm;
  (void)reorder;
  MPII_TRY(enter("MPI_Dist_graph_create", handle, info, &comm));
  MPII_TRY(check_ranks(comm, nodes, sources, "sources"));
  MPII_TRY(mpii_check_array(comm, degrees, nodes, "degrees"));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  int count = 0;
  for (int i = 0; i < nodes; ++i) {
    if (degrees[i] < 0) return mpii_fail(comm, MPI_ERR_ARG, "degrees[%d] is %d; 0 is the least", i, degrees[i]);
    count += degrees[i];
  }
  MPII_TRY(check_ranks(comm, count, destinations, "destinations"));
  MPII_TRY(mpii_check_array(comm, weights, count, "weights"));
  const uint32_t context = mpii_agree_context(comm);
  edge_t* mine = mpii_allocate((size_t)count * sizeof *mine);
  for (int node = 0, i = 0; node < nodes; ++node) {
    for (int k = 0; k < degrees[node]; ++k, ++i) {
      mine[i] = (edge_t){sources[node], destinations[i], weights != MPI_UNWEIGHTED ? weights[i] : 0};
    }
  }
  edge_t* all = collect(comm, mine, &count);
  const bool weighted = mpii_agree_max(comm, weights != MPI_UNWEIGHTED) != 0;
  *made = with(comm, own_part(comm->rank, all, count, weighted), context);
  free(mine);
  free(all);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Dist_graph_create);

int PMPI_Dist_graph_neighbors_count(MPI_Comm handle, int* in, int* out, int* weighted) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(mpii_enter_topology("MPI_Dist_graph_neighbors_count", handle, MPI_DIST_GRAPH, &comm, &graph));
  MPII_TRY(mpii_check_given(comm, in, "in"));
  MPII_TRY(mpii_check_given(comm, out, "out"));
  MPII_TRY(mpii_check_given(comm, weighted, "weighted"));
  *in = graph->u.dist_graph.in;
  *out = graph->u.dist_graph.out;
  *weighted = graph->u.dist_graph.weighted;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Dist_graph_neighbors_count);

int PMPI_Dist_graph_neighbors(MPI_Comm handle, int max_in, int sources[], int source_weights[], int max_out,
                              int destinations[], int destination_weights[]) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(mpii_enter_topology("MPI_Dist_graph_neighbors", handle, MPI_DIST_GRAPH, &comm, &graph));
  if (max_in < 0 || max_out < 0) return mpii_fail(comm, MPI_ERR_ARG, "there is room for less than nothing");
  const lists_t lists = lists_of(graph);
  const int in = graph->u.dist_graph.in < max_in ? graph->u.dist_graph.in : max_in;
  const int out = graph->u.dist_graph.out < max_out ? graph->u.dist_graph.out : max_out;
  const bool weighted = graph->u.dist_graph.weighted;
  MPII_TRY(mpii_check_array(comm, sources, in, "sources"));
  MPII_TRY(mpii_check_array(comm, destinations, out, "destinations"));
  if (weighted) MPII_TRY(mpii_check_array(comm, source_weights, in, "source_weights"));
  if (weighted) MPII_TRY(mpii_check_array(comm, destination_weights, out, "destination_weights"));
  copy(sources, lists.sources, in);
  copy(destinations, lists.destinations, out);
  if (!weighted) return MPI_SUCCESS;
  if (source_weights != MPI_UNWEIGHTED) copy(source_weights, lists.source_weights, in);
  if (destination_weights != MPI_UNWEIGHTED) copy(destination_weights, lists.destination_weights, out);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Dist_graph_neighbors);
