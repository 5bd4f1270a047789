// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/type_builder.h"

#include <stdlib.h>
#include <string.h>

void mpii_build(mpii_builder_t* builder, int combiner, uint32_t integers, uint32_t addresses, uint32_t datatypes) {
  *builder = (mpii_builder_t){.datatype = mpii_allocate(sizeof *builder->datatype)};
  mpii_recipe_t* recipe = mpii_allocate(sizeof *recipe + integers * sizeof *recipe->integer +
                                        addresses * sizeof *recipe->address + datatypes * sizeof *recipe->datatype);
  recipe->combiner = combiner;
  recipe->datatype = (mpii_datatype_t**)(recipe + 1);
  recipe->address = (MPI_Aint*)(recipe->datatype + datatypes);
  recipe->integer = (int*)(recipe->address + addresses);
  builder->datatype->recipe = recipe;
}

void mpii_build_integer(mpii_builder_t* builder, int value) {
  mpii_recipe_t* recipe = builder->datatype->recipe;
  recipe->integer[recipe->integers++] = value;
}

void mpii_build_address(mpii_builder_t* builder, MPI_Aint value) {
  mpii_recipe_t* recipe = builder->datatype->recipe;
  recipe->address[recipe->addresses++] = value;
}

void mpii_build_datatype(mpii_builder_t* builder, mpii_datatype_t* value) {
  mpii_recipe_t* recipe = builder->datatype->recipe;
  recipe->datatype[recipe->datatypes++] = mpii_retain(value);
}

void mpii_recipe_free(mpii_recipe_t* recipe) {
  if (recipe == NULL) return;
  for (uint32_t number = 0; number < recipe->datatypes; ++number) mpii_datatype_release(recipe->datatype[number]);
  free(recipe);
}

/// A run behind all others; merged with the last one if adjacent to it.
static void add_run(mpii_builder_t* builder, const mpii_run_t* run, MPI_Aint displacement) {
  mpii_datatype_t* datatype = builder->datatype;
  const ptrdiff_t offset = run->offset + displacement;
  if (datatype->run_count != 0) {
    mpii_run_t* last = &datatype->runs[datatype->run_count - 1];
    if (last->basic == run->basic && last->offset + (ptrdiff_t)(last->count * mpii_basic_size(run->basic)) == offset &&
        !mpii_basic_has_gap(run->basic)) {
      last->count += run->count;
      return;
    }
  }
  if (datatype->run_count == builder->room) {
    builder->room = builder->room == 0 ? 4 : 2 * builder->room;
    datatype->runs = realloc(datatype->runs, builder->room * sizeof *datatype->runs);
    if (datatype->runs == NULL) mpii_end("no memory for a datatype of %u pieces", builder->room);
  }
  datatype->runs[datatype->run_count++] = (mpii_run_t){offset, run->count, run->basic};
}

/// What lower and upper bound become: a marked one counts before all that are not.
static void bound(mpii_builder_t* builder, const mpii_datatype_t* old, MPI_Aint low, MPI_Aint high) {
  mpii_datatype_t* datatype = builder->datatype;
  if (old->lb_marked && !datatype->lb_marked) {
    datatype->lb_marked = true;
    builder->lb = low;
  } else if (old->lb_marked == datatype->lb_marked && (!builder->any || low < builder->lb)) {
    builder->lb = low;
  }
  if (old->ub_marked && !datatype->ub_marked) {
    datatype->ub_marked = true;
    builder->ub = high;
  } else if (old->ub_marked == datatype->ub_marked && (!builder->any || high > builder->ub)) {
    builder->ub = high;
  }
  builder->any = true;
}

void mpii_build_add(mpii_builder_t* builder, const mpii_datatype_t* old, size_t count, MPI_Aint displacement) {
  if (count == 0) return;
  mpii_datatype_t* datatype = builder->datatype;
  const MPI_Aint last = displacement + (MPI_Aint)(count - 1) * old->extent;
  const MPI_Aint low = last < displacement ? last : displacement, high = last < displacement ? displacement : last;
  bound(builder, old, low + old->lb, high + old->lb + old->extent);
  datatype->size += count * old->size;
  datatype->elements += count * old->elements;
  if (old->alignment > datatype->alignment) datatype->alignment = old->alignment;
  if (old->dense && old->run_count == 1) {  // one longer run
    const mpii_run_t run = {old->runs[0].offset, old->runs[0].count * count, old->runs[0].basic};
    add_run(builder, &run, displacement);
    return;
  }
  for (size_t copy = 0; copy < count; ++copy) {
    for (uint32_t run = 0; run < old->run_count; ++run) {
      add_run(builder, &old->runs[run], displacement + (MPI_Aint)copy * old->extent);
    }
  }
}

/// The bytes of all runs, neighbours joined.
static void find_blocks(mpii_datatype_t* datatype) {
  if (datatype->run_count == 0) return;
  // An element with a gap between its members is two blocks, and a run of its own.
  datatype->blocks = mpii_allocate(2 * datatype->run_count * sizeof *datatype->blocks);
  uint32_t count = 0;
  for (uint32_t number = 0; number < datatype->run_count; ++number) {
    const mpii_run_t* run = &datatype->runs[number];
    count = mpii_run_blocks(run, datatype->blocks, count);
  }
  datatype->block_count = count;
  mpit_block_t* shorter = realloc(datatype->blocks, count * sizeof *datatype->blocks);
  if (shorter != NULL) datatype->blocks = shorter;
}

static void find_true_bounds(mpii_datatype_t* datatype) {
  if (datatype->block_count == 0) return;
  MPI_Aint low = datatype->blocks[0].offset, high = low;
  for (uint32_t number = 0; number < datatype->block_count; ++number) {
    const mpit_block_t* block = &datatype->blocks[number];
    if (block->offset < low) low = block->offset;
    if (block->offset + (MPI_Aint)block->bytes > high) high = block->offset + (MPI_Aint)block->bytes;
  }
  datatype->true_lb = low;
  datatype->true_extent = high - low;
}

static mpii_basic_t basic_of(const mpii_datatype_t* datatype) {
  mpii_basic_t basic = datatype->run_count == 0 ? MPII_RAW : datatype->runs[0].basic;
  for (uint32_t number = 1; number < datatype->run_count; ++number) {
    if (datatype->runs[number].basic != basic) return MPII_MIXED;
  }
  return basic;
}

MPI_Datatype mpii_build_complete(mpii_builder_t* builder, bool padded) {
  mpii_datatype_t* datatype = builder->datatype;
  datatype->lb = builder->lb;
  datatype->extent = builder->ub - builder->lb;
  if (padded && !datatype->ub_marked && datatype->alignment > 1) {
    const MPI_Aint alignment = (MPI_Aint)datatype->alignment, over = datatype->extent % alignment;
    if (over != 0) datatype->extent += alignment - over;
  }
  datatype->basic = basic_of(datatype);
  find_blocks(datatype);
  find_true_bounds(datatype);
  datatype->dense = datatype->size == 0 || (datatype->block_count == 1 && datatype->extent == (MPI_Aint)datatype->size);
  datatype->object.references = 1;
  datatype->opened = 1;
  return mpii_object_open(datatype, MPII_DATATYPE);
}
