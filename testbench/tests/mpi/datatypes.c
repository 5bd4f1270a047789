// SPDX-License-Identifier: Apache-2.0
// Datatypes against a plain type map: random nested ones of all constructors, their bounds, sizes and contents, packed
// and sent; and the cases that the standard describes.
#include <string.h>

#include "check.h"

static int rank, size;

// ---------------------------------------------------------------------------------------------------------------
// The reference: a list of basic elements and their places

enum { ELEMENTS_MAX = 4000, ROOM = 1 << 16, HALF = ROOM / 2 };

typedef struct {
  MPI_Datatype type;  ///< the library's
  int count;
  MPI_Aint places[ELEMENTS_MAX];
  int sizes[ELEMENTS_MAX];
  MPI_Aint lb, ub;
  int marked;  ///< the bounds were set, and count before those of datatypes whose bounds were not
  int alignment;
} map_t;

static void add(map_t* map, const map_t* old, MPI_Aint displacement) {
  for (int i = 0; i < old->count; ++i) {
    map->places[map->count] = old->places[i] + displacement;
    map->sizes[map->count++] = old->sizes[i];
  }
  const int first = old->marked && !map->marked;
  if (old->marked == map->marked || first) {
    if (first || old->lb + displacement < map->lb) map->lb = old->lb + displacement;
    if (first || old->ub + displacement > map->ub) map->ub = old->ub + displacement;
  }
  map->marked |= old->marked;
  if (old->alignment > map->alignment) map->alignment = old->alignment;
}

static void begin(map_t* map) {
  map->count = map->marked = 0;
  map->lb = 1 << 30;
  map->ub = -(1 << 30);
  map->alignment = 1;
}

static MPI_Aint extent(const map_t* map) {
  return map->ub - map->lb;
}

static void basic(map_t* map, unsigned choice) {
  static const struct {
    MPI_Datatype type;
    int size;
  } basics[] = {{MPI_CHAR, 1}, {MPI_SHORT, 2}, {MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_BYTE, 1}, {MPI_FLOAT, 4}};
  begin(map);
  map->type = basics[choice % 6].type;
  map->count = 1;
  map->places[0] = 0;
  map->sizes[0] = map->alignment = basics[choice % 6].size;
  map->lb = 0;
  map->ub = map->sizes[0];
}

