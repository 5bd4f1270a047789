// SPDX-License-Identifier: Apache-2.0
// Cartesian topologies: places and ranks, shifts, sub-grids, MPI_Dims_create(), reordering, wrong arguments.
// With arguments, `cartesian 4 4`: in a periodic grid of these sizes, reordered, all neighbours are at most one hop
// apart.
#include <string.h>

#include "check.h"

static int rank, size;

static void dims(void) {
  static const struct {
    int nodes, count, given[4], found[4];
  } cases[] = {
      {6, 2, {0, 0}, {3, 2}},
      {7, 2, {0, 0}, {7, 1}},
      {6, 3, {0, 3, 0}, {2, 3, 1}},
      {16, 3, {0, 0, 0}, {4, 2, 2}},
      {12, 2, {0, 0}, {4, 3}},
      {60, 3, {0, 0, 0}, {5, 4, 3}},
      {64, 3, {0, 0, 0}, {4, 4, 4}},
      {1, 3, {0, 0, 0}, {1, 1, 1}},
      {72, 4, {0, 0, 0, 0}, {4, 3, 3, 2}},
      {8, 3, {2, 2, 2}, {2, 2, 2}},
      {1000, 2, {0, 0}, {40, 25}},
      {65536, 3, {0, 0, 0}, {64, 32, 32}},
      {24, 3, {0, 2, 0}, {4, 2, 3}},
      {36, 3, {0, 0, 0}, {4, 3, 3}},
      {30, 1, {0}, {30}},
      {4620, 3, {0, 0, 0}, {22, 15, 14}},
      {7488, 3, {0, 0, 0}, {26, 18, 16}},
      {14976, 4, {0, 2, 0, 0}, {26, 2, 18, 16}},
      {2147483647, 3, {0, 0, 0}, {2147483647, 1, 1}},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int sizes[4];
    memcpy(sizes, cases[i].given, sizeof sizes);
    CHECK_ERROR(MPI_SUCCESS, MPI_Dims_create(cases[i].nodes, cases[i].count, sizes));
    CHECK(memcmp(sizes, cases[i].found, (size_t)cases[i].count * sizeof(int)) == 0, "%d nodes as %d, %d, %d, %d",
          cases[i].nodes, sizes[0], sizes[1], sizes[2], sizes[3]);
  }
  int three[2] = {3, 0}, negative[2] = {-1, 0}, wrong[2] = {2, 2};
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Dims_create(8, 2, three));
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Dims_create(8, 2, negative));
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Dims_create(8, 2, wrong));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Dims_create(0, 2, three));
}

/// A grid of all processes, the first dimension periodic.
static MPI_Comm grid_of(int dimensions, int* sizes, int* periods, int reorder) {
  MPI_Comm grid;
  memset(sizes, 0, (size_t)dimensions * sizeof *sizes);
  MPI_Dims_create(size, dimensions, sizes);
  for (int i = 0; i < dimensions; ++i) periods[i] = i == 0;
  CHECK_ERROR(MPI_SUCCESS, MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, reorder, &grid));
  return grid;
}

