// SPDX-License-Identifier: Apache-2.0
// What puts, gets and accumulations bring where: random datatypes at both sides, lengths around every limit, every
// predefined operation. What is right is what messages with the same datatypes do to a copy of the window.
#include <string.h>

#include "check.h"

enum { BYTES = 1 << 15, ROUNDS = 40 };

static int rank, size, next, before;
static MPI_Win win;
static unsigned char *window, *copy, *own, *other, *packed, *sum;
static unsigned seed = 4711;

static void fill(unsigned char* bytes, unsigned salt) {
  for (int i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)((unsigned)i * 31u + salt * 17u + (unsigned)(i >> 8));
}

/// Elements of `basic` in some arrangement, about `elements` of them.
static MPI_Datatype arrangement(MPI_Datatype basic, int elements, int* count) {
  MPI_Datatype made;
  const int way = (int)(check_random(&seed) % 4);
  *count = 1;
  if (way == 0) {
    *count = elements;
    MPI_Type_dup(basic, &made);
  } else if (way == 1) {
    const int block = 1 + (int)(check_random(&seed) % 7u);
    MPI_Type_vector((elements + block - 1) / block, block, block + (int)(check_random(&seed) % 3u), basic, &made);
  } else if (way == 2) {
    int lengths[5], places[5], at = 0;
    for (int i = 0; i < 5; ++i) {
      at += (int)(check_random(&seed) % 5u);
      lengths[i] = elements / 5 + (i < elements % 5) + (int)(check_random(&seed) % 2u);
      places[i] = at;
      at += lengths[i];
    }
    MPI_Type_indexed(5, lengths, places, basic, &made);
  } else {
    const int block = 1 + elements / 8;
    MPI_Type_vector(2, 1, 2, basic, &made);
    MPI_Type_commit(&made);
    *count = block * 4;
  }
  MPI_Type_commit(&made);
  return made;
}

/// As many elements of another arrangement, or more.
static MPI_Datatype room_for(MPI_Datatype basic, MPI_Datatype type, int count, int* room) {
  int bytes, unit;
  MPI_Type_size(type, &bytes);
  MPI_Type_size(basic, &unit);
  for (;;) {
    int found;
    MPI_Datatype made = arrangement(basic, bytes * count / unit + 1, room);
    MPI_Type_size(made, &found);
    if (found * *room >= bytes * count) return made;
    MPI_Type_free(&made);
  }
}

static void compare(const char* what, int round, const unsigned char* is, const unsigned char* should_be) {
  int at = 0;
  while (at < BYTES && is[at] == should_be[at]) ++at;
  CHECK(at == BYTES, "%s, round %d: byte %d is %d, not %d", what, round, at, is[at], should_be[at]);
}

static int elements_of(int round) {
  static const int lengths[] = {1, 2, 5, 11, 12, 13, 24, 25, 26, 27, 51, 52, 60, 63, 64, 65, 120, 200, 513, 700, 30};
  return lengths[round % (int)(sizeof lengths / sizeof *lengths)];
}