/// A random datatype of `old`, whose handle it takes over.
static void derive(map_t* map, const map_t* old, unsigned* seed) {
  begin(map);
  const int count = 1 + (int)(check_random(seed) % 3), length = 1 + (int)(check_random(seed) % 3);
  const MPI_Aint step = extent(old);
  int lengths[3], elements[3];
  MPI_Aint bytes[3];
  MPI_Datatype types[3] = {old->type, MPI_INT, MPI_CHAR};
  MPI_Aint at = 0;
  for (int i = 0; i < 3; ++i) {
    lengths[i] = 1 + (int)(check_random(seed) % 3);
    elements[i] = (int)(check_random(seed) % 3) + (i == 0 ? 0 : elements[i - 1] + lengths[i - 1]);
    bytes[i] = at + (MPI_Aint)(check_random(seed) % 4);
    at = bytes[i] + lengths[i] * (step > 8 ? step : 8);
  }
  switch (check_random(seed) % 8) {
    case 0:
      MPI_Type_contiguous(count, old->type, &map->type);
      for (int i = 0; i < count; ++i) add(map, old, i * step);
      break;
    case 1:
      MPI_Type_vector(count, length, length + 1, old->type, &map->type);
      for (int i = 0; i < count; ++i) {
        for (int k = 0; k < length; ++k) add(map, old, (i * (length + 1) + k) * step);
      }
      break;
    case 2: {
      const MPI_Aint stride = length * step + 3;
      MPI_Type_create_hvector(count, length, stride, old->type, &map->type);
      for (int i = 0; i < count; ++i) {
        for (int k = 0; k < length; ++k) add(map, old, i * stride + k * step);
      }
      break;
    }
    case 3:
      MPI_Type_indexed(3, lengths, elements, old->type, &map->type);
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < lengths[i]; ++k) add(map, old, (elements[i] + k) * step);
      }
      break;
    case 4:
      MPI_Type_create_hindexed(3, lengths, bytes, old->type, &map->type);
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < lengths[i]; ++k) add(map, old, bytes[i] + k * step);
      }
      break;
    case 5: {
      map_t whole, character;
      basic(&whole, 2);
      basic(&character, 0);
      const map_t* parts[3] = {old, &whole, &character};
      MPI_Type_create_struct(3, lengths, bytes, types, &map->type);
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < lengths[i]; ++k) add(map, parts[i], bytes[i] + k * extent(parts[i]));
      }
      while (!map->marked && (map->ub - map->lb) % map->alignment != 0) ++map->ub;
      break;
    }
    case 6: {
      const int sizes[2] = {3, 4}, subsizes[2] = {2, 2}, starts[2] = {1, (int)(check_random(seed) % 3)};
      const int order = check_random(seed) % 2 == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
      MPI_Type_create_subarray(2, sizes, subsizes, starts, order, old->type, &map->type);
      const int inner = order == MPI_ORDER_C ? 1 : 0, outer = 1 - inner;
      for (int i = 0; i < subsizes[outer]; ++i) {
        for (int k = 0; k < subsizes[inner]; ++k) {
          add(map, old, ((starts[outer] + i) * sizes[inner] + starts[inner] + k) * step);
        }
      }
      map->lb = 0;
      map->ub = 12 * step;
      map->marked = 1;
      break;
    }
    default:
      MPI_Type_create_resized(old->type, old->lb - 2, step + 5, &map->type);
      add(map, old, 0);
      map->lb = old->lb - 2;
      map->ub = map->lb + step + 5;
      map->marked = 1;
      break;
  }
  MPI_Datatype gone = old->type;
  int integers, addresses, datatypes, combiner;
  MPI_Type_get_envelope(gone, &integers, &addresses, &datatypes, &combiner);
  if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&gone);  // what was made of it stays
}

static void put(const map_t* map, int copies, const unsigned char* packed, unsigned char* buffer) {
  for (int copy = 0; copy < copies; ++copy) {
    for (int i = 0; i < map->count; ++i) {
      memcpy(buffer + HALF + copy * extent(map) + map->places[i], packed, (size_t)map->sizes[i]);
      packed += map->sizes[i];
    }
  }
}

/// Whether no two elements of the copies lie in the same place: `packed` comes back from where put() has left it.
static int apart(const map_t* map, int copies, const unsigned char* packed, const unsigned char* buffer) {
  for (int copy = 0; copy < copies; ++copy) {
    for (int i = 0; i < map->count; ++i) {
      if (memcmp(buffer + HALF + copy * extent(map) + map->places[i], packed, (size_t)map->sizes[i]) != 0) return 0;
      packed += map->sizes[i];
    }
  }
  return 1;
}