static void places(int dimensions, int reorder) {
  int sizes[3], periods[3], found_sizes[3], found_periods[3], coordinates[3], count, kind, me;
  MPI_Comm grid = grid_of(dimensions, sizes, periods, reorder);
  MPI_Comm_rank(grid, &me);
  MPI_Topo_test(grid, &kind);
  MPI_Cartdim_get(grid, &count);
  MPI_Cart_get(grid, dimensions, found_sizes, found_periods, coordinates);
  CHECK(kind == MPI_CART && count == dimensions, "topology %d of %d dimensions", kind, count);
  if (!reorder) CHECK(me == rank, "rank %d of the grid without reordering", me);
  CHECK(memcmp(sizes, found_sizes, (size_t)dimensions * sizeof *sizes) == 0, "other sizes than were given");
  CHECK(memcmp(periods, found_periods, (size_t)dimensions * sizeof *sizes) == 0, "other periods than were given");
  int row_major = 0;
  for (int i = 0; i < dimensions; ++i) row_major = row_major * sizes[i] + coordinates[i];
  CHECK(row_major == me, "rank %d is at place %d", me, row_major);
  for (int other = 0; other < size; ++other) {
    int at[3], back;
    MPI_Cart_coords(grid, other, dimensions, at);
    MPI_Cart_rank(grid, at, &back);
    CHECK(back == other, "rank %d becomes %d", other, back);
  }
  // Around the periodic dimension by any step; over the end of the others there is nobody.
  for (int direction = 0; direction < dimensions; ++direction) {
    for (int step = -5; step <= 5; ++step) {
      int from, to, to_at = coordinates[direction] + step, from_at = coordinates[direction] - step, other[3];
      MPI_Cart_shift(grid, direction, step, &from, &to);
      memcpy(other, coordinates, sizeof other);
      int wanted = MPI_PROC_NULL;
      other[direction] = to_at;
      if (periods[direction] || (to_at >= 0 && to_at < sizes[direction])) MPI_Cart_rank(grid, other, &wanted);
      CHECK(to == wanted, "from %d along %d by %d is %d, not %d", me, direction, step, to, wanted);
      wanted = MPI_PROC_NULL;
      other[direction] = from_at;
      if (periods[direction] || (from_at >= 0 && from_at < sizes[direction])) MPI_Cart_rank(grid, other, &wanted);
      CHECK(from == wanted, "to %d along %d by %d is %d, not %d", me, direction, step, from, wanted);
      int got = -1;
      MPI_Sendrecv(&me, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
      CHECK(got == (from == MPI_PROC_NULL ? -1 : from), "shifted, %d came from %d", got, from);
    }
  }
  // A copy has the topology as well.
  MPI_Comm copy;
  MPI_Comm_dup(grid, &copy);
  MPI_Cart_get(copy, dimensions, found_sizes, found_periods, coordinates);
  CHECK(memcmp(sizes, found_sizes, (size_t)dimensions * sizeof *sizes) == 0, "a copy has other sizes");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&grid);
}

static void parts(void) {
  int sizes[3], periods[3], mine[3], remain[3] = {1, 0, 1}, part_sizes[2], part_periods[2], at[2], count, first = -1;
  MPI_Comm grid = grid_of(3, sizes, periods, 0), part;
  MPI_Cart_get(grid, 3, sizes, periods, mine);
  MPI_Cart_sub(grid, remain, &part);
  MPI_Cartdim_get(part, &count);
  MPI_Cart_get(part, 2, part_sizes, part_periods, at);
  CHECK(count == 2 && part_sizes[0] == sizes[0] && part_sizes[1] == sizes[2], "a part of %d x %d", part_sizes[0],
        part_sizes[1]);
  CHECK(part_periods[0] && !part_periods[1], "its periods are %d, %d", part_periods[0], part_periods[1]);
  CHECK(at[0] == mine[0] && at[1] == mine[2], "in it at %d, %d", at[0], at[1]);
  // All members have the same middle coordinate.
  int me;
  MPI_Comm_rank(part, &me);
  MPI_Comm_size(part, &count);
  MPI_Sendrecv(&mine[1], 1, MPI_INT, (me + 1) % count, 0, &first, 1, MPI_INT, (me + count - 1) % count, 0, part,
               MPI_STATUS_IGNORE);
  CHECK(first == mine[1], "the part has coordinates %d and %d", first, mine[1]);
  MPI_Comm_free(&part);
  memset(remain, 0, sizeof remain);
  MPI_Cart_sub(grid, remain, &part);
  MPI_Comm_size(part, &me);
  MPI_Cartdim_get(part, &count);
  CHECK(me == 1 && count == 0, "a part of no dimensions has %d processes, %d dimensions", me, count);
  MPI_Cart_rank(part, NULL, &me);
  CHECK(me == 0, "its only rank is %d", me);
  MPI_Comm_free(&part);
  MPI_Comm_free(&grid);
}

static void small(void) {
  // Fewer places than processes: the others get nothing.
  MPI_Comm grid;
  int sizes[1] = {(size + 1) / 2}, periods[1] = {0}, me;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 1, &grid);
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid);
  CHECK((grid != MPI_COMM_NULL) == (rank < sizes[0]), "grid of the first half");
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Cart_map(MPI_COMM_WORLD, 1, sizes, periods, &me);
  CHECK(me == (rank < sizes[0] ? rank : MPI_UNDEFINED), "mapped to %d", me);
  MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &grid);
  CHECK((grid != MPI_COMM_NULL) == (rank == 0), "a grid without dimensions has one place");
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
}

