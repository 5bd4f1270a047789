/* SPDX-License-Identifier: Apache-2.0 */
/* Every predefined operation on every kind of element, by every collective operation that reduces, against a plain
 * loop over what all ranks have. */
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "comms.h"

enum { MOST = 2000 };

/* Element `i` of a rank: small, so that sums and products of reals are exact, whatever their order. */
static int number(int rank, int i, unsigned seed) {
  unsigned state = seed * 7919u + (unsigned)rank * 104729u + (unsigned)i * 31u;
  check_random(&state);
  return (int)(check_random(&state) % 7) - 3;
}

static int factor(int rank, int i, unsigned seed) {
  static const int factors[] = {1, -1, 2, 1};
  return factors[(number(rank, i, seed) + 3) % 4];
}

/* A kind of element: how a rank's are made, how they are combined, whether they are the same. */
typedef struct {
  const char* name;
  MPI_Datatype type;
  int size;     /* of an element in memory */
  unsigned ops; /* bit n: the n-th operation works */
  void (*make)(void* to, int rank, int count, unsigned seed, MPI_Op op);
  void (*combine)(const void* a, void* b, int count, MPI_Op op);
  int (*same)(const void* a, const void* b, int count);
} kind_t;

#define BIT(op) (1u << ((op)-MPI_OP_NULL))
#define ORDER (BIT(MPI_MAX) | BIT(MPI_MIN))
#define NUMBERS (BIT(MPI_SUM) | BIT(MPI_PROD))
#define LOGICAL (BIT(MPI_LAND) | BIT(MPI_LOR) | BIT(MPI_LXOR))
#define BITS (BIT(MPI_BAND) | BIT(MPI_BOR) | BIT(MPI_BXOR))
#define PLACES (BIT(MPI_MAXLOC) | BIT(MPI_MINLOC))

#define MAKE(kind, ctype)                                                                    \
  static void make_##kind(void* to, int rank, int count, unsigned seed, MPI_Op op) {         \
    ctype* elements = to;                                                                    \
    for (int i = 0; i < count; ++i) {                                                        \
      elements[i] = (ctype)(op == MPI_PROD ? factor(rank, i, seed) : number(rank, i, seed)); \
    }                                                                                        \
  }                                                                                          \
  static int same_##kind(const void* a, const void* b, int count) {                          \
    const ctype *first = a, *second = b;                                                     \
    for (int i = 0; i < count; ++i) {                                                        \
      if (first[i] != second[i]) return 0;                                                   \
    }                                                                                        \
    return 1;                                                                                \
  }

#define EACH(expression) \
  for (int i = 0; i < count; ++i) y[i] = (expression)

#define INTEGER(kind, ctype)                                                 \
  MAKE(kind, ctype)                                                          \
  static void combine_##kind(const void* a, void* b, int count, MPI_Op op) { \
    const ctype* x = a;                                                      \
    ctype* y = b;                                                            \
    if (op == MPI_MAX) EACH(x[i] > y[i] ? x[i] : y[i]);                      \
    if (op == MPI_MIN) EACH(x[i] < y[i] ? x[i] : y[i]);                      \
    if (op == MPI_SUM) EACH((ctype)(x[i] + y[i]));                           \
    if (op == MPI_PROD) EACH((ctype)(x[i] * y[i]));                          \
    if (op == MPI_LAND) EACH(x[i] && y[i]);                                  \
    if (op == MPI_LOR) EACH(x[i] || y[i]);                                   \
    if (op == MPI_LXOR) EACH(!x[i] != !y[i]);                                \
    if (op == MPI_BAND) EACH((ctype)(x[i] & y[i]));                          \
    if (op == MPI_BOR) EACH((ctype)(x[i] | y[i]));                           \
    if (op == MPI_BXOR) EACH((ctype)(x[i] ^ y[i]));                          \
  }