/// A random datatype, sent around the ring as itself and as bytes.
static void random_datatype(unsigned seed) {
  static map_t maps[2];
  static unsigned char packed[ROOM], other[ROOM], buffer[ROOM], expected[ROOM];
  basic(&maps[0], check_random(&seed));
  map_t *map = &maps[0], *old = &maps[1];
  for (unsigned depth = 1 + check_random(&seed) % 3; depth != 0; --depth) {
    map_t* spare = old;
    old = map;
    map = spare;
    derive(map, old, &seed);
  }
  const int copies = 1 + (int)(check_random(&seed) % 3);
  MPI_Type_commit(&map->type);
  int bytes = 0, size_of, position = 0;
  MPI_Aint lb, length;
  for (int i = 0; i < map->count; ++i) bytes += map->sizes[i];
  MPI_Type_size(map->type, &size_of);
  MPI_Type_get_extent(map->type, &lb, &length);
  CHECK(size_of == bytes, "size %d of %d", size_of, bytes);
  CHECK(lb == map->lb && length == extent(map), "bounds %ld + %ld, not %ld + %ld", lb, length, map->lb, extent(map));
  MPI_Aint true_lb, true_extent, low = 1 << 30, high = -(1 << 30);
  for (int i = 0; i < map->count; ++i) {
    if (map->places[i] < low) low = map->places[i];
    if (map->places[i] + map->sizes[i] > high) high = map->places[i] + map->sizes[i];
  }
  MPI_Type_get_true_extent(map->type, &true_lb, &true_extent);
  CHECK(true_lb == low && true_extent == high - low, "true bounds %ld + %ld", true_lb, true_extent);
  if (copies * extent(map) + high >= HALF - 64 || -low > HALF || bytes * copies > ROOM) {
    MPI_Type_free(&map->type);
    return;
  }
  const int total = copies * bytes, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  unsigned contents = seed;
  for (int i = 0; i < total; ++i) packed[i] = (unsigned char)check_random(&contents);
  memset(buffer, 0, ROOM);
  put(map, copies, packed, buffer);
  if (!apart(map, copies, packed, buffer)) {  // may not be received
    MPI_Type_free(&map->type);
    return;
  }
  memset(other, 0, ROOM);
  MPI_Pack(buffer + HALF, copies, map->type, other, ROOM, &position, MPI_COMM_WORLD);
  CHECK(position == total && memcmp(other, packed, (size_t)total) == 0, "packed wrong");
  memset(expected, 0x55, ROOM);
  put(map, copies, packed, expected);
  memset(buffer, 0x55, ROOM);
  position = 0;
  MPI_Unpack(packed, ROOM, &position, buffer + HALF, copies, map->type, MPI_COMM_WORLD);
  CHECK(position == total && memcmp(buffer, expected, ROOM) == 0, "unpacked wrong");

  MPI_Request request;
  MPI_Status status;
  int elements;
  memset(other, 0x55, ROOM);
  MPI_Isend(buffer + HALF, copies, map->type, next, 1, MPI_COMM_WORLD, &request);  // as itself, received as itself
  MPI_Recv(other + HALF, copies, map->type, previous, 1, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(other, expected, ROOM) == 0, "received wrong");
  MPI_Get_count(&status, map->type, &elements);
  CHECK(elements == copies, "count %d of %d", elements, copies);
  MPI_Get_elements(&status, map->type, &elements);
  CHECK(elements == copies * map->count, "%d elements of %d", elements, copies * map->count);

  memset(other, 0, ROOM);
  MPI_Isend(buffer + HALF, copies, map->type, next, 2, MPI_COMM_WORLD, &request);  // received as bytes
  MPI_Recv(other, ROOM, MPI_PACKED, previous, 2, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(other, packed, (size_t)total) == 0, "received wrong as bytes");

  memset(other, 0x55, ROOM);
  MPI_Isend(packed, total, MPI_PACKED, next, 3, MPI_COMM_WORLD, &request);  // sent as bytes
  MPI_Recv(other + HALF, copies, map->type, previous, 3, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(other, expected, ROOM) == 0, "bytes received wrong");
  MPI_Type_free(&map->type);
}

// ---------------------------------------------------------------------------------------------------------------
// Cases of their own

typedef struct {
  double d;
  char c;
} padded_t;

