/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations that move data: every one on several communicators, with sizes on both sides of every switch
 * of algorithm, datatypes with gaps, in place, blocking and not. */
#include <string.h>

#include "check.h"
#include "comms.h"

enum { GAP = 0xEE, EVERYBODY = 500 };

/* Blocks are of ints or, in a second kind of buffer, of ints with gaps: three of four. */
typedef struct {
  MPI_Datatype type;
  int ints;   /* of an element */
  int places; /* ints from an element to the next */
} shape_t;

static shape_t shapes[2];

static void make_shapes(void) {
  shapes[0] = (shape_t){MPI_INT, 1, 1};
  MPI_Datatype vector, made;
  const int lengths[] = {1, 2}, displacements[] = {0, 2};
  MPI_Type_indexed(2, lengths, displacements, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 5 * (MPI_Aint)sizeof(int), &made);
  MPI_Type_commit(&made);
  MPI_Type_free(&vector);
  shapes[1] = (shape_t){made, 3, 5};
}

/* Where int `i` of a block lies. */
static int place(const shape_t* shape, int i) {
  const int element = i / shape->ints, within = i % shape->ints;
  return element * shape->places + (shape->ints == 3 && within != 0 ? within + 1 : within);
}

/* Of the block from one rank to another, so that any that went astray is seen. */
static int value(int from, int to, int i, unsigned seed) {
  return (int)((unsigned)from * 1000003u + (unsigned)to * 10007u + (unsigned)i * 101u + seed);
}

static void put(int* buffer, const shape_t* shape, int ints, int from, int to, unsigned seed) {
  for (int i = 0; i < ints; ++i) buffer[place(shape, i)] = value(from, to, i, seed);
}

/* How many ints of a block are wrong. */
static int wrong(const int* buffer, const shape_t* shape, int ints, int from, int to, unsigned seed) {
  int sum = 0;
  for (int i = 0; i < ints; ++i) sum += buffer[place(shape, i)] != value(from, to, i, seed);
  return sum;
}

static int* buffer_of(const shape_t* shape, int ints) {
  const size_t bytes = ((size_t)ints / (size_t)shape->ints + 1) * (size_t)shape->places * sizeof(int);
  int* buffer = malloc(bytes);
  memset(buffer, GAP, bytes);
  return buffer;
}

/* Ints between and behind blocks that were written to: those that no data belongs to. */
static int spoiled(const int* buffer, const shape_t* shape, int ints) {
  int nothing, sum = 0;
  memset(&nothing, GAP, sizeof nothing);
  const int elements = ints / shape->ints;
  for (int i = 0; shape->ints == 3 && i < elements; ++i) {
    sum += buffer[i * 5 + 1] != nothing;
    sum += buffer[i * 5 + 4] != nothing;
  }
  return sum + (buffer[elements * shape->places] != nothing);
}

static MPI_Comm comm;
static int rank, size;
static unsigned state;
static const shape_t *out, *in; /* of this trial */
static int blocking;
static MPI_Request request;

static void finish(void) {
  if (!blocking) MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(request == MPI_REQUEST_NULL, "the request is %X", request);
}

#define REPORT(name, bad, ints)                                                                    \
  CHECK((bad) == 0, "%s%s of %d ints in a communicator of %d, shapes %d, %d: %d ints wrong", name, \
        blocking ? "" : " (not blocking)", ints, size, (int)(out - shapes), (int)(in - shapes), bad)

static void bcast(int ints, unsigned seed) {
  const int root = (int)(seed % (unsigned)size);
  const shape_t* shape = rank == root ? out : in;
  int* buffer = buffer_of(shape, ints);
  if (rank == root) put(buffer, shape, ints, root, EVERYBODY, seed);
  if (blocking)
    MPI_Bcast(buffer, ints / shape->ints, shape->type, root, comm);
  else
    MPI_Ibcast(buffer, ints / shape->ints, shape->type, root, comm, &request);
  finish();
  REPORT("MPI_Bcast", wrong(buffer, shape, ints, root, EVERYBODY, seed) + spoiled(buffer, shape, ints), ints);
  free(buffer);
}

