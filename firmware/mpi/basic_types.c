// SPDX-License-Identifier: Apache-2.0
// The predefined datatypes.
#include <stdlib.h>
#include <wchar.h>

#include "firmware/mpi/datatype.h"

uint32_t mpii_basic_size(mpii_basic_t basic) {
  static const uint8_t sizes[MPII_BASICS] = {
      [MPII_RAW] = 1,
      [MPII_CHARACTER] = 1,
      [MPII_INT8] = 1,
      [MPII_UINT8] = 1,
      [MPII_INT16] = 2,
      [MPII_UINT16] = 2,
      [MPII_INT32] = 4,
      [MPII_UINT32] = 4,
      [MPII_INT64] = 8,
      [MPII_UINT64] = 8,
      [MPII_FLOAT32] = 4,
      [MPII_FLOAT64] = 8,
      [MPII_FLOAT128] = 16,
      [MPII_COMPLEX64] = 8,
      [MPII_COMPLEX128] = 16,
      [MPII_COMPLEX256] = 32,
      [MPII_LOGICAL8] = 1,
      [MPII_LOGICAL16] = 2,
      [MPII_LOGICAL32] = 4,
      [MPII_LOGICAL64] = 8,
      [MPII_FLOAT_INT] = 8,
      [MPII_DOUBLE_INT] = 12,
      [MPII_LONG_INT] = sizeof(long) + sizeof(int),
      [MPII_2INT] = 8,
      [MPII_SHORT_INT] = 6,
      [MPII_2REAL] = 8,
      [MPII_2DOUBLE] = 16,
      [MPII_LONG_DOUBLE_INT] = 20,
  };
  return sizes[basic];
}

_Static_assert(sizeof(int) == 4 && sizeof(wchar_t) == 4 && sizeof(long double) == 16, "as on all machines");
_Static_assert(sizeof(long) == sizeof(void*) && sizeof(MPI_Aint) == sizeof(void*), "long is as long as an address");

/// What a predefined datatype is. The extent is the C structure's for the pairs, which end with padding.
typedef struct {
  MPI_Datatype handle;
  const char* name;
  mpii_basic_t basic;
  uint32_t extent;  ///< 0: the size
} description_t;

