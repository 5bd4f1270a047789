// SPDX-License-Identifier: Apache-2.0
/// The construction of a derived datatype: its constructor adds copies of others at displacements, then completes it.
/// For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_TYPE_BUILDER_H
#define TOROID_FIRMWARE_MPI_TYPE_BUILDER_H

#include "firmware/mpi/datatype.h"

/// The arguments a datatype was made with, for MPI_Type_get_contents(): in memory behind it, in the order integers,
/// addresses, datatypes. The datatypes are retained.
typedef struct mpii_recipe {
  int combiner;
  uint32_t integers, addresses, datatypes;
  int* integer;
  MPI_Aint* address;
  mpii_datatype_t** datatype;
} mpii_recipe_t;

typedef struct {
  mpii_datatype_t* datatype;  ///< the one that is being made
  uint32_t room;              ///< runs for which there is memory
  bool any;                   ///< something has been added
  MPI_Aint lb, ub;
} mpii_builder_t;

/// Begin a datatype, with room for the arguments that it is made with.
void mpii_build(mpii_builder_t* builder, int combiner, uint32_t integers, uint32_t addresses, uint32_t datatypes);

/// Note the next argument.
void mpii_build_integer(mpii_builder_t* builder, int value);
void mpii_build_address(mpii_builder_t* builder, MPI_Aint value);
void mpii_build_datatype(mpii_builder_t* builder, mpii_datatype_t* value);

/// Add `count` copies of a datatype, one extent apart, the first at `displacement` bytes.
void mpii_build_add(mpii_builder_t* builder, const mpii_datatype_t* old, size_t count, MPI_Aint displacement);

/// Complete it. `padded`: the extent is rounded up as a C compiler does for a structure, unless there is an
/// MPI_UB.
MPI_Datatype mpii_build_complete(mpii_builder_t* builder, bool padded);

void mpii_recipe_free(mpii_recipe_t* recipe);

#endif
