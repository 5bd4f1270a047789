/* SPDX-License-Identifier: Apache-2.0 */
/* Datatypes as the library keeps them: flattened when they are made. For its own files. */
#ifndef TOROID_FIRMWARE_MPI_DATATYPE_H
#define TOROID_FIRMWARE_MPI_DATATYPE_H

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/error.h"
#include "firmware/mpi/object.h"

/* What a basic element is: decides which reductions work on it, and whether sent and received types match. */
typedef enum {
  BGLMPI_MIXED, /* derived, of elements of several kinds */
  BGLMPI_RAW,   /* MPI_BYTE, MPI_PACKED: match anything */
  BGLMPI_CHARACTER,
  BGLMPI_INT8,
  BGLMPI_UINT8,
  BGLMPI_INT16,
  BGLMPI_UINT16,
  BGLMPI_INT32,
  BGLMPI_UINT32,
  BGLMPI_INT64,
  BGLMPI_UINT64,
  BGLMPI_FLOAT32,
  BGLMPI_FLOAT64,
  BGLMPI_FLOAT128,
  BGLMPI_COMPLEX64,
  BGLMPI_COMPLEX128,
  BGLMPI_COMPLEX256,
  BGLMPI_LOGICAL8,
  BGLMPI_LOGICAL16,
  BGLMPI_LOGICAL32,
  BGLMPI_LOGICAL64,
  BGLMPI_FLOAT_INT,
  BGLMPI_DOUBLE_INT,
  BGLMPI_LONG_INT,
  BGLMPI_2INT,
  BGLMPI_SHORT_INT,
  BGLMPI_LONG_DOUBLE_INT,
  BGLMPI_2REAL,
  BGLMPI_2DOUBLE,
  BGLMPI_MARKER, /* MPI_LB, MPI_UB */
  BGLMPI_BASICS
} bglmpi_basic_t;

/* Basic elements of one kind that lie one behind the other. */
typedef struct {
  int32_t offset; /* bytes, from the buffer's address */
  uint32_t count; /* elements */
  bglmpi_basic_t basic;
} bglmpi_run_t;

struct bglmpi_attribute;
struct bglmpi_recipe;

typedef struct bglmpi_datatype {
  bglmpi_object_t object;
  uint32_t opened; /* how many times the program was given the handle, each to be freed */
  bool predefined;
  bool committed;
  bool dense;         /* no gaps, in itself and between copies: any count is one block */
  uint32_t size;      /* bytes of data */
  uint32_t alignment; /* bytes, the strictest of a basic element's */
  uint32_t elements;  /* basic ones */
  MPI_Aint lb, extent;
  MPI_Aint true_lb, true_extent;
  bglmpi_basic_t basic;      /* of all elements, or BGLMPI_MIXED */
  bool lb_marked, ub_marked; /* by MPI_LB, MPI_UB or MPI_Type_create_resized() */
  uint32_t run_count;        /* in the order of the type map */
  bglmpi_run_t* runs;
  uint32_t block_count; /* the same bytes, neighbours joined whatever their kinds */
  bglml_block_t* blocks;
  struct bglmpi_recipe* recipe; /* how it was made, for MPI_Type_get_contents(); NULL: predefined */
  struct bglmpi_attribute* attributes;
  const char* name; /* of a predefined one */
  char* given_name;
} bglmpi_datatype_t;

/* Size in bytes of a basic element. */
uint32_t bglmpi_basic_size(bglmpi_basic_t basic);

/* Add the bytes of a run to a list of `count` blocks, joined with the last where it goes on there; returns the count.
 * Most elements are one block each, joined; MPI_SHORT_INT has a gap between its members. */
uint32_t bglmpi_run_blocks(const bglmpi_run_t* run, bglml_block_t* blocks, uint32_t count);
static inline bool bglmpi_basic_has_gap(bglmpi_basic_t basic) {
  return basic == BGLMPI_SHORT_INT;
}

/* The datatype of a handle, checked: MPI_ERR_TYPE where there is none, or where it is not committed. */
struct bglmpi_comm;
int bglmpi_datatype(struct bglmpi_comm* comm, MPI_Datatype handle, bglmpi_datatype_t** datatype);
/* The same without the commit. */
int bglmpi_datatype_any(struct bglmpi_comm* comm, MPI_Datatype handle, bglmpi_datatype_t** datatype);

/* A handle of it for the program, which frees it; one that the program has freed before gets a handle again. */
MPI_Datatype bglmpi_datatype_open(bglmpi_datatype_t* datatype);

/* Copy `count` elements between a buffer with gaps and one without, of count * size bytes. */
void bglmpi_pack(const void* buffer, uint32_t count, const bglmpi_datatype_t* datatype, void* packed);
/* The first `bytes` only: what a short message leaves is not touched. */
void bglmpi_unpack(const void* packed, uint32_t bytes, void* buffer, uint32_t count, const bglmpi_datatype_t* datatype);

void bglmpi_datatype_release(bglmpi_datatype_t* datatype);
void bglmpi_datatype_init(void);

#endif