#define REAL(kind, ctype)                                                    \
  MAKE(kind, ctype)                                                          \
  static void combine_##kind(const void* a, void* b, int count, MPI_Op op) { \
    const ctype* x = a;                                                      \
    ctype* y = b;                                                            \
    if (op == MPI_MAX) EACH(x[i] > y[i] ? x[i] : y[i]);                      \
    if (op == MPI_MIN) EACH(x[i] < y[i] ? x[i] : y[i]);                      \
    if (op == MPI_SUM) EACH(x[i] + y[i]);                                    \
    if (op == MPI_PROD) EACH(x[i] * y[i]);                                   \
  }

#define COMPLEX(kind, ctype)                                                                                        \
  static void make_##kind(void* to, int rank, int count, unsigned seed, MPI_Op op) {                                \
    ctype* elements = to;                                                                                           \
    for (int i = 0; i < count; ++i) {                                                                               \
      elements[i] =                                                                                                 \
          op == MPI_PROD ? (rank + i) % 3 ? 1 * I : -1 * I : number(rank, i, seed) + number(rank, i, seed + 1) * I; \
    }                                                                                                               \
  }                                                                                                                 \
  static int same_##kind(const void* a, const void* b, int count) {                                                 \
    const ctype *first = a, *second = b;                                                                            \
    for (int i = 0; i < count; ++i) {                                                                               \
      if (first[i] != second[i]) return 0;                                                                          \
    }                                                                                                               \
    return 1;                                                                                                       \
  }                                                                                                                 \
  static void combine_##kind(const void* a, void* b, int count, MPI_Op op) {                                        \
    const ctype* x = a;                                                                                             \
    ctype* y = b;                                                                                                   \
    if (op == MPI_SUM) EACH(x[i] + y[i]);                                                                           \
    if (op == MPI_PROD) EACH(x[i] * y[i]);                                                                          \
  }

#define PAIR(kind, value_type, index_type)                                                  \
  typedef struct {                                                                          \
    value_type value;                                                                       \
    index_type index;                                                                       \
  } kind;                                                                                   \
  static void make_##kind(void* to, int rank, int count, unsigned seed, MPI_Op op) {        \
    kind* elements = to;                                                                    \
    (void)op;                                                                               \
    for (int i = 0; i < count; ++i) {                                                       \
      elements[i].value = (value_type)number(rank, i, seed);                                \
      elements[i].index = (index_type)((rank * 5 + i) % 11);                                \
    }                                                                                       \
  }                                                                                         \
  static int same_##kind(const void* a, const void* b, int count) {                         \
    const kind *first = a, *second = b;                                                     \
    for (int i = 0; i < count; ++i) {                                                       \
      if (first[i].value != second[i].value || first[i].index != second[i].index) return 0; \
    }                                                                                       \
    return 1;                                                                               \
  }                                                                                         \
  static void combine_##kind(const void* a, void* b, int count, MPI_Op op) {                \
    const kind* x = a;                                                                      \
    kind* y = b;                                                                            \
    for (int i = 0; i < count; ++i) {                                                       \
      if (x[i].value == y[i].value) {                                                       \
        if (x[i].index < y[i].index) y[i].index = x[i].index;                               \
      } else if ((op == MPI_MAXLOC) == (x[i].value > y[i].value)) {                         \
        y[i] = x[i];                                                                        \
      }                                                                                     \
    }                                                                                       \
  }

INTEGER(int8, int8_t)
INTEGER(uint8, uint8_t)
INTEGER(int16, int16_t)
INTEGER(uint16, uint16_t)
INTEGER(int32, int32_t)
INTEGER(uint32, uint32_t)
INTEGER(int64, int64_t)
INTEGER(uint64, uint64_t)
REAL(real32, float)
REAL(real64, double)
REAL(real128, long double)
COMPLEX(complex32, float complex)
COMPLEX(complex64, double complex)
COMPLEX(complex128, long double complex)
PAIR(float_int, float, int)
PAIR(double_int, double, int)
PAIR(long_int, long, int)
PAIR(int_int, int, int)
PAIR(short_int, short, int)
PAIR(long_double_int, long double, int)
PAIR(float_float, float, float)
PAIR(double_double, double, double)

