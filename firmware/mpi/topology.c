// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(int count) {
  return sizeof(bglmpi_topology_t) + (size_t)count * sizeof(int);
}

bglmpi_topology_t* bglmpi_topology_new(int kind, int count) {
  bglmpi_topology_t* topology = bglmpi_allocate(bytes_of(count));
  topology->kind = kind;
  topology->count = count;
  return topology;
}

bglmpi_topology_t* bglmpi_topology_copy(const bglmpi_topology_t* topology) {
  if (topology == NULL) return NULL;
  const size_t bytes = bytes_of(topology->count);
  return memcpy(bglmpi_allocate(bytes), topology, bytes);
}

void bglmpi_topology_free(bglmpi_topology_t* topology) {
  free(topology);
}

static const char* kind_text(int kind) {
  switch (kind) {
    case MPI_CART:
      return "Cartesian";
    case MPI_GRAPH:
      return "graph";
    default:
      return "distributed graph";
  }
}

int bglmpi_enter_topology(const char* function, MPI_Comm handle, int kind, bglmpi_comm_t** comm,
                          bglmpi_topology_t** topology) {
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, comm));
  *topology = (*comm)->topology;
  if (*topology != NULL && (*topology)->kind == kind) return MPI_SUCCESS;
  return bglmpi_fail(*comm, MPI_ERR_TOPOLOGY, "the communicator has no %s topology", kind_text(kind));
}

bglmpi_neighbours_t bglmpi_neighbours(const bglmpi_comm_t* comm) {
  const bglmpi_topology_t* topology = comm->topology;
  bglmpi_neighbours_t found = {0};
  if (topology->kind == MPI_CART) {
    found.grid = true;
    found.in = found.out = 2 * topology->u.cart.dimensions;
    found.memory = bglmpi_allocate((size_t)found.in * sizeof *found.memory);
    found.sources = found.destinations = found.memory;
    bglmpi_cart_neighbours(comm, found.memory);
    return found;
  }
  const size_t bytes = (size_t)topology->count * sizeof *topology->numbers;
  found.memory = memcpy(bglmpi_allocate(bytes), topology->numbers, bytes);
  if (topology->kind == MPI_GRAPH) {
    const int first = comm->rank == 0 ? 0 : found.memory[comm->rank - 1];
    found.in = found.out = found.memory[comm->rank] - first;
    found.sources = found.destinations = found.memory + topology->u.graph.nodes + first;
  } else {
    found.in = topology->u.dist_graph.in;
    found.out = topology->u.dist_graph.out;
    found.sources = found.memory;
    found.destinations = found.memory + 2 * found.in;
  }
  return found;
}

int PMPI_Topo_test(MPI_Comm handle, int* topology) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Topo_test", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, topology, "topology"));
  *topology = comm->topology != NULL ? comm->topology->kind : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Topo_test);
