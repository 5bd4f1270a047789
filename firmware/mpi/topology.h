// SPDX-License-Identifier: Apache-2.0
/// Cartesian and graph topologies of communicators. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_TOPOLOGY_H
#define TOROID_FIRMWARE_MPI_TOPOLOGY_H

#include "firmware/mpi/comm.h"

/// One block of memory, so that it is copied as one.
typedef struct mpii_topology {
  int kind;  ///< MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH
  union {
    struct {
      int dimensions;
    } cart;  ///< numbers: sizes, then whether each is periodic
    struct {
      int nodes, edges;
    } graph;  ///< numbers: index, then edges
    struct {
      int in, out;
      int weighted;
    } dist_graph;  ///< numbers: sources, their weights, destinations, their weights
  } u;
  int count;
  int numbers[];
} mpii_topology_t;

/// With `count` numbers, to be filled in.
mpii_topology_t* mpii_topology_new(int kind, int count);

/// A copy for a duplicate; NULL of NULL.
mpii_topology_t* mpii_topology_copy(const mpii_topology_t* topology);
void mpii_topology_free(mpii_topology_t* topology);

/// Begin a call on a communicator with a topology of a kind; MPI_ERR_TOPOLOGY if it has another or none.
int mpii_enter_topology(const char* function, MPI_Comm handle, int kind, mpii_comm_t** comm,
                        mpii_topology_t** topology);

/// A good mapping of the processes of a grid, in row-major order: order[r] is the rank in `comm` of grid place r. The
/// sizes' product is at most comm->size. Returns false if none is better than the ranks' order.
/// Every process would find the same mapping.
bool mpii_cart_fit(const mpii_comm_t* comm, int dimensions, const int* sizes, const int* periods, int* order);

/// A process's neighbours, as the neighbourhood collectives have them.
typedef struct {
  int in, out;
  int* sources;
  int* destinations;
  bool grid;    ///< a pair for each dimension: the one before and the one behind; there may be none, MPI_PROC_NULL
  int* memory;  ///< to be freed
} mpii_neighbours_t;

/// Those in a communicator's topology, which it has.
mpii_neighbours_t mpii_neighbours(const mpii_comm_t* comm);

/// List the neighbours of a process in a grid.
void mpii_cart_neighbours(const mpii_comm_t* comm, int* neighbours);

#endif
