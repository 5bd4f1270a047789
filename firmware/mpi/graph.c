// SPDX-License-Identifier: Apache-2.0
// Graph topologies: every process knows the whole graph.
#include <string.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/topology.h"

static const int* index_of(const mpii_topology_t* graph) {
  return graph->numbers;
}

static const int* edges_of(const mpii_topology_t* graph) {
  return graph->numbers + graph->u.graph.nodes;
}

/// The edges of nodes before `node`.
static int first_edge(const mpii_topology_t* graph, int node) {
  return node == 0 ? 0 : index_of(graph)[node - 1];
}

static int check_graph(mpii_comm_t* comm, int nodes, const int* index, const int* edges) {
  if (mpii_is_inter(comm)) {
    return mpii_fail(comm, MPI_ERR_COMM, "the communicator is an intercommunicator; it must have one group");
  }
  if (nodes < 0 || nodes > comm->size) {
    return mpii_fail(comm, MPI_ERR_ARG, "the graph has %d nodes; 0 to %d are possible", nodes, comm->size);
  }
  MPII_TRY(mpii_check_array(comm, index, nodes, "index"));
  for (int node = 0, before = 0; node < nodes; before = index[node++]) {
    if (index[node] < before) {
      return mpii_fail(comm, MPI_ERR_ARG, "index[%d] is %d, less than the one before", node, index[node]);
    }
  }
  const int count = nodes == 0 ? 0 : index[nodes - 1];
  MPII_TRY(mpii_check_array(comm, edges, count, "edges"));
  for (int i = 0; i < count; ++i) {
    if (edges[i] < 0 || edges[i] >= nodes) {
      return mpii_fail(comm, MPI_ERR_ARG, "edges[%d] is %d; there are nodes 0 to %d", i, edges[i], nodes - 1);
    }
  }
  return MPI_SUCCESS;
}

int PMPI_Graph_create(MPI_Comm handle, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made) {
  mpii_comm_t* comm;
  (void)reorder;  // the ranks' order is as good as any that is cheap to find
  MPII_TRY(mpii_enter_comm("MPI_Graph_create", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  *made = MPI_COMM_NULL;
  MPII_TRY(check_graph(comm, nodes, index, edges));
  const uint32_t context = mpii_agree_context(comm);
  if (comm->rank >= nodes) return MPI_SUCCESS;
  mpii_group_t* group = mpii_group_new(nodes);
  memcpy(group->ranks, comm->group->ranks, (size_t)nodes * sizeof *group->ranks);
  mpii_group_complete(group);
  mpii_comm_t* made_comm = mpii_comm_new(group, context, comm);
  mpii_network_join(made_comm);
  const int count = index[nodes - 1];
  mpii_topology_t* graph = mpii_topology_new(MPI_GRAPH, nodes + count);
  graph->u.graph.nodes = nodes;
  graph->u.graph.edges = count;
  memcpy(graph->numbers, index, (size_t)nodes * sizeof *index);
  if (count != 0) memcpy(graph->numbers + nodes, edges, (size_t)count * sizeof *edges);
  made_comm->topology = graph;
  *made = made_comm->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graph_create);

int PMPI_Graph_map(MPI_Comm handle, int nodes, const int index[], const int edges[], int* rank) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Graph_map", handle, &comm));
  MPII_TRY(mpii_check_given(comm, rank, "rank"));
  MPII_TRY(check_graph(comm, nodes, index, edges));
  *rank = comm->rank < nodes ? comm->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graph_map);

int PMPI_Graphdims_get(MPI_Comm handle, int* nodes, int* edges) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(mpii_enter_topology("MPI_Graphdims_get", handle, MPI_GRAPH, &comm, &graph));
  MPII_TRY(mpii_check_given(comm, nodes, "nodes"));
  MPII_TRY(mpii_check_given(comm, edges, "edges"));
  *nodes = graph->u.graph.nodes;
  *edges = graph->u.graph.edges;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graphdims_get);

int PMPI_Graph_get(MPI_Comm handle, int max_index, int max_edges, int index[], int edges[]) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(mpii_enter_topology("MPI_Graph_get", handle, MPI_GRAPH, &comm, &graph));
  if (max_index < 0 || max_edges < 0) return mpii_fail(comm, MPI_ERR_ARG, "there is room for less than nothing");
  const int nodes = graph->u.graph.nodes < max_index ? graph->u.graph.nodes : max_index;
  const int count = graph->u.graph.edges < max_edges ? graph->u.graph.edges : max_edges;
  MPII_TRY(mpii_check_array(comm, index, nodes, "index"));
  MPII_TRY(mpii_check_array(comm, edges, count, "edges"));
  if (nodes != 0) memcpy(index, index_of(graph), (size_t)nodes * sizeof *index);
  if (count != 0) memcpy(edges, edges_of(graph), (size_t)count * sizeof *edges);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graph_get);

static int enter_node(const char* function, MPI_Comm handle, int rank, mpii_comm_t** comm, mpii_topology_t** graph) {
  MPII_TRY(mpii_enter_topology(function, handle, MPI_GRAPH, comm, graph));
  if (rank >= 0 && rank < (*comm)->size) return MPI_SUCCESS;
  return mpii_fail(*comm, MPI_ERR_RANK, "rank is %d; there are ranks 0 to %d", rank, (*comm)->size - 1);
}

int PMPI_Graph_neighbors_count(MPI_Comm handle, int rank, int* count) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(enter_node("MPI_Graph_neighbors_count", handle, rank, &comm, &graph));
  MPII_TRY(mpii_check_given(comm, count, "count"));
  *count = index_of(graph)[rank] - first_edge(graph, rank);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graph_neighbors_count);

int PMPI_Graph_neighbors(MPI_Comm handle, int rank, int max, int neighbours[]) {
  mpii_comm_t* comm;
  mpii_topology_t* graph;
  MPII_TRY(enter_node("MPI_Graph_neighbors", handle, rank, &comm, &graph));
  MPII_TRY(mpii_check_array(comm, neighbours, max, "neighbours"));
  if (max < 0) return mpii_fail(comm, MPI_ERR_ARG, "there is room for %d neighbours", max);
  const int first = first_edge(graph, rank), count = index_of(graph)[rank] - first;
  for (int i = 0; i < count && i < max; ++i) neighbours[i] = edges_of(graph)[first + i];
  return MPI_SUCCESS;
}
MPII_PUBLIC(Graph_neighbors);