static void bounds(void) {
  MPI_Datatype type, vector, marked;
  MPI_Aint lb, ub, length;
  int lengths[3] = {1, 1, 1};
  MPI_Aint places[3] = {offsetof(padded_t, d), offsetof(padded_t, c), 0};
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_CHAR, MPI_UB};
  MPI_Type_struct(2, lengths, places, types, &type);
  MPI_Type_extent(type, &length);
  CHECK(length == (MPI_Aint)sizeof(padded_t), "extent %ld of a structure of %d", length, (int)sizeof(padded_t));
  MPI_Type_free(&type);
  places[0] = -3;
  places[1] = 0;
  places[2] = 6;
  MPI_Datatype bound[3] = {MPI_LB, MPI_INT, MPI_UB};
  MPI_Type_struct(3, lengths, places, bound, &marked);
  MPI_Type_lb(marked, &lb);
  MPI_Type_ub(marked, &ub);
  CHECK(lb == -3 && ub == 6, "marked bounds %ld and %ld", lb, ub);
  MPI_Type_contiguous(2, marked, &type);  // the standard's example: (lb,-3), (int,0), (int,9), (ub,15)
  MPI_Type_lb(type, &lb);
  MPI_Type_ub(type, &ub);
  CHECK(lb == -3 && ub == 15, "bounds of two %ld and %ld", lb, ub);
  MPI_Type_free(&type);
  MPI_Type_free(&marked);
  MPI_Type_vector(2, 1, -2, MPI_INT, &vector);
  MPI_Type_lb(vector, &lb);
  MPI_Type_ub(vector, &ub);
  CHECK(lb == -8 && ub == 4, "bounds of a vector with negative stride %ld and %ld", lb, ub);
  MPI_Type_free(&vector);
  MPI_Type_contiguous(0, MPI_INT, &type);
  MPI_Type_extent(type, &length);
  CHECK(length == 0, "extent of nothing %ld", length);
  MPI_Type_free(&type);
}

static void partial(void) {
  // One int and one double a copy; five elements have come.
  MPI_Datatype pair;
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, 8};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  struct {
    int i;
    double d;
  } out[3] = {{1, 2}, {3, 4}, {5, 6}}, in[3] = {{0, 0}, {0, 0}, {0, 0}};
  MPI_Type_create_struct(2, lengths, places, types, &pair);
  MPI_Type_commit(&pair);
  char packed[64];
  int position = 0, count;
  MPI_Pack(out, 2, pair, packed, sizeof packed, &position, MPI_COMM_SELF);
  MPI_Pack(&out[2].i, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_SELF);
  MPI_Request request;
  MPI_Status status;
  MPI_Isend(packed, position, MPI_PACKED, 0, 0, MPI_COMM_SELF, &request);
  MPI_Recv(in, 3, pair, 0, 0, MPI_COMM_SELF, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Get_count(&status, pair, &count);
  CHECK(count == MPI_UNDEFINED, "count %d of a message that ends inside", count);
  MPI_Get_elements(&status, pair, &count);
  CHECK(count == 5, "%d elements, not 5", count);
  CHECK(in[1].d == 4 && in[2].i == 5 && in[2].d == 0, "the first five elements came as %g %d %g", in[1].d, in[2].i,
        in[2].d);
  MPI_Type_free(&pair);
}

static void contents(void) {
  MPI_Datatype type, inner, parts[2];
  int integers, addresses, datatypes, combiner, numbers[8];
  MPI_Aint places[4];
  MPI_Type_contiguous(2, MPI_INT, &inner);
  const int lengths[2] = {3, 4};
  const MPI_Aint displacements[2] = {0, 40};
  const MPI_Datatype types[2] = {inner, MPI_CHAR};
  MPI_Type_create_struct(2, lengths, displacements, types, &type);
  MPI_Type_free(&inner);
  MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_STRUCT && integers == 3 && addresses == 2 && datatypes == 2, "envelope %d: %d %d %d",
        combiner, integers, addresses, datatypes);
  MPI_Type_get_contents(type, 8, 4, 2, numbers, places, parts);
  CHECK(numbers[0] == 2 && numbers[1] == 3 && numbers[2] == 4 && places[1] == 40 && parts[1] == MPI_CHAR, "contents");
  MPI_Type_get_envelope(parts[0], &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_CONTIGUOUS, "combiner %d of the first part", combiner);
  MPI_Type_free(&parts[0]);
  MPI_Type_free(&type);
  // Its maker keeps the one that the contents are freed of.
  MPI_Type_contiguous(2, MPI_INT, &inner);
  MPI_Type_dup(inner, &type);
  MPI_Type_get_contents(type, 8, 4, 2, numbers, places, parts);
  MPI_Type_free(&parts[0]);
  MPI_Type_size(inner, &integers);
  CHECK(integers == 8, "the size is still %d", integers);
  MPI_Type_free(&type);
  MPI_Type_free(&inner);
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  CHECK(strcmp(name, "MPI_DOUBLE") == 0 && length == 10, "MPI_DOUBLE is called %s", name);
  MPI_Type_dup(MPI_DOUBLE, &type);
  MPI_Type_set_name(type, "mine");
  MPI_Type_get_name(type, name, &length);
  CHECK(strcmp(name, "mine") == 0, "a name became %s", name);
  MPI_Type_free(&type);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  CHECK(type == MPI_REAL8, "8 bytes of real are 0x%X", (unsigned)type);
}

