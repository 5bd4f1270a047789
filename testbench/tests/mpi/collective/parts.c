// SPDX-License-Identifier: Apache-2.0
// Communicators of parts of a plane of nodes, rows after each other with so many ranks on each node: blocking
// collective operations, which a network may perform, against plain arithmetic and against the same by messages (in
// non-blocking calls, which no network performs). Rank 0 prints for each kind of part what an operation of 8 bytes
// takes, in nanoseconds: blocking, by messages.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000, ROUNDS = 20 };

static int rank, size;

static void fail(const char* part, const char* what) {
  printf("rank %d of the world: %s on %s is wrong\n", rank, what, part);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static long number(int member, int i, int seed) {
  return (long)((member * 7919 + i * 31 + seed * 101) % 1009) - 500;
}

typedef struct {
  MPI_Comm comm;
  const char* name;
  int rank, size;
  int* members;  // of the world
} part_t;

static part_t split(const char* name, int colour, int key) {
  part_t part = {.name = name};
  MPI_Comm_split(MPI_COMM_WORLD, colour, key, &part.comm);
  MPI_Comm_rank(part.comm, &part.rank);
  MPI_Comm_size(part.comm, &part.size);
  part.members = malloc((size_t)part.size * sizeof *part.members);
  MPI_Allgather(&rank, 1, MPI_INT, part.members, 1, MPI_INT, part.comm);
  return part;
}

static void close_part(part_t* part) {
  MPI_Comm_free(&part->comm);
  free(part->members);
}

static void check_sum(const part_t* part, int root, int count, int seed) {
  static long in[MOST], out[MOST];
  static double real[MOST], sums[MOST];
  for (int i = 0; i < count; ++i) {
    in[i] = number(rank, i, seed);
    real[i] = (double)number(rank, i, seed + 1);
  }
  if (root < 0) {
    MPI_Allreduce(in, out, count, MPI_LONG, seed % 2 ? MPI_SUM : MPI_MAX, part->comm);
    MPI_Allreduce(real, sums, count, MPI_DOUBLE, MPI_SUM, part->comm);
  } else {
    MPI_Reduce(in, out, count, MPI_LONG, seed % 2 ? MPI_SUM : MPI_MAX, root, part->comm);
    MPI_Reduce(real, sums, count, MPI_DOUBLE, MPI_SUM, root, part->comm);
    if (part->rank != root) return;
  }
  for (int i = 0; i < count; ++i) {
    long sum = number(part->members[0], i, seed);
    double real_sum = (double)number(part->members[0], i, seed + 1);
    for (int member = 1; member < part->size; ++member) {
      const long next = number(part->members[member], i, seed);
      sum = seed % 2 ? sum + next : next > sum ? next : sum;
      real_sum += (double)number(part->members[member], i, seed + 1);
    }
    if (out[i] != sum || sums[i] != real_sum) fail(part->name, root < 0 ? "MPI_Allreduce" : "MPI_Reduce");
  }
}

static void check(const part_t* part) {
  static const int kCounts[] = {1, 3, 200, MOST};
  for (int i = 0; i < 4; ++i) {
    check_sum(part, -1, kCounts[i], i);
    check_sum(part, (i * 3 + 1) % part->size, kCounts[i], i + 1);
  }
  for (int root = 0; root < part->size; ++root) {
    char bytes[100];
    for (int i = 0; i < 100; ++i) bytes[i] = (char)(part->rank == root ? i * 3 + root : 0);
    MPI_Bcast(bytes, 100, MPI_CHAR, root, part->comm);
    for (int i = 0; i < 100; ++i) {
      if (bytes[i] != (char)(i * 3 + root)) fail(part->name, "MPI_Bcast");
    }
  }
  int* all = malloc((size_t)part->size * sizeof *all);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, part->comm);
  for (int i = 0; i < part->size; ++i) {
    if (all[i] != part->members[i]) fail(part->name, "MPI_Allgather");
  }
  free(all);
  // Nobody leaves before the last one has come: clocks of all ranks are one here.
  for (int late = 0; late < 2; ++late) {
    const double begin = MPI_Wtime();
    while (part->rank == late * (part->size - 1) && MPI_Wtime() < begin + 5e-6) continue;
    double times[2] = {MPI_Wtime(), 0}, last[2];
    MPI_Barrier(part->comm);
    times[1] = -MPI_Wtime();
    MPI_Allreduce(times, last, 2, MPI_DOUBLE, MPI_MAX, part->comm);
    if (last[0] > -last[1]) fail(part->name, "MPI_Barrier");
  }
}

