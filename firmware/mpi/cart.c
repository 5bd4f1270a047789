// SPDX-License-Identifier: Apache-2.0
// Cartesian topologies.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/topology.h"

static const int* sizes_of(const mpii_topology_t* cart) {
  return cart->numbers;
}

static const int* periods_of(const mpii_topology_t* cart) {
  return cart->numbers + cart->u.cart.dimensions;
}

static mpii_topology_t* make(int dimensions, const int* sizes, const int* periods) {
  mpii_topology_t* cart = mpii_topology_new(MPI_CART, 2 * dimensions);
  cart->u.cart.dimensions = dimensions;
  for (int i = 0; i < dimensions; ++i) {
    cart->numbers[i] = sizes[i];
    cart->numbers[dimensions + i] = periods[i] != 0;
  }
  return cart;
}

/// Ranks are in row-major order: the last coordinate counts fastest.
static void coordinates_of(const mpii_topology_t* cart, int rank, int* coordinates) {
  for (int i = cart->u.cart.dimensions; i-- > 0;) {
    coordinates[i] = rank % sizes_of(cart)[i];
    rank /= sizes_of(cart)[i];
  }
}

static int rank_of(const mpii_topology_t* cart, const int* coordinates) {
  int rank = 0;
  for (int i = 0; i < cart->u.cart.dimensions; ++i) rank = rank * sizes_of(cart)[i] + coordinates[i];
  return rank;
}

/// Whether a grid makes sense on a communicator, and how many places it has.
static int check_grid(mpii_comm_t* comm, int dimensions, const int* sizes, int* places) {
  if (mpii_is_inter(comm)) {
    return mpii_fail(comm, MPI_ERR_COMM, "the communicator is an intercommunicator; it must have one group");
  }
  if (dimensions < 0) return mpii_fail(comm, MPI_ERR_DIMS, "there are %d dimensions; 0 is the least", dimensions);
  int64_t product = 1;
  for (int i = 0; i < dimensions; ++i) {
    if (sizes[i] <= 0) return mpii_fail(comm, MPI_ERR_DIMS, "dimension %d has size %d; 1 is the least", i, sizes[i]);
    product *= sizes[i];
    if (product > comm->size) {
      return mpii_fail(comm, MPI_ERR_DIMS, "the grid has more places than the communicator's %d processes", comm->size);
    }
  }
  *places = (int)product;
  return MPI_SUCCESS;
}

/// Process 0 looks for a better order than that of the ranks, which takes the longer the more there are, and tells the
/// others. Returns false if there is none.
static bool fit(mpii_comm_t* comm, int dimensions, const int* sizes, const int* periods, int places, int* order) {
  if (comm->rank == 0 && !mpii_cart_fit(comm, dimensions, sizes, periods, order)) order[0] = MPI_PROC_NULL;
  mpii_spread(comm, 0, order, (uint32_t)places * sizeof *order);
  return order[0] != MPI_PROC_NULL;
}

int PMPI_Cart_create(MPI_Comm handle, int dimensions, const int sizes[], const int periods[], int reorder,
                     MPI_Comm* made) {
  mpii_comm_t* comm;
  int places;
  MPII_TRY(mpii_enter_comm("MPI_Cart_create", handle, &comm));
  MPII_TRY(mpii_check_array(comm, sizes, dimensions, "sizes"));
  MPII_TRY(mpii_check_array(comm, periods, dimensions, "periods"));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  *made = MPI_COMM_NULL;
  MPII_TRY(check_grid(comm, dimensions, sizes, &places));
  const uint32_t context = mpii_agree_context(comm);
  mpii_group_t* group = mpii_group_new(places);
  int* order = mpii_allocate((size_t)places * sizeof *order);
  const bool fits = reorder && fit(comm, dimensions, sizes, periods, places, order);
  for (int place = 0; place < places; ++place) group->ranks[place] = comm->group->ranks[fits ? order[place] : place];
  free(order);
  mpii_group_complete(group);
  *made = MPI_COMM_NULL;
  if (group->rank == MPI_UNDEFINED) {  // the grid has no place for this process
    mpii_group_release(group);
    return MPI_SUCCESS;
  }
  mpii_comm_t* grid = mpii_comm_new(group, context, comm);
  mpii_network_join(grid);
  grid->topology = make(dimensions, sizes, periods);
  *made = grid->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_create);

