// SPDX-License-Identifier: Apache-2.0
/// The library's representation of datatypes: flattened when they are created. For its own files.
#ifndef TOROID_FIRMWARE_MPI_DATATYPE_H
#define TOROID_FIRMWARE_MPI_DATATYPE_H

#include "firmware/mpi/error.h"
#include "firmware/mpi/object.h"
#include "firmware/mpi/transport.h"

/// Contiguous basic elements of one kind.
typedef struct {
  ptrdiff_t offset;  ///< bytes, from the buffer's address
  size_t count;      ///< elements
  mpii_basic_t basic;
} mpii_run_t;

struct mpii_attribute;
struct mpii_recipe;

typedef struct mpii_datatype {
  mpii_object_t object;
  uint32_t opened;  ///< how many times the program was given the handle, each to be freed
  bool predefined;
  bool committed;
  bool dense;          ///< no gaps, in itself and between copies: any count is one block
  size_t size;         ///< bytes of data
  uint32_t alignment;  ///< bytes, the strictest of a basic element's
  size_t elements;     ///< basic ones
  MPI_Aint lb, extent;
  MPI_Aint true_lb, true_extent;
  mpii_basic_t basic;         ///< of all elements, or MPII_MIXED
  bool lb_marked, ub_marked;  ///< by MPI_LB, MPI_UB or MPI_Type_create_resized()
  uint32_t run_count;         ///< in the order of the type map
  mpii_run_t* runs;
  uint32_t block_count;  ///< the same bytes, neighbours joined whatever their kinds
  mpit_block_t* blocks;
  struct mpii_recipe* recipe;  ///< how it was made, for MPI_Type_get_contents(); NULL: predefined
  struct mpii_attribute* attributes;
  const char* name;  ///< of a predefined one
  char* given_name;
} mpii_datatype_t;

/// Add the bytes of a run to a list of `count` blocks, merged with the last if adjacent to it; returns the count.
/// Most elements are one block each, joined; MPI_SHORT_INT has a gap between its members.
uint32_t mpii_run_blocks(const mpii_run_t* run, mpit_block_t* blocks, uint32_t count);
static inline bool mpii_basic_has_gap(mpii_basic_t basic) {
  return basic == MPII_SHORT_INT;
}

/// The datatype of a handle, checked: MPI_ERR_TYPE if there is none or it is not committed.
struct mpii_comm;
int mpii_datatype(struct mpii_comm* comm, MPI_Datatype handle, mpii_datatype_t** datatype);
/// The same without the commit.
int mpii_datatype_any(struct mpii_comm* comm, MPI_Datatype handle, mpii_datatype_t** datatype);

/// A handle of it for the program, which frees it; one that the program has freed before gets a handle again.
MPI_Datatype mpii_datatype_open(mpii_datatype_t* datatype);

/// Copy `count` elements between a buffer with gaps and one without, of count * size bytes.
void mpii_pack(const void* buffer, uint32_t count, const mpii_datatype_t* datatype, void* packed);
/// The first `bytes` only: the rest of the buffer is not written.
void mpii_unpack(const void* packed, uint32_t bytes, void* buffer, uint32_t count, const mpii_datatype_t* datatype);

void mpii_datatype_release(mpii_datatype_t* datatype);
void mpii_datatype_init(void);

#endif