static void measure(const part_t* part) {
  double in = 1, out, begin = 0, taken[4];
  MPI_Request request;
  for (int kind = 0; kind < 4; ++kind) {
    for (int round = 0; round < ROUNDS + 2; ++round) {
      if (round == 2) begin = MPI_Wtime();
      if (kind == 0) MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, part->comm);
      if (kind == 1) MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, part->comm, &request);
      if (kind == 2) MPI_Barrier(part->comm);
      if (kind == 3) MPI_Ibarrier(part->comm, &request);
      if (kind % 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    taken[kind] = (MPI_Wtime() - begin) / ROUNDS * 1e9;
  }
  if (rank == 0)
    printf("%s of %d: allreduce %.0f %.0f barrier %.0f %.0f\n", part->name, part->size, taken[0], taken[1], taken[2],
           taken[3]);
}

// What is made of it has the same members.
static void check_copies(const part_t* part) {
  part_t copy = *part;
  MPI_Comm_dup(part->comm, &copy.comm);
  check_sum(&copy, -1, 5, 3);
  check_sum(part, -1, 5, 4);
  MPI_Win window;
  long place = -1;
  MPI_Win_create(&place, sizeof place, 1, MPI_INFO_NULL, part->comm, &window);
  MPI_Win_fence(0, window);
  const long mine = rank;
  MPI_Put(&mine, 1, MPI_LONG, (part->rank + 1) % part->size, 0, 1, MPI_LONG, window);
  MPI_Win_fence(0, window);
  if (place != part->members[(part->rank + part->size - 1) % part->size]) fail(part->name, "MPI_Put");
  MPI_Win_free(&window);
  MPI_Comm_free(&copy.comm);
  MPI_Request request;
  MPI_Comm_idup(part->comm, &copy.comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_sum(&copy, -1, 7, 5);
  MPI_Comm_free(&copy.comm);
}

static void one(const char* name, int colour, int key) {
  part_t part = split(name, colour, key);
  if (part.size > 1) {
    check(&part);
    check_copies(&part);
    measure(&part);
  }
  close_part(&part);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int columns = argc > 1 ? atoi(argv[1]) : 1, processes = argc > 2 ? atoi(argv[2]) : 1;
  const int node = rank / processes, row = node / columns, column = node % columns;
  const int rows = size / processes / columns;

  one("row", row, rank);
  one("column", column, -rank);  // in another order
  one("half", row < rows / 2, rank);
  one("node", node, 0);
  one("no rectangle", rank % 3 == 1, rank);
  if (processes > 1) one("a rank of each node", rank % processes, rank);

  measure(&(part_t){MPI_COMM_WORLD, "the world", rank, size, NULL});

  // Rows and columns at the same time; they go and come back.
  for (int round = 0; round < 30; ++round) {
    part_t mine = split("one of many rows", row, rank), across = split("one of many columns", column, rank);
    check_sum(&mine, -1, 3, round);
    check_sum(&across, -1, 3, round);
    MPI_Barrier(round % 2 ? mine.comm : across.comm);
    close_part(round % 3 ? &mine : &across);
    check_sum(round % 3 ? &across : &mine, -1, 4, round);
    close_part(round % 3 ? &across : &mine);
  }
  // More rectangles than a node has classes, each of them gone when the next one comes.
  for (int first = 0; first < rows; ++first) {
    for (int last = first; last < rows; ++last) {
      for (int left = 0; left < columns; ++left) {
        const int inside = row >= first && row <= last && column >= left && column <= left + 1;
        if (!inside) {
          MPI_Comm none;
          MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
          continue;
        }
        part_t part = split("one of many rectangles", 0, rank);
        check_sum(&part, -1, 2, first + left);
        MPI_Barrier(part.comm);
        close_part(&part);
      }
    }
  }
  one("quarter", (row < (rows + 1) / 2) * 2 + (column < (columns + 1) / 2), rank);
  if (rank == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}