/* Blocks of `ints` at one rank and all: a gather or a scatter, with the same or with different lengths. */
static void to_or_from_root(int ints, unsigned seed, int scatters, int varies) {
  const int root = (int)(seed % (unsigned)size), in_place = (seed >> 8) % 3 == 0 && rank == root;
  const shape_t *block_shape = scatters ? in : out, *all_shape = scatters ? out : in;
  int *counts = malloc((size_t)size * sizeof *counts), *places = malloc((size_t)size * sizeof *places), total = 0;
  int* lengths = malloc((size_t)size * sizeof *lengths);
  for (int r = size - 1; r >= 0; --r) { /* the last rank's block first, where they vary */
    lengths[r] = varies ? (r * 5 + (int)(seed % 7)) % 4 * (ints / 3 / 3 * 3) : ints;
    counts[r] = lengths[r] / all_shape->ints;
    places[r] = varies ? total / all_shape->ints : r * ints / all_shape->ints;
    total += lengths[r];
  }
  const int own = lengths[rank];
  int *block = buffer_of(block_shape, own), *all = buffer_of(all_shape, total);
  for (int r = 0; r < size && rank == root && scatters; ++r) {
    put(all + places[r] * all_shape->places, all_shape, lengths[r], root, r, seed);
  }
  if (!scatters) put(block, block_shape, own, rank, root, seed);
  if (in_place && !scatters) put(all + places[rank] * all_shape->places, all_shape, own, rank, root, seed);
  const int n = own / block_shape->ints, m = ints / all_shape->ints;
  void* given = in_place ? MPI_IN_PLACE : block;
  const MPI_Datatype bt = block_shape->type, at = all_shape->type;
  switch (scatters * 4 + varies * 2 + blocking) {
    case 0:
      MPI_Igather(given, n, bt, all, m, at, root, comm, &request);
      break;
    case 1:
      MPI_Gather(given, n, bt, all, m, at, root, comm);
      break;
    case 2:
      MPI_Igatherv(given, n, bt, all, counts, places, at, root, comm, &request);
      break;
    case 3:
      MPI_Gatherv(given, n, bt, all, counts, places, at, root, comm);
      break;
    case 4:
      MPI_Iscatter(all, m, at, given, n, bt, root, comm, &request);
      break;
    case 5:
      MPI_Scatter(all, m, at, given, n, bt, root, comm);
      break;
    case 6:
      MPI_Iscatterv(all, counts, places, at, given, n, bt, root, comm, &request);
      break;
    default:
      MPI_Scatterv(all, counts, places, at, given, n, bt, root, comm);
  }
  finish();
  int bad = 0;
  if (scatters && !in_place) {
    bad = wrong(block, block_shape, own, root, rank, seed) + spoiled(block, block_shape, own);
  } else if (!scatters && rank == root) {
    for (int r = 0; r < size; ++r)
      bad += wrong(all + places[r] * all_shape->places, all_shape, lengths[r], r, root, seed);
    bad += spoiled(all, all_shape, total);
  }
  static const char* const names[] = {"MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv"};
  REPORT(names[scatters * 2 + varies], bad, ints);
  free(block), free(all), free(counts), free(places), free(lengths);
}

static void allgather(int ints, unsigned seed, int varies) {
  const int in_place = (seed >> 8) % 3 == 0;
  int *counts = malloc((size_t)size * sizeof *counts), *places = malloc((size_t)size * sizeof *places), total = 0;
  int* lengths = malloc((size_t)size * sizeof *lengths);
  for (int r = size - 1; r >= 0; --r) {
    lengths[r] = varies ? (r * 5 + (int)(seed % 7)) % 4 * (ints / 9 * 3) : ints;
    counts[r] = lengths[r] / in->ints;
    places[r] = varies ? total / in->ints : r * ints / in->ints;
    total += lengths[r];
  }
  int *block = buffer_of(out, lengths[rank]), *all = buffer_of(in, total);
  put(in_place ? all + places[rank] * in->places : block, in_place ? in : out, lengths[rank], rank, EVERYBODY, seed);
  const void* given = in_place ? MPI_IN_PLACE : block;
  const int n = lengths[rank] / out->ints, m = ints / in->ints;
  switch (varies * 2 + blocking) {
    case 0:
      MPI_Iallgather(given, n, out->type, all, m, in->type, comm, &request);
      break;
    case 1:
      MPI_Allgather(given, n, out->type, all, m, in->type, comm);
      break;
    case 2:
      MPI_Iallgatherv(given, n, out->type, all, counts, places, in->type, comm, &request);
      break;
    default:
      MPI_Allgatherv(given, n, out->type, all, counts, places, in->type, comm);
  }
  finish();
  int bad = spoiled(all, in, total);
  for (int r = 0; r < size; ++r) bad += wrong(all + places[r] * in->places, in, lengths[r], r, EVERYBODY, seed);
  REPORT(varies ? "MPI_Allgatherv" : "MPI_Allgather", bad, ints);
  free(block), free(all), free(counts), free(places), free(lengths);
}

enum { PLAIN, V, W };

static int pair_length(int way, int a, int b, int ints, int both) {
  if (way == PLAIN) return ints;
  if (both && a > b) return pair_length(way, b, a, ints, both); /* in place, as much comes as goes */
  return (a * 3 + b * 2) % 4 * (ints / 9 * 3);
}