/// All shares of a distributed array cover each element once, and each process's in its own order.
static void distributed(void) {
  enum { ROWS = 7, COLUMNS = 10 };
  static const int ways[3][2] = {{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
                                 {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                                 {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}};
  for (int way = 0; way < 3; ++way) {
    for (int order = MPI_ORDER_C; order <= MPI_ORDER_FORTRAN; ++order) {
      const int sizes[2] = {ROWS, COLUMNS}, grid[2] = {way == 2 ? 1 : 2, 3};
      const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, ways[way][1] == MPI_DISTRIBUTE_CYCLIC ? 2 : 4};
      int array[ROWS * COLUMNS], seen[ROWS * COLUMNS] = {0};
      for (int i = 0; i < ROWS * COLUMNS; ++i) array[i] = i;
      for (int process = 0; process < grid[0] * grid[1]; ++process) {
        MPI_Datatype type;
        MPI_Aint lb, length;
        int packed[ROWS * COLUMNS], position = 0;
        MPI_Type_create_darray(grid[0] * grid[1], process, 2, sizes, ways[way], arguments, grid, order, MPI_INT, &type);
        MPI_Type_get_extent(type, &lb, &length);
        CHECK(lb == 0 && length == (MPI_Aint)sizeof array, "bounds %ld + %ld", lb, length);
        MPI_Type_commit(&type);
        MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
        for (int i = 0; i < position / 4; ++i) {
          ++seen[packed[i]];
          CHECK(i == 0 || packed[i] > packed[i - 1], "element %d before %d", packed[i - 1], packed[i]);
          // Who has it, by the rule.
          const int index[2] = {order == MPI_ORDER_C ? packed[i] / COLUMNS : packed[i] % ROWS,
                                order == MPI_ORDER_C ? packed[i] % COLUMNS : packed[i] / ROWS};
          int owner[2];
          for (int d = 0; d < 2; ++d) {
            const int block = ways[way][d] == MPI_DISTRIBUTE_NONE        ? sizes[d]
                              : arguments[d] != MPI_DISTRIBUTE_DFLT_DARG ? arguments[d]
                              : ways[way][d] == MPI_DISTRIBUTE_CYCLIC    ? 1
                                                                         : (sizes[d] + grid[d] - 1) / grid[d];
            owner[d] = index[d] / block % grid[d];
          }
          CHECK(process == owner[0] * grid[1] + owner[1], "element %d is process %d's", packed[i], process);
        }
        MPI_Type_free(&type);
      }
      for (int i = 0; i < ROWS * COLUMNS; ++i) CHECK(seen[i] == 1, "element %d is dealt out %d times", i, seen[i]);
    }
  }
}

static void absolute(void) {
  // Addresses with MPI_BOTTOM.
  int a = rank, b = -rank, c = 0, d = 0;
  MPI_Aint from[2], to[2];
  const int lengths[2] = {1, 1};
  MPI_Datatype send, receive;
  MPI_Status status;
  MPI_Get_address(&a, &from[0]);
  MPI_Get_address(&b, &from[1]);
  MPI_Get_address(&c, &to[0]);
  MPI_Get_address(&d, &to[1]);
  MPI_Type_create_hindexed(2, lengths, from, MPI_INT, &send);
  MPI_Type_create_hindexed(2, lengths, to, MPI_INT, &receive);
  MPI_Type_commit(&send);
  MPI_Type_commit(&receive);
  MPI_Sendrecv(MPI_BOTTOM, 1, send, (rank + 1) % size, 5, MPI_BOTTOM, 1, receive, (rank + size - 1) % size, 5,
               MPI_COMM_WORLD, &status);
  CHECK(c == (rank + size - 1) % size && d == -c, "absolute addresses brought %d and %d", c, d);
  MPI_Type_free(&send);
  MPI_Type_free(&receive);
}

/// Functions with MPI_Count; a pair is of two elements.
static void counted(void) {
  struct {
    double value;
    int index;
  } out[2] = {{1.5, 1}, {2.5, 2}}, in[3];
  MPI_Status status;
  int elements;
  MPI_Count count, lb, extent;
  MPI_Sendrecv(out, 2, MPI_DOUBLE_INT, rank, 9, in, 3, MPI_DOUBLE_INT, rank, 9, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &elements);
  CHECK(elements == 4, "two pairs are %d elements", elements);
  MPI_Get_elements_x(&status, MPI_DOUBLE_INT, &count);
  CHECK(count == 4, "two pairs are %lld elements", count);
  MPI_Status_set_elements_x(&status, MPI_DOUBLE, 1);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &elements);
  CHECK(elements == 1, "the first half of a pair is %d elements", elements);
  MPI_Status_set_elements_x(&status, MPI_INT, 1);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &elements);
  CHECK(elements == MPI_UNDEFINED, "half a double is %d elements", elements);
  MPI_Type_size_x(MPI_DOUBLE_INT, &count);
  CHECK(count == 12, "the size is %lld", count);
  MPI_Type_get_extent_x(MPI_DOUBLE_INT, &lb, &extent);
  CHECK(lb == 0 && extent == sizeof *out, "the bounds are %lld and %lld", lb, extent);
  MPI_Type_get_true_extent_x(MPI_DOUBLE_INT, &lb, &extent);
  CHECK(lb == 0 && extent == 12, "the true bounds are %lld and %lld", lb, extent);
}