#define TYPE(name, basic) \
  { MPI_##name, "MPI_" #name, MPII_##basic, 0 }
#define WORD(name, sign) \
  { MPI_##name, "MPI_" #name, sizeof(long) == 8 ? MPII_##sign##64 : MPII_##sign##32, 0 }
#define PAIR(name, basic, structure) \
  { MPI_##name, "MPI_" #name, MPII_##basic, sizeof(structure) }

typedef struct {
  double value;
  int index;
} double_int_t;
typedef struct {
  long value;
  int index;
} long_int_t;
typedef struct {
  short value;
  int index;
} short_int_t;
typedef struct {
  long double value;
  int index;
} long_double_int_t;

static const description_t descriptions[] = {
    TYPE(BYTE, RAW),
    TYPE(PACKED, RAW),
    TYPE(LB, MARKER),
    TYPE(UB, MARKER),
    TYPE(CHAR, CHARACTER),
    TYPE(SIGNED_CHAR, INT8),
    TYPE(UNSIGNED_CHAR, UINT8),
    TYPE(SHORT, INT16),
    TYPE(UNSIGNED_SHORT, UINT16),
    TYPE(INT, INT32),
    TYPE(UNSIGNED, UINT32),
    WORD(LONG, INT),
    WORD(UNSIGNED_LONG, UINT),
    TYPE(LONG_LONG_INT, INT64),
    TYPE(UNSIGNED_LONG_LONG, UINT64),
    TYPE(WCHAR, INT32),
    TYPE(FLOAT, FLOAT32),
    TYPE(DOUBLE, FLOAT64),
    TYPE(LONG_DOUBLE, FLOAT128),
    TYPE(INT8_T, INT8),
    TYPE(INT16_T, INT16),
    TYPE(INT32_T, INT32),
    TYPE(INT64_T, INT64),
    TYPE(UINT8_T, UINT8),
    TYPE(UINT16_T, UINT16),
    TYPE(UINT32_T, UINT32),
    TYPE(UINT64_T, UINT64),
    TYPE(C_BOOL, LOGICAL8),
    {MPI_C_COMPLEX, "MPI_C_COMPLEX", MPII_COMPLEX64, 0},
    TYPE(C_DOUBLE_COMPLEX, COMPLEX128),
    TYPE(C_LONG_DOUBLE_COMPLEX, COMPLEX256),
    WORD(AINT, INT),
    TYPE(OFFSET, INT64),
    TYPE(COUNT, INT64),
    TYPE(CXX_BOOL, LOGICAL8),
    TYPE(CXX_FLOAT_COMPLEX, COMPLEX64),
    TYPE(CXX_DOUBLE_COMPLEX, COMPLEX128),
    TYPE(CXX_LONG_DOUBLE_COMPLEX, COMPLEX256),
    TYPE(FLOAT_INT, FLOAT_INT),
    PAIR(DOUBLE_INT, DOUBLE_INT, double_int_t),
    PAIR(LONG_INT, LONG_INT, long_int_t),
    TYPE(2INT, 2INT),
    PAIR(SHORT_INT, SHORT_INT, short_int_t),
    PAIR(LONG_DOUBLE_INT, LONG_DOUBLE_INT, long_double_int_t),
    TYPE(CHARACTER, CHARACTER),
    TYPE(LOGICAL, LOGICAL32),
    TYPE(INTEGER, INT32),
    TYPE(REAL, FLOAT32),
    TYPE(DOUBLE_PRECISION, FLOAT64),
    TYPE(COMPLEX, COMPLEX64),
    TYPE(DOUBLE_COMPLEX, COMPLEX128),
    TYPE(INTEGER1, INT8),
    TYPE(INTEGER2, INT16),
    TYPE(INTEGER4, INT32),
    TYPE(INTEGER8, INT64),
    TYPE(REAL4, FLOAT32),
    TYPE(REAL8, FLOAT64),
    TYPE(REAL16, FLOAT128),
    TYPE(COMPLEX8, COMPLEX64),
    TYPE(COMPLEX16, COMPLEX128),
    TYPE(COMPLEX32, COMPLEX256),
    TYPE(LOGICAL1, LOGICAL8),
    TYPE(LOGICAL2, LOGICAL16),
    TYPE(LOGICAL4, LOGICAL32),
    TYPE(LOGICAL8, LOGICAL64),
    TYPE(2INTEGER, 2INT),
    TYPE(2REAL, 2REAL),
    TYPE(2DOUBLE_PRECISION, 2DOUBLE),
};
enum { PREDEFINED = sizeof descriptions / sizeof *descriptions };

static mpii_datatype_t types[PREDEFINED];
static mpii_run_t runs[PREDEFINED];
/// Of the pairs with a gap behind the value, two; the index follows the value at its own alignment.
static mpit_block_t blocks[PREDEFINED][2];

uint32_t mpii_run_blocks(const mpii_run_t* run, mpit_block_t* list, uint32_t count) {
  const uint32_t size = mpii_basic_size(run->basic);
  mpit_block_t block = {run->offset, run->count * size};
  if (mpii_basic_has_gap(run->basic)) block.bytes = sizeof(short);
  mpit_block_t* last = count == 0 ? NULL : &list[count - 1];
  if (last != NULL && last->offset + (ptrdiff_t)last->bytes == block.offset) {
    last->bytes += block.bytes;
  } else {
    list[count++] = block;
  }
  if (mpii_basic_has_gap(run->basic)) {
    list[count++] = (mpit_block_t){run->offset + (ptrdiff_t)offsetof(short_int_t, index), sizeof(int)};
  }
  return count;
}

/// The strictest alignment of a predefined datatype's members.
static uint32_t alignment_of(mpii_basic_t basic) {
  switch (basic) {
    case MPII_COMPLEX64:
    case MPII_FLOAT_INT:
    case MPII_2INT:
    case MPII_SHORT_INT:
    case MPII_2REAL:
      return 4;
    case MPII_LONG_INT:
      return sizeof(long);
    case MPII_COMPLEX128:
    case MPII_DOUBLE_INT:
    case MPII_2DOUBLE:
      return 8;
    case MPII_COMPLEX256:
    case MPII_LONG_DOUBLE_INT:
      return 16;
    default:
      return mpii_basic_size(basic);
  }
}

static uint32_t last_byte(const mpii_datatype_t* type) {
  const mpit_block_t* last = &type->blocks[type->block_count - 1];
  return (uint32_t)((size_t)last->offset + last->bytes);
}

static void define(unsigned number) {
  const description_t* description = &descriptions[number];
  mpii_datatype_t* type = &types[number];
  const uint32_t size = mpii_basic_size(description->basic);
  type->predefined = type->committed = true;
  type->name = description->name;
  type->basic = description->basic;
  type->size = size;
  type->extent = description->extent != 0 ? (MPI_Aint)description->extent : (MPI_Aint)size;
  type->alignment = alignment_of(description->basic);
  type->elements = size != 0;
  type->lb_marked = description->handle == MPI_LB;
  type->ub_marked = description->handle == MPI_UB;
  type->dense = type->extent == (MPI_Aint)size;
  type->run_count = size != 0;
  runs[number] = (mpii_run_t){0, 1, description->basic};
  type->runs = &runs[number];
  type->blocks = blocks[number];
  type->block_count = size == 0 ? 0 : mpii_run_blocks(&runs[number], blocks[number], 0);
  type->true_extent = type->block_count == 0 ? 0 : (MPI_Aint)last_byte(type);
  mpii_object_open_as(type, description->handle);
}

void mpii_datatype_init(void) {
  // From the last on: each finds its number at the head of the list of free ones, or near it.
  for (unsigned number = PREDEFINED; number-- > 0;) define(number);
}
