/* SPDX-License-Identifier: Apache-2.0 */
/* Cartesian and graph topologies of communicators. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_TOPOLOGY_H
#define TOROID_FIRMWARE_MPI_TOPOLOGY_H

#include "firmware/mpi/comm.h"

/* All in one piece of memory, so that a copy is one too. */
typedef struct bglmpi_topology {
  int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
  union {
    struct {
      int dimensions;
    } cart; /* numbers: sizes, then whether each is periodic */
    struct {
      int nodes, edges;
    } graph; /* numbers: index, then edges */
    struct {
      int in, out;
      int weighted;
    } dist_graph; /* numbers: sources, their weights, destinations, their weights */
  } u;
  int count;
  int numbers[];
} bglmpi_topology_t;

/* With `count` numbers, to be filled in. */
bglmpi_topology_t* bglmpi_topology_new(int kind, int count);

/* A copy for a duplicate; NULL of NULL. */
bglmpi_topology_t* bglmpi_topology_copy(const bglmpi_topology_t* topology);
void bglmpi_topology_free(bglmpi_topology_t* topology);

/* Begin a call on a communicator with a topology of a kind; MPI_ERR_TOPOLOGY where it has another or none. */
int bglmpi_enter_topology(const char* function, MPI_Comm handle, int kind, bglmpi_comm_t** comm,
                          bglmpi_topology_t** topology);

/* Where the processes of a grid, in row-major order, best live: order[r] is the rank in `comm` of grid place r. The
 * sizes' product is at most comm->size. Returns false where the torus offers nothing better than the ranks' order.
 * Every process finds the same. */
bool bglmpi_cart_fit(const bglmpi_comm_t* comm, int dimensions, const int* sizes, const int* periods, int* order);

/* A process's neighbours, as the neighbourhood collectives have them. */
typedef struct {
  int in, out;
  int* sources;
  int* destinations;
  bool grid;   /* a pair for each dimension: the one before and the one behind; there may be none, MPI_PROC_NULL */
  int* memory; /* to be freed */
} bglmpi_neighbours_t;

/* Those in a communicator's topology, which it has. */
bglmpi_neighbours_t bglmpi_neighbours(const bglmpi_comm_t* comm);

/* Write down the neighbours of a process in a grid. */
void bglmpi_cart_neighbours(const bglmpi_comm_t* comm, int* neighbours);

#endif
