// SPDX-License-Identifier: Apache-2.0
// The constructors of datatypes.
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/type_builder.h"

static int check_count(int count, const char* what) {
  if (count >= 0) return MPI_SUCCESS;
  return mpii_fail(NULL, MPI_ERR_COUNT, "%s is %d; it must be 0 or more", what, count);
}

static int begin(const char* function, int count, MPI_Datatype handle, mpii_datatype_t** old) {
  mpii_enter(function);
  MPII_TRY(check_count(count, "count"));
  return mpii_datatype_any(NULL, handle, old);
}

int PMPI_Type_contiguous(int count, MPI_Datatype handle, MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin("MPI_Type_contiguous", count, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  mpii_build(&builder, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  mpii_build_integer(&builder, count);
  mpii_build_datatype(&builder, old);
  mpii_build_add(&builder, old, (uint32_t)count, 0);
  *made = mpii_build_complete(&builder, false);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_contiguous);

/// Blocks of `length` elements, `stride` bytes apart.
static void add_vector(mpii_builder_t* builder, const mpii_datatype_t* old, int count, int length, MPI_Aint stride) {
  if (stride == length * old->extent) {  // no gaps
    mpii_build_add(builder, old, (size_t)count * (size_t)length, 0);
    return;
  }
  for (int block = 0; block < count; ++block) mpii_build_add(builder, old, (uint32_t)length, block * stride);
}

int PMPI_Type_vector(int count, int length, int stride, MPI_Datatype handle, MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin("MPI_Type_vector", count, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  MPII_TRY(check_count(length, "the blocks' length"));
  mpii_build(&builder, MPI_COMBINER_VECTOR, 3, 0, 1);
  mpii_build_integer(&builder, count);
  mpii_build_integer(&builder, length);
  mpii_build_integer(&builder, stride);
  mpii_build_datatype(&builder, old);
  add_vector(&builder, old, count, length, stride * old->extent);
  *made = mpii_build_complete(&builder, false);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_vector);

static int hvector(const char* function, int count, int length, MPI_Aint stride, MPI_Datatype handle,
                   MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin(function, count, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  MPII_TRY(check_count(length, "the blocks' length"));
  mpii_build(&builder, MPI_COMBINER_HVECTOR, 2, 1, 1);
  mpii_build_integer(&builder, count);
  mpii_build_integer(&builder, length);
  mpii_build_address(&builder, stride);
  mpii_build_datatype(&builder, old);
  add_vector(&builder, old, count, length, stride);
  *made = mpii_build_complete(&builder, false);
  return MPI_SUCCESS;
}

int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  return hvector("MPI_Type_create_hvector", count, length, stride, old, made);
}
MPII_PUBLIC(Type_create_hvector);

int PMPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  return hvector("MPI_Type_hvector", count, length, stride, old, made);
}
MPII_PUBLIC(Type_hvector);

/// Blocks of their own lengths, or all of `length`, at displacements in elements or in bytes.
typedef struct {
  int count;
  bool own_lengths;
  const int* lengths;
  int length;
  bool in_elements;
  const int* elements;  ///< displacements
  const MPI_Aint* bytes;
} indexed_t;

static int indexed(const char* function, int combiner, const indexed_t* blocks, MPI_Datatype handle,
                   MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin(function, blocks->count, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  const uint32_t count = (uint32_t)blocks->count;
  const bool own = blocks->own_lengths, in_elements = blocks->in_elements;
  const void* displacements = in_elements ? (const void*)blocks->elements : blocks->bytes;
  if (own) MPII_TRY(mpii_check_array(NULL, blocks->lengths, blocks->count, "lengths"));
  MPII_TRY(mpii_check_array(NULL, displacements, blocks->count, "displacements"));
  for (uint32_t i = 0; own && i < count; ++i) MPII_TRY(check_count(blocks->lengths[i], "a block's length"));
  if (!own) MPII_TRY(check_count(blocks->length, "the blocks' length"));
  mpii_build(&builder, combiner, 1 + (own ? count : 1) + (in_elements ? count : 0), in_elements ? 0 : count, 1);
  mpii_build_integer(&builder, blocks->count);
  if (!own) mpii_build_integer(&builder, blocks->length);
  for (uint32_t i = 0; own && i < count; ++i) mpii_build_integer(&builder, blocks->lengths[i]);
  mpii_build_datatype(&builder, old);
  for (uint32_t i = 0; i < count; ++i) {
    if (in_elements) {
      mpii_build_integer(&builder, blocks->elements[i]);
    } else {
      mpii_build_address(&builder, blocks->bytes[i]);
    }
    mpii_build_add(&builder, old, (uint32_t)(own ? blocks->lengths[i] : blocks->length),
                   in_elements ? blocks->elements[i] * old->extent : blocks->bytes[i]);
  }
  *made = mpii_build_complete(&builder, false);
  return MPI_SUCCESS;
}

int PMPI_Type_indexed(int count, const int lengths[], const int displacements[], MPI_Datatype old, MPI_Datatype* made) {
  const indexed_t blocks = {
      .count = count, .own_lengths = true, .lengths = lengths, .in_elements = true, .elements = displacements};
  return indexed("MPI_Type_indexed", MPI_COMBINER_INDEXED, &blocks, old, made);
}
MPII_PUBLIC(Type_indexed);

int PMPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint displacements[], MPI_Datatype old,
                              MPI_Datatype* made) {
  const indexed_t blocks = {.count = count, .own_lengths = true, .lengths = lengths, .bytes = displacements};
  return indexed("MPI_Type_create_hindexed", MPI_COMBINER_HINDEXED, &blocks, old, made);
}
MPII_PUBLIC(Type_create_hindexed);

int PMPI_Type_hindexed(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype old, MPI_Datatype* made) {
  const indexed_t blocks = {.count = count, .own_lengths = true, .lengths = lengths, .bytes = displacements};
  return indexed("MPI_Type_hindexed", MPI_COMBINER_HINDEXED, &blocks, old, made);
}
MPII_PUBLIC(Type_hindexed);

int PMPI_Type_create_indexed_block(int count, int length, const int displacements[], MPI_Datatype old,
                                   MPI_Datatype* made) {
  const indexed_t blocks = {.count = count, .length = length, .in_elements = true, .elements = displacements};
  return indexed("MPI_Type_create_indexed_block", MPI_COMBINER_INDEXED_BLOCK, &blocks, old, made);
}
MPII_PUBLIC(Type_create_indexed_block);

int PMPI_Type_create_hindexed_block(int count, int length, const MPI_Aint displacements[], MPI_Datatype old,
                                    MPI_Datatype* made) {
  const indexed_t blocks = {.count = count, .length = length, .bytes = displacements};
  return indexed("MPI_Type_create_hindexed_block", MPI_COMBINER_HINDEXED_BLOCK, &blocks, old, made);
}
MPII_PUBLIC(Type_create_hindexed_block);

static int structure(const char* function, int count, const int lengths[], const MPI_Aint displacements[],
                     const MPI_Datatype types[], MPI_Datatype* made) {
  mpii_enter(function);
  MPII_TRY(check_count(count, "count"));
  MPII_TRY(mpii_check_array(NULL, lengths, count, "lengths"));
  MPII_TRY(mpii_check_array(NULL, displacements, count, "displacements"));
  MPII_TRY(mpii_check_array(NULL, types, count, "types"));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  mpii_datatype_t* old;
  for (int i = 0; i < count; ++i) {
    MPII_TRY(check_count(lengths[i], "a block's length"));
    MPII_TRY(mpii_datatype_any(NULL, types[i], &old));
  }
  mpii_builder_t builder;
  mpii_build(&builder, MPI_COMBINER_STRUCT, 1 + (uint32_t)count, (uint32_t)count, (uint32_t)count);
  mpii_build_integer(&builder, count);
  for (int i = 0; i < count; ++i) {
    mpii_datatype_any(NULL, types[i], &old);
    mpii_build_integer(&builder, lengths[i]);
    mpii_build_address(&builder, displacements[i]);
    mpii_build_datatype(&builder, old);
    mpii_build_add(&builder, old, (uint32_t)lengths[i], displacements[i]);
  }
  *made = mpii_build_complete(&builder, true);
  return MPI_SUCCESS;
}

int PMPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[], const MPI_Datatype types[],
                            MPI_Datatype* made) {
  return structure("MPI_Type_create_struct", count, lengths, displacements, types, made);
}
MPII_PUBLIC(Type_create_struct);

int PMPI_Type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[], MPI_Datatype* made) {
  return structure("MPI_Type_struct", count, lengths, displacements, types, made);
}
MPII_PUBLIC(Type_struct);