static void alltoall(int ints, unsigned seed, int way) {
  const int in_place = (seed >> 8) % 3 == 0;
  const shape_t* from_shape = in_place ? in : out;
  int* lists[6];
  MPI_Datatype* types[2];
  for (int i = 0; i < 6; ++i) lists[i] = malloc((size_t)size * sizeof(int));
  for (int i = 0; i < 2; ++i) types[i] = malloc((size_t)size * sizeof(MPI_Datatype));
  int *given = lists[0], *got = lists[1], *given_at = lists[2], *got_at = lists[3], *n = lists[4], *m = lists[5];
  int given_total = 0, got_total = 0;
  for (int r = 0; r < size; ++r) {
    given[r] = pair_length(way, rank, r, ints, in_place);
    got[r] = pair_length(way, r, rank, ints, in_place);
    n[r] = given[r] / from_shape->ints;
    m[r] = got[r] / in->ints;
    given_at[r] = given_total / from_shape->ints * from_shape->places;
    got_at[r] = got_total / in->ints * in->places;
    given_total += given[r];
    got_total += got[r];
    types[0][r] = from_shape->type;
    types[1][r] = in->type;
  }
  int *send = buffer_of(from_shape, given_total), *receive = buffer_of(in, got_total);
  for (int r = 0; r < size; ++r) {
    put((in_place ? receive : send) + given_at[r], from_shape, given[r], rank, r, seed);
  }
  const void* from = in_place ? MPI_IN_PLACE : send;
  /* Displacements are in elements, or in bytes. */
  for (int r = 0; r < size; ++r) {
    if (way == V) given_at[r] /= from_shape->places, got_at[r] /= in->places;
    if (way == W) given_at[r] *= (int)sizeof(int), got_at[r] *= (int)sizeof(int);
  }
  const MPI_Datatype ft = from_shape->type, it = in->type;
  switch (way * 2 + blocking) {
    case PLAIN * 2:
      MPI_Ialltoall(from, ints / from_shape->ints, ft, receive, ints / in->ints, it, comm, &request);
      break;
    case PLAIN * 2 + 1:
      MPI_Alltoall(from, ints / from_shape->ints, ft, receive, ints / in->ints, it, comm);
      break;
    case V * 2:
      MPI_Ialltoallv(from, n, given_at, ft, receive, m, got_at, it, comm, &request);
      break;
    case V * 2 + 1:
      MPI_Alltoallv(from, n, given_at, ft, receive, m, got_at, it, comm);
      break;
    case W * 2:
      MPI_Ialltoallw(from, n, given_at, types[0], receive, m, got_at, types[1], comm, &request);
      break;
    default:
      MPI_Alltoallw(from, n, given_at, types[0], receive, m, got_at, types[1], comm);
  }
  finish();
  int bad = spoiled(receive, in, got_total), at = 0;
  for (int r = 0; r < size; ++r) {
    bad += wrong(receive + at, in, got[r], r, rank, seed);
    at += got[r] / in->ints * in->places;
  }
  static const char* const names[] = {"MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"};
  REPORT(names[way], bad, ints);
  free(send), free(receive);
  for (int i = 0; i < 6; ++i) free(lists[i]);
  for (int i = 0; i < 2; ++i) free(types[i]);
}

