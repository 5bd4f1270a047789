// SPDX-License-Identifier: Apache-2.0
// What a pami_type_t points to: runs of equal blocks in the order in which their data are sent.
//
// A type that a program adds to another is copied into it, so a layout refers to no other; the serialized form is its
// header and its runs.
#ifndef TOROID_PAMI_TYPES_LAYOUT_H
#define TOROID_PAMI_TYPES_LAYOUT_H

#include <pami.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What elements are; other than raw ones, operations are defined for them. Numbers are part of the serialized form.
typedef enum {
  PAMI_ELEMENT_RAW,
  PAMI_ELEMENT_SIGNED_CHAR,
  PAMI_ELEMENT_UNSIGNED_CHAR,
  PAMI_ELEMENT_SIGNED_SHORT,
  PAMI_ELEMENT_UNSIGNED_SHORT,
  PAMI_ELEMENT_SIGNED_INT,
  PAMI_ELEMENT_UNSIGNED_INT,
  PAMI_ELEMENT_SIGNED_LONG,
  PAMI_ELEMENT_UNSIGNED_LONG,
  PAMI_ELEMENT_FLOAT,
  PAMI_ELEMENT_DOUBLE,
  PAMI_ELEMENT_LONG_DOUBLE,
  PAMI_ELEMENT_LOGICAL1,
  PAMI_ELEMENT_LOGICAL2,
  PAMI_ELEMENT_LOGICAL4,
  PAMI_ELEMENT_LOGICAL8,
  PAMI_ELEMENT_SINGLE_COMPLEX,
  PAMI_ELEMENT_DOUBLE_COMPLEX,
  PAMI_ELEMENT_LOC_2INT,
  PAMI_ELEMENT_LOC_2FLOAT,
  PAMI_ELEMENT_LOC_2DOUBLE,
  PAMI_ELEMENT_LOC_SHORT_INT,
  PAMI_ELEMENT_LOC_FLOAT_INT,
  PAMI_ELEMENT_LOC_DOUBLE_INT,
  PAMI_ELEMENT_LOC_LONG_INT,
  PAMI_ELEMENT_LOC_LONGDOUBLE_INT,
  PAMI_ELEMENT_COUNT
} pami_element_t;

// `count` blocks of `bytes` bytes; the first at `displacement`, each next one `stride` further.
typedef struct {
  int64_t displacement;
  int64_t stride;
  uint64_t bytes;
  uint64_t count;
  uint64_t before;  // bytes of data in the runs before this one
} pami_run_t;

typedef struct {
  uint32_t magic;    // PAMI_LAYOUT_MAGIC while the type lives
  uint32_t element;  // pami_element_t: what all parts consist of
  uint32_t complete;
  uint32_t contiguous;  // element i's data are all of the bytes i * size to (i + 1) * size
  uint64_t size;        // bytes of data
  int64_t extent;       // where the cursor is
  uint64_t atom;
  uint64_t unit;  // greatest common divisor of the sizes of all pieces; 0 without any
  uint64_t runs;
} pami_layout_header_t;

typedef struct {
  pami_layout_header_t header;
  uint64_t room;  // runs that fit
  pami_run_t* run;
  pami_run_t own;    // where `run` points while there is one
  bool predefined;   // belongs to no program
  void* serialized;  // header and runs, once they have been asked for
} pami_layout_t;

#define PAMI_LAYOUT_MAGIC 0x544C4159u

// The layout of a complete type; NULL if it is none.
static inline const pami_layout_t* pami_layout(pami_type_t type) {
  const pami_layout_t* layout = (const pami_layout_t*)type;
  return layout && layout->header.magic == PAMI_LAYOUT_MAGIC && layout->header.complete ? layout : NULL;
}

// The following are of complete types.
static inline size_t pami_type_size(pami_type_t type) {
  return ((const pami_layout_t*)type)->header.size;
}
static inline ptrdiff_t pami_type_extent(pami_type_t type) {
  return ((const pami_layout_t*)type)->header.extent;
}
static inline bool pami_type_contiguous(pami_type_t type) {
  return ((const pami_layout_t*)type)->header.contiguous;
}
static inline pami_element_t pami_type_element(pami_type_t type) {
  return (pami_element_t)((const pami_layout_t*)type)->header.element;
}

#endif