static void puts_and_gets(void) {
  static const MPI_Datatype basics[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT};
  for (int round = 0; round < ROUNDS; ++round) {
    const MPI_Datatype basic = basics[round % 5];
    int count, room;
    MPI_Datatype from = arrangement(basic, elements_of(round), &count);
    MPI_Datatype to = room_for(basic, from, count, &room);
    const int there = (int)(check_random(&seed) % 64u) * 16, here = (int)(check_random(&seed) % 16u) * 16;
    fill(window, (unsigned)(rank + round));
    memcpy(copy, window, BYTES);
    fill(own, (unsigned)(rank + 100));
    MPI_Win_fence(0, win);
    MPI_Put(own + here, count, from, next, there, room, to, win);
    MPI_Win_fence(0, win);
    MPI_Sendrecv(own + here, count, from, next, 1, copy + there, room, to, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    compare("put", round, window, copy);

    MPI_Win_fence(0, win);
    fill(own, (unsigned)(rank + 200));
    memcpy(other, own, BYTES);
    MPI_Get(own + here, room, to, next, there, count, from, win);
    MPI_Win_fence(0, win);
    MPI_Sendrecv(window + there, count, from, before, 2, other + here, room, to, next, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    compare("get", round, own, other);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
  }
}

typedef struct {
  MPI_Op op;
  const char* name;
  int kinds;  ///< of elements that it works on: 1 integers, 2 floating point, 4 pairs
} op_t;

static const op_t ops[] = {
    {MPI_SUM, "sum", 3},         {MPI_PROD, "prod", 3}, {MPI_MAX, "max", 3},       {MPI_MIN, "min", 3},
    {MPI_BAND, "band", 1},       {MPI_BOR, "bor", 1},   {MPI_BXOR, "bxor", 1},     {MPI_LAND, "land", 1},
    {MPI_LOR, "lor", 1},         {MPI_LXOR, "lxor", 1}, {MPI_MAXLOC, "maxloc", 4}, {MPI_MINLOC, "minloc", 4},
    {MPI_REPLACE, "replace", 7},
};
static const struct {
  MPI_Datatype type;
  int kind;
} kinds[] = {
    {MPI_INT, 1},   {MPI_SHORT, 1}, {MPI_LONG_LONG, 1}, {MPI_UNSIGNED_CHAR, 1}, {MPI_DOUBLE, 2},
    {MPI_FLOAT, 2}, {MPI_2INT, 4},  {MPI_SHORT_INT, 4}, {MPI_DOUBLE_INT, 4},
};

/// Small whole numbers, as whatever they are.
static void numbers(unsigned char* bytes, int kind, int salt) {
  memset(bytes, 0, BYTES);
  for (int i = 0; i < BYTES / 16; ++i) {
    const int value = (i * 7 + salt * 3) % 5 - (kind == 3 || kind == 1 ? 0 : 2);
    switch (kind) {
      case 4:
        for (int j = 0; j < 2; ++j) ((double*)bytes)[2 * i + j] = value + j;
        break;
      case 5:
        for (int j = 0; j < 4; ++j) ((float*)bytes)[4 * i + j] = (float)(value - j);
        break;
      case 8:
        ((double*)bytes)[2 * i] = value;
        ((int*)bytes)[4 * i + 2] = i % 7 + salt;
        break;
      default:
        for (int j = 0; j < 4; ++j) ((int*)bytes)[4 * i + j] = value + 3 * j;
    }
  }
}

static void accumulations(int fetches) {
  for (int round = 0; round < (int)(sizeof ops / sizeof *ops) * 9; ++round) {
    const op_t* op = &ops[round / 9];
    const int kind = round % 9;
    if ((op->kinds & kinds[kind].kind) == 0) continue;
    const MPI_Datatype basic = kinds[kind].type;
    int count, room, bytes, unit, packed_bytes, at;
    MPI_Datatype from = arrangement(basic, elements_of(round), &count);
    MPI_Datatype to = room_for(basic, from, count, &room);
    MPI_Type_size(from, &bytes);
    MPI_Type_size(basic, &unit);
    MPI_Type_size(to, &packed_bytes);
    bytes *= count;
    packed_bytes *= room;
    numbers(window, kind, rank + round);
    memcpy(copy, window, BYTES);
    numbers(own, kind, rank + 1);
    MPI_Win_fence(0, win);
    if (fetches) {
      fill(other, 0);
      memcpy(sum, other, BYTES);
      MPI_Get_accumulate(own, count, from, other, count, from, next, 16, room, to, op->op, win);
    } else {
      MPI_Accumulate(own, count, from, next, 16, room, to, op->op, win);
    }
    MPI_Win_fence(0, win);
    // The same by packing: operands without gaps, as the standard's elements, combined one by one.
    MPI_Datatype whole;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(basic, &lb, &extent);
    MPI_Type_create_resized(basic, 0, extent, &whole);
    MPI_Type_commit(&whole);
    static unsigned char theirs[BYTES], mine[BYTES];
    memset(theirs, 0, BYTES);
    memset(mine, 0, BYTES);
    MPI_Sendrecv(own, count, from, next, 3, theirs, bytes / unit, basic, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    at = 0;
    MPI_Pack(copy + 16, room, to, packed, BYTES, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(packed, packed_bytes, &at, mine, bytes / unit, basic, MPI_COMM_WORLD);
    if (fetches) {  // what was there goes back to who asked
      MPI_Sendrecv(mine, bytes / unit, basic, before, 4, sum, count, from, next, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      compare("fetched", round, other, sum);
    }
    if (op->op == MPI_REPLACE) {
      memcpy(mine, theirs, BYTES);
    } else {
      MPI_Reduce_local(theirs, mine, bytes / unit, basic, op->op);
    }
    at = 0;
    MPI_Pack(mine, bytes / unit, basic, packed, BYTES, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(packed, packed_bytes, &at, copy + 16, room, to, MPI_COMM_WORLD);
    compare(op->name, round, window, copy);
    MPI_Type_free(&whole);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
  }
}

static void no_op(void) {
  for (int round = 0; round < 20; ++round) {
    const int count = elements_of(round);
    numbers(window, 4, rank);
    memcpy(copy, window, BYTES);
    memset(other, 0, BYTES);
    numbers(own, 4, next);
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, other, count, MPI_DOUBLE, next, 8, count, MPI_DOUBLE, MPI_NO_OP,
                       win);
    MPI_Win_fence(0, win);
    compare("MPI_NO_OP leaves", round, window, copy);
    CHECK(memcmp(other, own + 8, (size_t)count * 8) == 0, "MPI_NO_OP fetches %d doubles", count);
  }
}

/// So long that accumulations are cut, and that they and their answers have messages of their own.
static void long_ones(void) {
  enum { COUNT = 6000 };
  MPI_Datatype columns;
  double *base, *values = malloc(COUNT * sizeof *values), *found = malloc(COUNT * sizeof *found);
  MPI_Win wide;
  MPI_Win_allocate(2 * COUNT * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &wide);
  MPI_Type_vector(COUNT / 3, 3, 5, MPI_DOUBLE, &columns);
  MPI_Type_commit(&columns);
  for (int i = 0; i < 2 * COUNT; ++i) base[i] = i;
  for (int i = 0; i < COUNT; ++i) values[i] = 1000 * rank + i % 10;
  MPI_Win_fence(0, wide);
  MPI_Get_accumulate(values, COUNT, MPI_DOUBLE, found, COUNT, MPI_DOUBLE, next, 0, 1, columns, MPI_SUM, wide);
  MPI_Accumulate(values, COUNT, MPI_DOUBLE, next, 0, 1, columns, MPI_SUM, wide);
  MPI_Win_fence(0, wide);
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    const int at = i / 3 * 5 + i % 3;
    wrong += found[i] != at || base[at] != at + 2 * (1000 * before + i % 10);
  }
  CHECK(wrong == 0, "%d of %d doubles of long accumulations are wrong", wrong, COUNT);
  MPI_Win_fence(0, wide);  // all have looked
  MPI_Put(values, COUNT, MPI_DOUBLE, next, 0, COUNT, MPI_DOUBLE, wide);
  MPI_Win_fence(0, wide);
  MPI_Get(found, COUNT, MPI_DOUBLE, next, 0, 1, columns, wide);
  MPI_Win_fence(0, wide);
  wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    const int at = i / 3 * 5 + i % 3;
    if (at < COUNT) wrong += found[i] != values[at] || base[i] != 1000 * before + i % 10;
  }
  CHECK(wrong == 0, "%d of %d doubles of long puts and gets are wrong", wrong, COUNT);
  MPI_Type_free(&columns);
  MPI_Win_free(&wide);
  free(values);
  free(found);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  unsigned char** const buffers[] = {&copy, &own, &other, &packed, &sum};
  for (int i = 0; i < 5; ++i) MPI_Alloc_mem(BYTES, MPI_INFO_NULL, buffers[i]);
  MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
  puts_and_gets();
  accumulations(0);
  accumulations(1);
  no_op();
  long_ones();
  MPI_Win_free(&win);
  return check_end();
}