static void errors(void) {
  MPI_Comm grid, made;
  int sizes[2] = {size, 1}, large[2] = {size, 2}, periods[2] = {0, 1}, none[2] = {size, 0}, at[2] = {size, 0}, value;
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, 2, large, periods, 0, &made));
  CHECK(made == MPI_COMM_NULL, "a grid that is not made is null");
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, 2, none, periods, 0, &made));
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, -1, sizes, periods, 0, &made));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(MPI_COMM_WORLD, &value));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &value, &value));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(MPI_COMM_WORLD, &value, &value));
  MPI_Topo_test(MPI_COMM_WORLD, &value);
  CHECK(value == MPI_UNDEFINED, "the topology of MPI_COMM_WORLD is %d", value);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  CHECK_ERROR(MPI_ERR_ARG, MPI_Cart_rank(grid, at, &value));
  at[0] = 0;
  at[1] = -7;  // periodic
  CHECK_ERROR(MPI_SUCCESS, MPI_Cart_rank(grid, at, &value));
  CHECK(value == 0, "rank %d", value);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Cart_coords(grid, size, 2, at));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Cart_coords(grid, 0, 1, at));
  CHECK_ERROR(MPI_ERR_DIMS, MPI_Cart_shift(grid, 2, 1, &value, &value));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(grid, &value, &value));
  MPI_Comm_free(&grid);
}

// ---------------------------------------------------------------------------------------------------------------
// How far neighbours live from each other

static int away(int from, int to, int extent) {
  const int way = from < to ? to - from : from - to;
  return way < extent - way ? way : extent - way;
}

/// The sum of the hops of all processes to their neighbours in a grid, and the most.
static int hops_in(MPI_Comm grid, int dimensions, int* most) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int mine[3], extent[3], sum = 0, length, me;
  MPI_Get_processor_name(name, &length);
  if (sscanf(name, "node (%d,%d,%d)", &mine[0], &mine[1], &mine[2]) != 3) CHECK(0, "name %s", name);
  memcpy(extent, mine, sizeof extent);
  MPI_Comm_rank(grid, &me);
  for (int other = 0; other < size; ++other) {  // the torus's shape
    int theirs[3];
    MPI_Sendrecv(mine, 3, MPI_INT, (me + other) % size, 1, theirs, 3, MPI_INT, (me + size - other) % size, 1, grid,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) {
      if (theirs[i] > extent[i]) extent[i] = theirs[i];
    }
  }
  *most = 0;
  for (int direction = 0; direction < dimensions; ++direction) {
    int from, to, theirs[3], hops = 0;
    MPI_Cart_shift(grid, direction, 1, &from, &to);
    memcpy(theirs, mine, sizeof theirs);
    MPI_Sendrecv(mine, 3, MPI_INT, to, 2, theirs, 3, MPI_INT, from, 2, grid, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) hops += away(mine[i], theirs[i], extent[i] + 1);
    if (hops > *most) *most = hops;
    sum += hops;
  }
  for (int other = 1; other < size; ++other) {  // the sum and the most of all
    int pair[2] = {sum, *most}, theirs[2];
    if (me == 0) {
      MPI_Recv(theirs, 2, MPI_INT, other, 3, grid, MPI_STATUS_IGNORE);
      sum += theirs[0];
      if (theirs[1] > *most) *most = theirs[1];
    } else if (me == other) {
      MPI_Send(pair, 2, MPI_INT, 0, 3, grid);
    }
  }
  return sum;  // at rank 0
}

static void hops(int dimensions, int* sizes, int most_wanted) {
  int periods[3] = {1, 1, 1}, me, mapped, most;
  MPI_Comm plain, fitted;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &plain);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 1, &fitted);
  MPI_Cart_map(MPI_COMM_WORLD, dimensions, sizes, periods, &mapped);
  MPI_Comm_rank(fitted, &me);
  CHECK(me == mapped, "MPI_Cart_map() says %d, MPI_Cart_create() %d", mapped, me);
  const int before = hops_in(plain, dimensions, &most), after = hops_in(fitted, dimensions, &most);
  if (me == 0) CHECK(after <= before, "reordered there are %d hops, before there were %d", after, before);
  if (me == 0) CHECK(most <= most_wanted, "reordered there are neighbours %d hops apart", most);
  if (me == 0) printf("hops: %d in the ranks' order, %d reordered; at most %d\n", before, after, most);
  MPI_Comm_free(&plain);
  MPI_Comm_free(&fitted);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int sizes[3] = {0};
  if (argc > 1) {
    for (int i = 1; i < argc && i <= 3; ++i) sizes[i - 1] = atoi(argv[i]);
    hops(argc - 1, sizes, 1);
    return check_end();
  }
  dims();
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    places(dimensions, 0);
    places(dimensions, 1);
    memset(sizes, 0, sizeof sizes);
    MPI_Dims_create(size, dimensions, sizes);
    hops(dimensions, sizes, size);
  }
  parts();
  small();
  errors();
  return check_end();
}
