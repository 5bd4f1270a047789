// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(int count) {
  return sizeof(mpii_topology_t) + (size_t)count * sizeof(int);
}

mpii_topology_t* mpii_topology_new(int kind, int count) {
  mpii_topology_t* topology = mpii_allocate(bytes_of(count));
  topology->kind = kind;
  topology->count = count;
  return topology;
}

mpii_topology_t* mpii_topology_copy(const mpii_topology_t* topology) {
  if (topology == NULL) return NULL;
  const size_t bytes = bytes_of(topology->count);
  return memcpy(mpii_allocate(bytes), topology, bytes);
}

void mpii_topology_free(mpii_topology_t* topology) {
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

int mpii_enter_topology(const char* function, MPI_Comm handle, int kind, mpii_comm_t** comm,
                        mpii_topology_t** topology) {
  MPII_TRY(mpii_enter_comm(function, handle, comm));
  *topology = (*comm)->topology;
  if (*topology != NULL && (*topology)->kind == kind) return MPI_SUCCESS;
  return mpii_fail(*comm, MPI_ERR_TOPOLOGY, "the communicator has no %s topology", kind_text(kind));
}

mpii_neighbours_t mpii_neighbours(const mpii_comm_t* comm) {
  const mpii_topology_t* topology = comm->topology;
  mpii_neighbours_t found = {0};
  if (topology->kind == MPI_CART) {
    found.grid = true;
    found.in = found.out = 2 * topology->u.cart.dimensions;
    found.memory = mpii_allocate((size_t)found.in * sizeof *found.memory);
    found.sources = found.destinations = found.memory;
    mpii_cart_neighbours(comm, found.memory);
    return found;
  }
  const size_t bytes = (size_t)topology->count * sizeof *topology->numbers;
  found.memory = memcpy(mpii_allocate(bytes), topology->numbers, bytes);
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
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Topo_test", handle, &comm));
  MPII_TRY(mpii_check_given(comm, topology, "topology"));
  *topology = comm->topology != NULL ? comm->topology->kind : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Topo_test);
