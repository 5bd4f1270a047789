// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/type_builder.h"

#include <stdlib.h>
#include <string.h>

void bglmpi_build(bglmpi_builder_t* builder, int combiner, uint32_t integers, uint32_t addresses, uint32_t datatypes) {
  *builder = (bglmpi_builder_t){.datatype = bglmpi_allocate(sizeof *builder->datatype)};
  bglmpi_recipe_t* recipe = bglmpi_allocate(sizeof *recipe + integers * sizeof *recipe->integer +
                                            addresses * sizeof *recipe->address + datatypes * sizeof *recipe->datatype);
  recipe->combiner = combiner;
  recipe->datatype = (bglmpi_datatype_t**)(recipe + 1);
  recipe->address = (MPI_Aint*)(recipe->datatype + datatypes);
  recipe->integer = (int*)(recipe->address + addresses);
  builder->datatype->recipe = recipe;
}

void bglmpi_build_integer(bglmpi_builder_t* builder, int value) {
  bglmpi_recipe_t* recipe = builder->datatype->recipe;
  recipe->integer[recipe->integers++] = value;
}

void bglmpi_build_address(bglmpi_builder_t* builder, MPI_Aint value) {
  bglmpi_recipe_t* recipe = builder->datatype->recipe;
  recipe->address[recipe->addresses++] = value;
}

void bglmpi_build_datatype(bglmpi_builder_t* builder, bglmpi_datatype_t* value) {
  bglmpi_recipe_t* recipe = builder->datatype->recipe;
  recipe->datatype[recipe->datatypes++] = bglmpi_retain(value);
}

void bglmpi_recipe_free(bglmpi_recipe_t* recipe) {
  if (recipe == NULL) return;
  for (uint32_t number = 0; number < recipe->datatypes; ++number) bglmpi_datatype_release(recipe->datatype[number]);
  free(recipe);
}

/// A run behind all others; joined with the last one where it goes on there.
static void add_run(bglmpi_builder_t* builder, const bglmpi_run_t* run, MPI_Aint displacement) {
  bglmpi_datatype_t* datatype = builder->datatype;
  const int32_t offset = run->offset + (int32_t)displacement;
  if (datatype->run_count != 0) {
    bglmpi_run_t* last = &datatype->runs[datatype->run_count - 1];
    if (last->basic == run->basic && last->offset + (int32_t)(last->count * bglmpi_basic_size(run->basic)) == offset &&
        !bglmpi_basic_has_gap(run->basic)) {
      last->count += run->count;
      return;
    }
  }
  if (datatype->run_count == builder->room) {
    builder->room = builder->room == 0 ? 4 : 2 * builder->room;
    datatype->runs = realloc(datatype->runs, builder->room * sizeof *datatype->runs);
    if (datatype->runs == NULL) bglmpi_end("no memory for a datatype of %u pieces", builder->room);
  }
  datatype->runs[datatype->run_count++] = (bglmpi_run_t){offset, run->count, run->basic};
}

/// What lower and upper bound become: a marked one counts before all that are not.
static void bound(bglmpi_builder_t* builder, const bglmpi_datatype_t* old, MPI_Aint low, MPI_Aint high) {
  bglmpi_datatype_t* datatype = builder->datatype;
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

void bglmpi_build_add(bglmpi_builder_t* builder, const bglmpi_datatype_t* old, uint32_t count, MPI_Aint displacement) {
  if (count == 0) return;
  bglmpi_datatype_t* datatype = builder->datatype;
  const MPI_Aint last = displacement + (MPI_Aint)(count - 1) * old->extent;
  const MPI_Aint low = last < displacement ? last : displacement, high = last < displacement ? displacement : last;
  bound(builder, old, low + old->lb, high + old->lb + old->extent);
  datatype->size += count * old->size;
  datatype->elements += count * old->elements;
  if (old->alignment > datatype->alignment) datatype->alignment = old->alignment;
  if (old->dense && old->run_count == 1) {  // one longer run
    const bglmpi_run_t run = {old->runs[0].offset, old->runs[0].count * count, old->runs[0].basic};
    add_run(builder, &run, displacement);
    return;
  }
  for (uint32_t copy = 0; copy < count; ++copy) {
    for (uint32_t run = 0; run < old->run_count; ++run) {
      add_run(builder, &old->runs[run], displacement + (MPI_Aint)copy * old->extent);
    }
  }
}

/// The bytes of all runs, neighbours joined.
static void find_blocks(bglmpi_datatype_t* datatype) {
  if (datatype->run_count == 0) return;
  // An element with a gap between its members is two blocks, and a run of its own.
  datatype->blocks = bglmpi_allocate(2 * datatype->run_count * sizeof *datatype->blocks);
  uint32_t count = 0;
  for (uint32_t number = 0; number < datatype->run_count; ++number) {
    const bglmpi_run_t* run = &datatype->runs[number];
    count = bglmpi_run_blocks(run, datatype->blocks, count);
  }
  datatype->block_count = count;
  bglml_block_t* shorter = realloc(datatype->blocks, count * sizeof *datatype->blocks);
  if (shorter != NULL) datatype->blocks = shorter;
}

static void find_true_bounds(bglmpi_datatype_t* datatype) {
  if (datatype->block_count == 0) return;
  MPI_Aint low = datatype->blocks[0].offset, high = low;
  for (uint32_t number = 0; number < datatype->block_count; ++number) {
    const bglml_block_t* block = &datatype->blocks[number];
    if (block->offset < low) low = block->offset;
    if (block->offset + (MPI_Aint)block->bytes > high) high = block->offset + (MPI_Aint)block->bytes;
  }
  datatype->true_lb = low;
  datatype->true_extent = high - low;
}

static bglmpi_basic_t basic_of(const bglmpi_datatype_t* datatype) {
  bglmpi_basic_t basic = datatype->run_count == 0 ? BGLMPI_RAW : datatype->runs[0].basic;
  for (uint32_t number = 1; number < datatype->run_count; ++number) {
    if (datatype->runs[number].basic != basic) return BGLMPI_MIXED;
  }
  return basic;
}

MPI_Datatype bglmpi_build_complete(bglmpi_builder_t* builder, bool padded) {
  bglmpi_datatype_t* datatype = builder->datatype;
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
  return bglmpi_object_open(datatype, BGLMPI_DATATYPE);
}
