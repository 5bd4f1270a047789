/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations on intercommunicators: what one group gives, the other gets. */
#include <string.h>

#include "check.h"

static MPI_Comm inter, local;
static int rank, size, others, upper; /* in my group, of mine, of the other's; whether mine is the upper one */

enum { MANY = 3000 };

static int value(int group, int from, int to, int i) {
  return group * 1000000 + from * 10000 + to * 100 + i;
}

#define REPORT(name, bad) CHECK((bad) == 0, "%s between groups of %d and %d: %d ints wrong", name, size, others, bad)

/* The root of an operation: rank `number` of the group `group`, as this process names it. */
static int root_of(int group, int number) {
  if (group != upper) return number;
  return rank == number ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(int group, int number, int ints) {
  const int root = root_of(group, number), is_root = root == MPI_ROOT, gives = group == upper;
  const int peers = gives ? others : size; /* those who deal with the root */
  int *all = malloc(((size_t)peers * (size_t)ints + 1) * sizeof(int)), *own = malloc(((size_t)ints + 1) * sizeof(int));
  int *counts = malloc((size_t)peers * sizeof(int)), *places = malloc((size_t)peers * sizeof(int)), bad = 0;
  for (int r = 0; r < peers; ++r) counts[r] = ints, places[r] = (peers - 1 - r) * ints;

  for (int i = 0; i < ints; ++i) own[i] = is_root ? i * 3 + number : -1;
  MPI_Bcast(own, ints, MPI_INT, root, inter);
  for (int i = 0; i < ints; ++i) bad += !gives && own[i] != i * 3 + number;
  REPORT("MPI_Bcast", bad);

  for (int varies = 0; varies < 2; ++varies) {
    for (int i = 0; i < ints; ++i) own[i] = value(upper, rank, number, i);
    if (varies)
      MPI_Gatherv(own, ints, MPI_INT, all, counts, places, MPI_INT, root, inter);
    else
      MPI_Gather(own, ints, MPI_INT, all, ints, MPI_INT, root, inter);
    for (int r = 0; is_root && r < peers; ++r) {
      for (int i = 0; i < ints; ++i) {
        bad += all[(varies ? places[r] : r * ints) + i] != value(!upper, r, number, i);
      }
    }
    REPORT(varies ? "MPI_Gatherv" : "MPI_Gather", bad);

    for (int r = 0; is_root && r < peers; ++r) {
      for (int i = 0; i < ints; ++i) all[(varies ? places[r] : r * ints) + i] = value(upper, number, r, i);
    }
    if (varies)
      MPI_Scatterv(all, counts, places, MPI_INT, own, ints, MPI_INT, root, inter);
    else
      MPI_Scatter(all, ints, MPI_INT, own, ints, MPI_INT, root, inter);
    for (int i = 0; !gives && i < ints; ++i) bad += own[i] != value(group, number, rank, i);
    REPORT(varies ? "MPI_Scatterv" : "MPI_Scatter", bad);
  }

  for (int i = 0; i < ints; ++i) own[i] = value(upper, rank, 0, i);
  MPI_Reduce(own, all, ints, MPI_INT, MPI_SUM, root, inter);
  for (int i = 0; is_root && i < ints; ++i) {
    int sum = 0;
    for (int r = 0; r < others; ++r) sum += value(!upper, r, 0, i);
    bad += all[i] != sum;
  }
  REPORT("MPI_Reduce", bad);
  free(all), free(own), free(counts), free(places);
}

static void all_of_both(int ints) {
  int* given = malloc(((size_t)others * (size_t)ints + 1) * sizeof(int));
  int *got = malloc(((size_t)others * (size_t)ints + 1) * sizeof(int)), bad = 0;
  int *counts = malloc((size_t)others * sizeof(int)), *places = malloc((size_t)others * sizeof(int));
  int* bytes = malloc((size_t)others * sizeof(int));
  MPI_Datatype* types = malloc((size_t)others * sizeof(MPI_Datatype));
  for (int r = 0; r < others; ++r) {
    counts[r] = ints;
    places[r] = r * ints;
    bytes[r] = places[r] * (int)sizeof(int);
    types[r] = MPI_INT;
  }
  for (int varies = 0; varies < 2; ++varies) {
    for (int i = 0; i < ints; ++i) given[i] = value(upper, rank, 0, i);
    if (varies)
      MPI_Allgatherv(given, ints, MPI_INT, got, counts, places, MPI_INT, inter);
    else
      MPI_Allgather(given, ints, MPI_INT, got, ints, MPI_INT, inter);
    for (int r = 0; r < others; ++r) {
      for (int i = 0; i < ints; ++i) bad += got[r * ints + i] != value(!upper, r, 0, i);
    }
    REPORT(varies ? "MPI_Allgatherv" : "MPI_Allgather", bad);
  }
  for (int way = 0; way < 3; ++way) {
    for (int r = 0; r < others; ++r) {
      for (int i = 0; i < ints; ++i) given[r * ints + i] = value(upper, rank, r, i);
    }
    memset(got, 0, (size_t)others * (size_t)ints * sizeof(int));
    if (way == 0) MPI_Alltoall(given, ints, MPI_INT, got, ints, MPI_INT, inter);
    if (way == 1) MPI_Alltoallv(given, counts, places, MPI_INT, got, counts, places, MPI_INT, inter);
    if (way == 2) MPI_Alltoallw(given, counts, bytes, types, got, counts, bytes, types, inter);
    for (int r = 0; r < others; ++r) {
      for (int i = 0; i < ints; ++i) bad += got[r * ints + i] != value(!upper, r, rank, i);
    }
    REPORT("an all-to-all", bad);
  }
  free(given), free(got), free(counts), free(places), free(bytes), free(types);
}

static void reductions(int ints) {
  int own[MANY], result[MANY], bad = 0;
  MPI_Request request;
  for (int i = 0; i < ints; ++i) own[i] = value(upper, rank, 0, i);
  for (int blocking = 0; blocking < 2; ++blocking) {
    if (blocking)
      MPI_Allreduce(own, result, ints, MPI_INT, MPI_SUM, inter);
    else
      MPI_Iallreduce(own, result, ints, MPI_INT, MPI_SUM, inter, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < ints; ++i) {
      int sum = 0;
      for (int r = 0; r < others; ++r) sum += value(!upper, r, 0, i);
      bad += result[i] != sum;
    }
    REPORT("MPI_Allreduce", bad);
  }
  /* As much for both groups together. */
  const int block = ints / (size * others) * others;
  MPI_Reduce_scatter_block(own, result, block, MPI_INT, MPI_MAX, inter);
  for (int i = 0; i < block; ++i) bad += result[i] != value(!upper, others - 1, 0, rank * block + i);
  REPORT("MPI_Reduce_scatter_block", bad);
}

static void wrong(void) {
  int x = 0, y = 0;
  MPI_Errhandler_set(inter, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_COMM, MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, inter));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, inter));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Bcast(&x, 1, MPI_INT, others, inter));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, inter));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, &y, 1, MPI_INT, inter));
}

int main(int argc, char** argv) {
  int world_rank, world_size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  for (int below = 1; below < world_size; below += 2) {
    upper = world_rank >= below;
    MPI_Comm_split(MPI_COMM_WORLD, upper, world_rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, upper ? 0 : below, 5, &inter);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &size);
    MPI_Comm_remote_size(inter, &others);
    MPI_Barrier(inter);
    for (int group = 0; group < 2; ++group) {
      const int members = group == upper ? size : others;
      rooted(group, 0, 1);
      rooted(group, members - 1, 0);
      rooted(group, members / 2, 700);
    }
    MPI_Barrier(inter);
    all_of_both(1);
    all_of_both(90);
    reductions(5);
    reductions(MANY);
    MPI_Request request;
    MPI_Ibarrier(inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong();
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
  }
  return check_end();
}