int PMPI_Type_create_resized(MPI_Datatype handle, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin("MPI_Type_create_resized", 0, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  mpii_build(&builder, MPI_COMBINER_RESIZED, 0, 2, 1);
  mpii_build_address(&builder, lb);
  mpii_build_address(&builder, extent);
  mpii_build_datatype(&builder, old);
  mpii_build_add(&builder, old, 1, 0);
  mpii_datatype_t* datatype = builder.datatype;
  datatype->lb_marked = datatype->ub_marked = true;
  builder.lb = lb;
  builder.ub = lb + extent;
  *made = mpii_build_complete(&builder, false);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Type_create_resized);

int PMPI_Type_dup(MPI_Datatype handle, MPI_Datatype* made) {
  mpii_datatype_t* old;
  mpii_builder_t builder;
  MPII_TRY(begin("MPI_Type_dup", 0, handle, &old));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  mpii_build(&builder, MPI_COMBINER_DUP, 0, 0, 1);
  mpii_build_datatype(&builder, old);
  mpii_build_add(&builder, old, 1, 0);
  *made = mpii_build_complete(&builder, false);
  builder.datatype->committed = old->committed;
  return mpii_attributes_copy(handle, old->attributes, &builder.datatype->attributes);
}
MPII_PUBLIC(Type_dup);