/// "external32": big-endian, without gaps.
static void external(void) {
  static const unsigned char right[] = {0, 0, 0x12, 0x34, 'x', 0x40, 0x04, 0, 0, 0, 0, 0, 0};
  unsigned char packed[sizeof right];
  const int in = 0x1234;
  const double real = 2.5;
  int out = 0;
  double real_out = 0;
  MPI_Aint position = 0, bytes;
  char representation[] = "external32";
  MPI_Pack_external(representation, &in, 1, MPI_INT, packed, sizeof packed, &position);
  MPI_Pack_external(representation, "x", 1, MPI_CHAR, packed, sizeof packed, &position);
  MPI_Pack_external(representation, &real, 1, MPI_DOUBLE, packed, sizeof packed, &position);
  CHECK(position == sizeof right && memcmp(packed, right, sizeof right) == 0, "%d bytes are packed", (int)position);
  position = 0;
  MPI_Unpack_external(representation, packed, sizeof packed, &position, &out, 1, MPI_INT);
  position += 1;
  MPI_Unpack_external(representation, packed, sizeof packed, &position, &real_out, 1, MPI_DOUBLE);
  CHECK(out == in && real_out == real, "%d and %f came out again", out, real_out);
  MPI_Pack_external_size(representation, 3, MPI_DOUBLE, &bytes);
  CHECK(bytes == 24, "three doubles need %d bytes", (int)bytes);
}

static void errors(void) {
  MPI_Datatype type = MPI_INT;
  MPI_Aint place = 0;
  int lengths[1] = {-1}, places[1] = {0}, position = 0;
  char room[4];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_free(&type));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &type));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Type_indexed(1, lengths, places, MPI_INT, &type));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_size((MPI_Datatype)MPI_COMM_WORLD, &position));
  position = 0;
  CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Pack(room, 1, MPI_DOUBLE, room, sizeof room, &position, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Pack_external("native", room, 1, MPI_INT, room, sizeof room, &place));
  CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Pack_external("external32", room, 1, MPI_DOUBLE, room, sizeof room, &place));
  MPI_Status status;
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Status_set_elements_x(&status, MPI_INT, 1ll << 31));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (unsigned seed = 0; seed < 150; ++seed) random_datatype(seed);
  bounds();
  partial();
  contents();
  distributed();
  absolute();
  counted();
  external();
  errors();
  return check_end();
}