static void one(int ints) {
  static const char* const all[] = {"bcast",     "gather",     "gatherv",  "scatter",   "scatterv",
                                    "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};
  const unsigned seed = check_random(&state);
  request = MPI_REQUEST_NULL;
  blocking = check_random(&state) % 2 == 0;
  out = &shapes[check_random(&state) % 2];
  in = &shapes[check_random(&state) % 2];
  switch (check_random(&state) % (sizeof all / sizeof *all)) {
    case 0:
      bcast(ints, seed);
      break;
    case 1:
      to_or_from_root(ints, seed, 0, 0);
      break;
    case 2:
      to_or_from_root(ints, seed, 0, 1);
      break;
    case 3:
      to_or_from_root(ints, seed, 1, 0);
      break;
    case 4:
      to_or_from_root(ints, seed, 1, 1);
      break;
    case 5:
      allgather(ints, seed, 0);
      break;
    case 6:
      allgather(ints, seed, 1);
      break;
    case 7:
      alltoall(ints, seed, PLAIN);
      break;
    case 8:
      alltoall(ints, seed, V);
      break;
    default:
      alltoall(ints, seed, W);
  }
}

/* Nobody leaves before the last has come: who comes late has the greatest number. */
static void barrier(int round) {
  MPI_Request barrier_request;
  double late = 0, left;
  MPI_Barrier(comm);
  if (rank == round % size) {
    const double start = MPI_Wtime();
    while (MPI_Wtime() - start < 50e-6) continue;
    late = MPI_Wtime();
  }
  if (round % 2 == 0) {
    MPI_Barrier(comm);
  } else {
    MPI_Ibarrier(comm, &barrier_request);
    MPI_Wait(&barrier_request, MPI_STATUS_IGNORE);
  }
  left = MPI_Wtime();
  MPI_Bcast(&late, 1, MPI_DOUBLE, round % size, comm);
  CHECK(left >= late, "left the barrier %g us before the last came", (late - left) * 1e6);
}

/* Several operations at once, with messages of the program's own between them; waited for in another order. */
static void many_at_once(void) {
  enum { TIMES = 6 };
  MPI_Request requests[3 * TIMES];
  static int roots[TIMES][400], sums[TIMES][100], own[TIMES][100], *blocks[TIMES];
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  int token = rank, got = -1;
  for (int i = 0; i < TIMES; ++i) {
    for (int k = 0; k < 400; ++k) roots[i][k] = rank == i % size ? k * i : -1;
    for (int k = 0; k < 100; ++k) own[i][k] = rank + k + i;
    blocks[i] = malloc((size_t)size * sizeof(int));
    MPI_Ibcast(roots[i], 400, MPI_INT, i % size, comm, &requests[i]);
    MPI_Iallreduce(own[i], sums[i], 100, MPI_INT, MPI_SUM, comm, &requests[TIMES + i]);
    MPI_Iallgather(&own[i][i], 1, MPI_INT, blocks[i], 1, MPI_INT, comm, &requests[2 * TIMES + i]);
    if (i == 3) MPI_Sendrecv(&token, 1, MPI_INT, next, 9, &got, 1, MPI_INT, last, 9, comm, MPI_STATUS_IGNORE);
    if (i == 4) MPI_Barrier(comm);
  }
  for (int i = 3 * TIMES - 1; i >= TIMES; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  MPI_Waitall(TIMES, requests, MPI_STATUSES_IGNORE);
  CHECK(got == last, "%d came from rank %d meanwhile", got, last);
  int bad = 0;
  for (int i = 0; i < TIMES; ++i) {
    for (int k = 0; k < 400; ++k) bad += roots[i][k] != k * i;
    for (int k = 0; k < 100; ++k) bad += sums[i][k] != size * (k + i) + size * (size - 1) / 2;
    for (int r = 0; r < size; ++r) bad += blocks[i][r] != r + 2 * i;
    free(blocks[i]);
  }
  CHECK(bad == 0, "%d ints wrong of operations that ran at once", bad);
}

static void errors(void) {
  int x[4] = {0}, y[4] = {0};
  const int minus[] = {-1};
  MPI_Datatype loose;
  MPI_Type_contiguous(2, MPI_INT, &loose);
  MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  comm = MPI_COMM_SELF;
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Bcast(x, 1, MPI_INT, 1, comm));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Bcast(x, 1, MPI_INT, MPI_ROOT, comm));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, -1, comm));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Scatterv(x, minus, minus, MPI_INT, y, 1, MPI_INT, 7, comm));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Bcast(x, -1, MPI_INT, 0, comm));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Gather(x, -1, MPI_INT, y, 1, MPI_INT, 0, comm));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Gatherv(x, 1, MPI_INT, y, minus, x, MPI_INT, 0, comm));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Alltoallv(x, minus, x, MPI_INT, y, x, x, MPI_INT, comm));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Bcast(x, 1, MPI_DATATYPE_NULL, 0, comm));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Bcast(x, 1, loose, 0, comm));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_DATATYPE_NULL, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, 0, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allgather(x, 1, MPI_INT, x, 1, MPI_INT, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Alltoall(x, 1, MPI_INT, x, 1, MPI_INT, comm));
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* who hears of a communicator that there is not */
  CHECK_ERROR(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&loose);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  comms_make();
  make_shapes();
  for (int c = 0; c < comms_count; ++c) {
    comm = comms[c];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    state = 77u + (unsigned)c;
    for (int i = 0; i < 4; ++i) barrier(i);
    for (int i = 0; i < 50; ++i) one((int)(check_random(&state) % 20) * 3);
    for (int i = 0; i < 12; ++i) one((int)(check_random(&state) % 300) * 3);
    for (int i = 0; i < 3; ++i) one((int)(check_random(&state) % 2000) * 3);
    many_at_once();
  }
  comm = MPI_COMM_WORLD;
  errors();
  MPI_Type_free(&shapes[1].type);
  return check_end();
}