int PMPI_Cart_map(MPI_Comm handle, int dimensions, const int sizes[], const int periods[], int* rank) {
  mpii_comm_t* comm;
  int places;
  MPII_TRY(mpii_enter_comm("MPI_Cart_map", handle, &comm));
  MPII_TRY(mpii_check_array(comm, sizes, dimensions, "sizes"));
  MPII_TRY(mpii_check_array(comm, periods, dimensions, "periods"));
  MPII_TRY(mpii_check_given(comm, rank, "rank"));
  MPII_TRY(check_grid(comm, dimensions, sizes, &places));
  int* order = mpii_allocate((size_t)places * sizeof *order);
  *rank = MPI_UNDEFINED;
  if (mpii_cart_fit(comm, dimensions, sizes, periods, order)) {
    for (int place = 0; place < places; ++place) {
      if (order[place] == comm->rank) *rank = place;
    }
  } else if (comm->rank < places) {
    *rank = comm->rank;
  }
  free(order);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_map);

int PMPI_Cartdim_get(MPI_Comm handle, int* dimensions) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cartdim_get", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_given(comm, dimensions, "dimensions"));
  *dimensions = cart->u.cart.dimensions;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cartdim_get);

static int check_room(mpii_comm_t* comm, const mpii_topology_t* cart, int room) {
  if (room >= cart->u.cart.dimensions) return MPI_SUCCESS;
  return mpii_fail(comm, MPI_ERR_ARG, "there is room for %d dimensions; the grid has %d", room,
                   cart->u.cart.dimensions);
}

int PMPI_Cart_get(MPI_Comm handle, int dimensions, int sizes[], int periods[], int coordinates[]) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cart_get", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_array(comm, sizes, cart->u.cart.dimensions, "sizes"));
  MPII_TRY(mpii_check_array(comm, periods, cart->u.cart.dimensions, "periods"));
  MPII_TRY(mpii_check_array(comm, coordinates, cart->u.cart.dimensions, "coordinates"));
  MPII_TRY(check_room(comm, cart, dimensions));
  for (int i = 0; i < cart->u.cart.dimensions; ++i) {
    sizes[i] = sizes_of(cart)[i];
    periods[i] = periods_of(cart)[i];
  }
  coordinates_of(cart, comm->rank, coordinates);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_get);

int PMPI_Cart_rank(MPI_Comm handle, const int coordinates[], int* rank) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cart_rank", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_array(comm, coordinates, cart->u.cart.dimensions, "coordinates"));
  MPII_TRY(mpii_check_given(comm, rank, "rank"));
  *rank = 0;
  for (int i = 0; i < cart->u.cart.dimensions; ++i) {
    const int size = sizes_of(cart)[i];
    int at = coordinates[i];
    if (periods_of(cart)[i]) {
      at %= size;
      if (at < 0) at += size;
    } else if (at < 0 || at >= size) {
      return mpii_fail(comm, MPI_ERR_ARG, "coordinate %d is %d; it must be 0 to %d where the grid is not periodic", i,
                       at, size - 1);
    }
    *rank = *rank * size + at;
  }
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_rank);

int PMPI_Cart_coords(MPI_Comm handle, int rank, int dimensions, int coordinates[]) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cart_coords", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_array(comm, coordinates, cart->u.cart.dimensions, "coordinates"));
  if (rank < 0 || rank >= comm->size) {
    return mpii_fail(comm, MPI_ERR_RANK, "rank is %d; there are ranks 0 to %d", rank, comm->size - 1);
  }
  MPII_TRY(check_room(comm, cart, dimensions));
  coordinates_of(cart, rank, coordinates);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_coords);