#define KIND(type, kind, ctype, ops) \
  { #type, type, sizeof(ctype), ops, make_##kind, combine_##kind, same_##kind }
#define WHOLE (ORDER | NUMBERS | LOGICAL | BITS)

static const kind_t kinds[] = {
    KIND(MPI_SIGNED_CHAR, int8, int8_t, WHOLE),
    KIND(MPI_UNSIGNED_CHAR, uint8, uint8_t, WHOLE),
    KIND(MPI_SHORT, int16, short, WHOLE),
    KIND(MPI_UNSIGNED_SHORT, uint16, short, WHOLE),
    KIND(MPI_INT, int32, int, WHOLE),
    KIND(MPI_UNSIGNED, uint32, int, WHOLE),
#if __SIZEOF_LONG__ == 8
    KIND(MPI_LONG, int64, long, WHOLE),
    KIND(MPI_UNSIGNED_LONG, uint64, long, WHOLE),
    KIND(MPI_AINT, int64, MPI_Aint, ORDER | NUMBERS | BITS),
#else
    KIND(MPI_LONG, int32, long, WHOLE),
    KIND(MPI_UNSIGNED_LONG, uint32, long, WHOLE),
    KIND(MPI_AINT, int32, MPI_Aint, ORDER | NUMBERS | BITS),
#endif
    KIND(MPI_LONG_LONG, int64, long long, WHOLE),
    KIND(MPI_UNSIGNED_LONG_LONG, uint64, long long, WHOLE),
    KIND(MPI_INT8_T, int8, int8_t, WHOLE),
    KIND(MPI_UINT16_T, uint16, uint16_t, WHOLE),
    KIND(MPI_INT64_T, int64, int64_t, WHOLE),
    KIND(MPI_OFFSET, int64, MPI_Offset, ORDER | NUMBERS | BITS),
    KIND(MPI_COUNT, int64, MPI_Count, ORDER | NUMBERS | BITS),
    KIND(MPI_INTEGER, int32, int, ORDER | NUMBERS | BITS),
    KIND(MPI_INTEGER1, int8, int8_t, ORDER | NUMBERS | BITS),
    KIND(MPI_INTEGER2, int16, int16_t, ORDER | NUMBERS | BITS),
    KIND(MPI_INTEGER8, int64, int64_t, ORDER | NUMBERS | BITS),
    KIND(MPI_BYTE, uint8, uint8_t, BITS),
    KIND(MPI_C_BOOL, uint8, uint8_t, LOGICAL),
    KIND(MPI_LOGICAL, int32, int, LOGICAL),
    KIND(MPI_LOGICAL8, int64, int64_t, LOGICAL),
    KIND(MPI_FLOAT, real32, float, ORDER | NUMBERS),
    KIND(MPI_DOUBLE, real64, double, ORDER | NUMBERS),
    KIND(MPI_LONG_DOUBLE, real128, long double, ORDER | NUMBERS),
    KIND(MPI_REAL, real32, float, ORDER | NUMBERS),
    KIND(MPI_REAL8, real64, double, ORDER | NUMBERS),
    KIND(MPI_C_FLOAT_COMPLEX, complex32, float complex, NUMBERS),
    KIND(MPI_C_DOUBLE_COMPLEX, complex64, double complex, NUMBERS),
    KIND(MPI_C_LONG_DOUBLE_COMPLEX, complex128, long double complex, NUMBERS),
    KIND(MPI_COMPLEX, complex32, float complex, NUMBERS),
    KIND(MPI_FLOAT_INT, float_int, float_int, PLACES),
    KIND(MPI_DOUBLE_INT, double_int, double_int, PLACES),
    KIND(MPI_LONG_INT, long_int, long_int, PLACES),
    KIND(MPI_2INT, int_int, int_int, PLACES),
    KIND(MPI_SHORT_INT, short_int, short_int, PLACES),
    KIND(MPI_LONG_DOUBLE_INT, long_double_int, long_double_int, PLACES),
    KIND(MPI_2INTEGER, int_int, int_int, PLACES),
    KIND(MPI_2REAL, float_float, float_float, PLACES),
    KIND(MPI_2DOUBLE_PRECISION, double_double, double_double, PLACES),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                             MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
static const char* const op_names[] = {"MAX", "MIN", "SUM",  "PROD", "LAND",   "BAND",
                                       "LOR", "BOR", "LXOR", "BXOR", "MAXLOC", "MINLOC"};
enum { OPS = sizeof ops / sizeof *ops };

static char own[MOST * 32], result[MOST * 32], wanted[MOST * 32], other[MOST * 32];

/* What ranks first .. last have together. */
static void reference(const kind_t* kind, MPI_Op op, int first, int last, int count, unsigned seed) {
  kind->make(wanted, first, count, seed, op);
  for (int rank = first + 1; rank <= last; ++rank) {
    kind->make(other, rank, count, seed, op);
    /* In rank order: what is there is the left operand. */
    memcpy(own, wanted, (size_t)count * kind->size);
    kind->combine(own, other, count, op);
    memcpy(wanted, other, (size_t)count * kind->size);
  }
}

enum { ALLREDUCE, REDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, LOCAL, WAYS };
static const char* const way_names[] = {
    "Allreduce", "Reduce", "Scan", "Exscan", "Reduce_scatter", "Reduce_scatter_block", "Reduce_local"};

static void check(MPI_Comm comm, const kind_t* kind, int which, int way, int count, unsigned seed) {
  const MPI_Op op = ops[which];
  const MPI_Datatype type = kind->type;
  int rank, size, from = 0, elements = count;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int in_place = seed % 3 == 0, blocking = seed % 2, root = (int)(seed / 6 % (unsigned)size);
  MPI_Request request = MPI_REQUEST_NULL;
  int* counts = malloc((size_t)size * sizeof *counts);
  memset(result, 0x55, (size_t)(count + 1) * kind->size);
  if (way == REDUCE_SCATTER_BLOCK) count = count / size * size;
  for (int i = 0, left = count; i < size; ++i) {
    counts[i] = way == REDUCE_SCATTER_BLOCK ? count / size : i == size - 1 ? left : (i * 7 + 3) % (left + 1);
    left -= counts[i];
    if (i < rank) from += counts[i];
  }
  if (way == REDUCE_SCATTER || way == REDUCE_SCATTER_BLOCK) elements = counts[rank];
  int last = size - 1, has_result = 1;
  if (way == SCAN) last = rank;
  if (way == EXSCAN) last = rank - 1;
  if (way == REDUCE) has_result = rank == root;
  if (way == EXSCAN && rank == 0) has_result = 0;
  if (way == LOCAL) last = 1;
  reference(kind, op, 0, last < 0 ? 0 : last, count, seed);
  kind->make(way == LOCAL ? result : own, way == LOCAL ? 1 : rank, count, seed, op);
  if (way == LOCAL) kind->make(own, 0, count, seed, op);
  const void* send = own;
  if (in_place && way != LOCAL && (way != REDUCE || rank == root)) {
    memcpy(result, own, (size_t)count * kind->size);
    send = MPI_IN_PLACE;
  }
  switch (way * 2 + blocking) {
    case ALLREDUCE * 2 + 1:
      MPI_Allreduce(send, result, count, type, op, comm);
      break;
    case ALLREDUCE * 2:
      MPI_Iallreduce(send, result, count, type, op, comm, &request);
      break;
    case REDUCE * 2 + 1:
      MPI_Reduce(send, result, count, type, op, root, comm);
      break;
    case REDUCE * 2:
      MPI_Ireduce(send, result, count, type, op, root, comm, &request);
      break;
    case SCAN * 2 + 1:
      MPI_Scan(send, result, count, type, op, comm);
      break;
    case SCAN * 2:
      MPI_Iscan(send, result, count, type, op, comm, &request);
      break;
    case EXSCAN * 2 + 1:
      MPI_Exscan(send, result, count, type, op, comm);
      break;
    case EXSCAN * 2:
      MPI_Iexscan(send, result, count, type, op, comm, &request);
      break;
    case REDUCE_SCATTER * 2 + 1:
      MPI_Reduce_scatter(send, result, counts, type, op, comm);
      break;
    case REDUCE_SCATTER * 2:
      MPI_Ireduce_scatter(send, result, counts, type, op, comm, &request);
      break;
    case REDUCE_SCATTER_BLOCK * 2 + 1:
      MPI_Reduce_scatter_block(send, result, elements, type, op, comm);
      break;
    case REDUCE_SCATTER_BLOCK * 2:
      MPI_Ireduce_scatter_block(send, result, elements, type, op, comm, &request);
      break;
    default:
      MPI_Reduce_local(own, result, count, type, op);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const char* part = wanted + (way == REDUCE_SCATTER || way == REDUCE_SCATTER_BLOCK ? from * kind->size : 0);
  CHECK(!has_result || kind->same(result, part, elements), "MPI_%s%s of %d %s, %s%s, in a communicator of %d",
        way_names[way], blocking ? "" : " (not blocking)", count, kind->name, op_names[which],
        in_place ? ", in place" : "", size);
  if (!(in_place && (way != REDUCE || rank == root))) {
    CHECK((unsigned char)result[elements * kind->size] == 0x55, "MPI_%s of %d %s, %s: written behind the result",
          way_names[way], count, kind->name, op_names[which]);
  }
  free(counts);
}

/* (a, b) stands for x -> a x + b; one after the other: does not commute. In memory with a gap between and behind. */
typedef struct {
  unsigned a, gap, b, behind;
} map_t;

static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
  const map_t* x = in;
  map_t* y = inout;
  int size;
  MPI_Type_size(*type, &size);
  CHECK(size == 8, "the user's function gets a datatype of %d bytes", size);
  for (int i = 0; i < *length; ++i) {
    y[i].b = x[i].a * y[i].b + x[i].b;
    y[i].a = x[i].a * y[i].a;
  }
}

static map_t map_of(int rank, int i) {
  return (map_t){(unsigned)(rank * 2 + i * 4 + 3), 1, (unsigned)(rank * 7 + i + 1), 2};
}

static void check_user_operation(MPI_Comm comm, int count, int commutes) {
  static map_t mine[MOST], all[MOST];
  int rank, size, flag;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Datatype vector, type;
  MPI_Op op;
  MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &vector);
  MPI_Type_create_resized(vector, 0, sizeof(map_t), &type);
  MPI_Type_commit(&type);
  MPI_Op_create(compose, commutes, &op);
  MPI_Op_commutative(op, &flag);
  CHECK(flag == commutes, "MPI_Op_commutative says %d", flag);
  for (int way = 0; way < 6; ++way) {
    const int root = (count + way) % size;
    for (int i = 0; i < count; ++i) {
      mine[i] = map_of(rank, i);
      all[i] = (map_t){0, 77, 0, 88};
    }
    int last = size - 1, has = 1, from = 0, elements = count;
    if (way == 0) MPI_Allreduce(mine, all, count, type, op, comm);
    if (way == 1) MPI_Reduce(mine, all, count, type, op, root, comm), has = rank == root;
    if (way == 2) MPI_Scan(mine, all, count, type, op, comm), last = rank;
    if (way == 3) MPI_Exscan(mine, all, count, type, op, comm), last = rank - 1, has = rank != 0;
    if (way == 4) {
      elements = count / size;
      from = rank * elements;
      MPI_Reduce_scatter_block(mine, all, elements, type, op, comm);
    }
    if (way == 5) {
      MPI_Request request;
      memcpy(all, mine, (size_t)count * sizeof *all);
      MPI_Iallreduce(MPI_IN_PLACE, all, count, type, op, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int wrong = 0, spoiled = 0;
    for (int i = 0; has && i < elements; ++i) {
      map_t sum = map_of(0, from + i);
      for (int r = 1; r <= last; ++r) {
        const map_t next = map_of(r, from + i);
        sum.b += sum.a * next.b;
        sum.a *= next.a;
      }
      wrong += all[i].a != sum.a || all[i].b != sum.b;
      if (way != 5) spoiled += all[i].gap != 77 || all[i].behind != 88;
    }
    CHECK(wrong == 0, "way %d, %d of the user's elements in a communicator of %d: %d wrong", way, count, size, wrong);
    CHECK(spoiled == 0, "way %d, %d of the user's elements: %d gaps written to", way, count, spoiled);
  }
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL, "MPI_Op_free leaves %X", op);
  MPI_Type_free(&type);
  MPI_Type_free(&vector);
}

static void check_errors(void) {
  int x[4] = {0}, y[4] = {0};
  double d[4] = {0};
  char bytes[4] = {0}, more[4] = {0};
  MPI_Datatype derived;
  MPI_Op op = MPI_SUM;
  const MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Type_contiguous(2, MPI_INT, &derived);
  MPI_Type_commit(&derived);
  MPI_Errhandler_set(comm, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(d, x, 1, MPI_DOUBLE, MPI_BAND, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(d, x, 1, MPI_DOUBLE, MPI_LAND, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(bytes, more, 1, MPI_BYTE, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(bytes, more, 1, MPI_C_BOOL, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_INT, MPI_MAXLOC, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_2INT, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_C_COMPLEX, MPI_MAX, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, derived, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_INT, MPI_REPLACE, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(x, y, 1, MPI_INT, (MPI_Op)MPI_INT, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Reduce(x, y, 1, MPI_FLOAT, MPI_BXOR, 0, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Scan(x, y, 1, MPI_FLOAT, MPI_BXOR, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Op_free(&op));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Allreduce(x, y, -1, MPI_INT, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Allreduce(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(x, x, 1, MPI_INT, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Allreduce(x, NULL, 1, MPI_INT, MPI_SUM, comm));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, -1, comm));
  CHECK_ERROR(MPI_ERR_ROOT, MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 100000, comm));
  CHECK_ERROR(MPI_ERR_OP, MPI_Reduce_local(d, x, 1, MPI_DOUBLE, MPI_BOR));
  MPI_Errhandler_set(comm, MPI_ERRORS_ARE_FATAL);
  /* And all goes on. */
  int one = 1, sum = 0, size;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == size, "after the errors the sum of ones is %d", sum);
  MPI_Type_free(&derived);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  comms_make();
  unsigned state = 20260101;
  for (int k = 0; k < KINDS; ++k) {
    for (int which = 0; which < OPS; ++which) {
      if ((kinds[k].ops & BIT(ops[which])) == 0) continue;
      for (int way = 0; way < WAYS; ++way) {
        /* The first with all; of the others some. */
        const unsigned seed = check_random(&state), draw = check_random(&state) % 4;
        if (way != ALLREDUCE && draw != 0) continue;
        const int count = (int)(seed % 3 == 0 ? seed / 7 % 100 : seed / 7 % 12);
        check(comms[draw % comms_count], &kinds[k], which, way, count, seed);
      }
    }
  }
  static const int long_ones[] = {1, 2, 6, 24, 25}; /* kinds: int8, short, unsigned, float, double */
  for (int i = 0; i < 12; ++i) {
    const unsigned seed = check_random(&state);
    check(comms[i % comms_count], &kinds[long_ones[i % 5]], 2, i % (WAYS - 1), MOST - 1 - i * 97, seed);
  }
  for (int c = 0; c < comms_count; ++c) {
    check_user_operation(comms[c], 5 + c, 0);
    check_user_operation(comms[c], 100, 0);
  }
  check_errors();
  return check_end();
}