/// Who lives `displacement` away along a dimension.
static int neighbour(const mpii_topology_t* cart, const int* coordinates, int direction, int displacement) {
  const int size = sizes_of(cart)[direction];
  int64_t at = (int64_t)coordinates[direction] + displacement;
  if (periods_of(cart)[direction]) {
    at = (at % size + size) % size;
  } else if (at < 0 || at >= size) {
    return MPI_PROC_NULL;
  }
  int stride = 1;
  for (int i = direction + 1; i < cart->u.cart.dimensions; ++i) stride *= sizes_of(cart)[i];
  return rank_of(cart, coordinates) + ((int)at - coordinates[direction]) * stride;
}

int PMPI_Cart_shift(MPI_Comm handle, int direction, int displacement, int* source, int* destination) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cart_shift", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_given(comm, source, "source"));
  MPII_TRY(mpii_check_given(comm, destination, "destination"));
  const int dimensions = cart->u.cart.dimensions;
  if (direction < 0 || direction >= dimensions) {
    return mpii_fail(comm, MPI_ERR_DIMS, "the direction is %d; the grid has dimensions 0 to %d", direction,
                     dimensions - 1);
  }
  int* coordinates = mpii_allocate((size_t)dimensions * sizeof *coordinates);
  coordinates_of(cart, comm->rank, coordinates);
  *source = neighbour(cart, coordinates, direction, -displacement);
  *destination = neighbour(cart, coordinates, direction, displacement);
  free(coordinates);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_shift);

int PMPI_Cart_sub(MPI_Comm handle, const int remain[], MPI_Comm* made) {
  mpii_comm_t* comm;
  mpii_topology_t* cart;
  MPII_TRY(mpii_enter_topology("MPI_Cart_sub", handle, MPI_CART, &comm, &cart));
  MPII_TRY(mpii_check_array(comm, remain, cart->u.cart.dimensions, "remain"));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  const int dimensions = cart->u.cart.dimensions;
  const uint32_t context = mpii_agree_context(comm);
  // This process's part: all coordinates along the dimensions that remain, its own along the others.
  int* numbers = mpii_allocate(3 * (size_t)dimensions * sizeof *numbers);
  int *mine = numbers, *sizes = numbers + dimensions, *periods = sizes + dimensions;
  int kept = 0, places = 1;
  coordinates_of(cart, comm->rank, mine);
  for (int i = 0; i < dimensions; ++i) {
    if (!remain[i]) continue;
    mine[i] = 0;
    sizes[kept] = sizes_of(cart)[i];
    periods[kept++] = periods_of(cart)[i];
    places *= sizes_of(cart)[i];
  }
  mpii_group_t* group = mpii_group_new(places);
  for (int place = 0; place < places; ++place) {
    group->ranks[place] = comm->group->ranks[rank_of(cart, mine)];
    for (int i = dimensions; i-- > 0;) {  // on to the next place
      if (!remain[i]) continue;
      if (++mine[i] < sizes_of(cart)[i]) break;
      mine[i] = 0;
    }
  }
  mpii_group_complete(group);
  mpii_comm_t* part = mpii_comm_new(group, context, comm);
  mpii_network_join(part);
  part->topology = make(kept, sizes, periods);
  free(numbers);
  *made = part->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cart_sub);

void mpii_cart_neighbours(const mpii_comm_t* comm, int* neighbours) {
  const mpii_topology_t* cart = comm->topology;
  const int dimensions = cart->u.cart.dimensions;
  int* coordinates = mpii_allocate((size_t)dimensions * sizeof *coordinates);
  coordinates_of(cart, comm->rank, coordinates);
  for (int i = 0; i < dimensions; ++i) {
    neighbours[2 * i] = neighbour(cart, coordinates, i, -1);
    neighbours[2 * i + 1] = neighbour(cart, coordinates, i, 1);
  }
  free(coordinates);
}
