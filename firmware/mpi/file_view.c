// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/file_view.h"

#include <stdlib.h>

#include "firmware/mpi/datarep.h"

/// Whether a datatype goes through the file from front to back, as the standard asks for.
static int check_order(mpii_comm_t* comm, const mpii_datatype_t* datatype, const char* which, bool written) {
  MPI_Offset last = 0, end = 0;
  for (uint32_t number = 0; number < datatype->block_count; ++number) {
    const MPI_Offset offset = datatype->blocks[number].offset;
    if (offset < 0) return mpii_fail(comm, MPI_ERR_IO, "the %s has a displacement of %lld bytes", which, offset);
    if (offset < last) return mpii_fail(comm, MPI_ERR_IO, "the %s's displacements decrease", which);
    if (written && offset < end) {
      return mpii_fail(comm, MPI_ERR_IO, "the %s overlaps itself, and the file is open for writing", which);
    }
    last = offset;
    end = offset + (MPI_Offset)datatype->blocks[number].bytes;
  }
  return MPI_SUCCESS;
}

static int check(mpii_comm_t* comm, const mpii_datatype_t* etype, const mpii_datatype_t* filetype, bool written) {
  if (etype->size == 0) return mpii_fail(comm, MPI_ERR_ARG, "the etype has no data");
  if (filetype->size % etype->size != 0) {
    return mpii_fail(comm, MPI_ERR_ARG, "the filetype shows %zu bytes, which are not whole etypes of %zu",
                     filetype->size, etype->size);
  }
  MPII_TRY(check_order(comm, etype, "etype", written));
  MPII_TRY(check_order(comm, filetype, "filetype", written));
  if (filetype->size != 0 && filetype->extent <= 0) {
    return mpii_fail(comm, MPI_ERR_ARG, "the filetype's extent is %ld; it must be 1 or more", (long)filetype->extent);
  }
  return MPI_SUCCESS;
}

/// What blocks and copies of the filetype are one behind the other.
static bool rises(const mpii_datatype_t* filetype) {
  MPI_Offset end = 0;
  for (uint32_t number = 0; number < filetype->block_count; ++number) {
    if (filetype->blocks[number].offset < end) return false;
    end = filetype->blocks[number].offset + (MPI_Offset)filetype->blocks[number].bytes;
  }
  return filetype->block_count == 0 || end <= filetype->extent + filetype->blocks[0].offset;
}

int mpii_view_make(mpii_comm_t* comm, MPI_Offset displacement, MPI_Datatype etype_handle, MPI_Datatype filetype_handle,
                   const char* datarep, bool written, mpii_view_t* view) {
  mpii_datatype_t *etype, *filetype;
  MPII_TRY(mpii_datatype(comm, etype_handle, &etype));
  MPII_TRY(mpii_datatype(comm, filetype_handle, &filetype));
  MPII_TRY(check(comm, etype, filetype, written));
  if (displacement < 0) {
    return mpii_fail(comm, MPI_ERR_ARG, "the displacement is %lld; it must be 0 or more", displacement);
  }
  MPII_TRY(mpii_datarep(comm, datarep, &view->datarep));
  view->displacement = displacement;
  view->etype = mpii_retain(etype);
  view->filetype = mpii_retain(filetype);
  view->rising = rises(filetype);
  view->before = mpii_allocate((filetype->block_count + 1) * sizeof *view->before);
  for (uint32_t number = 0; number < filetype->block_count; ++number) {
    view->before[number + 1] = view->before[number] + (MPI_Offset)filetype->blocks[number].bytes;
  }
  return MPI_SUCCESS;
}

void mpii_view_free(mpii_view_t* view) {
  mpii_datatype_release(view->etype);
  mpii_datatype_release(view->filetype);
  free(view->before);
}

/// The block of the filetype that shows its byte `position`.
static uint32_t block_of(const mpii_view_t* view, MPI_Offset position) {
  uint32_t low = 0, high = view->filetype->block_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (view->before[middle] <= position) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

MPI_Offset mpii_view_place(const mpii_view_t* view, MPI_Offset position) {
  const mpii_datatype_t* filetype = view->filetype;
  if (filetype->size == 0) return view->displacement;
  const MPI_Offset tiles = position / filetype->size, rest = position % filetype->size;
  const uint32_t number = block_of(view, rest);
  return view->displacement + tiles * filetype->extent + filetype->blocks[number].offset + rest - view->before[number];
}

MPI_Offset mpii_view_position(const mpii_view_t* view, MPI_Offset place) {
  const mpii_datatype_t* filetype = view->filetype;
  if (filetype->size == 0 || place <= view->displacement + filetype->blocks[0].offset) return 0;
  // Copies are counted from the first block on, so that each ends before the next begins.
  const MPI_Offset from = place - view->displacement - filetype->blocks[0].offset;
  const MPI_Offset tiles = from / filetype->extent, rest = from % filetype->extent + filetype->blocks[0].offset;
  uint32_t low = 0, high = filetype->block_count;  // the last block that begins before it
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (filetype->blocks[middle].offset <= rest) {
      low = middle;
    } else {
      high = middle;
    }
  }
  MPI_Offset within = rest - filetype->blocks[low].offset;
  if (within > (MPI_Offset)filetype->blocks[low].bytes) within = (MPI_Offset)filetype->blocks[low].bytes;
  return tiles * filetype->size + view->before[low] + within;
}

void mpii_cursor_begin(mpii_cursor_t* cursor, const mpii_view_t* view, MPI_Offset position, MPI_Offset bytes) {
  const mpii_datatype_t* filetype = view->filetype;
  *cursor = (mpii_cursor_t){.view = view, .tile = view->displacement};
  if (filetype->size == 0) return;
  const MPI_Offset rest = position % filetype->size;
  cursor->left = bytes;
  cursor->tile += position / filetype->size * filetype->extent;
  cursor->number = block_of(view, rest);
  cursor->within = (size_t)(rest - view->before[cursor->number]);
}

static void next_block(mpii_cursor_t* cursor) {
  const mpii_datatype_t* filetype = cursor->view->filetype;
  cursor->within = 0;
  cursor->number += 1;
  if (cursor->number < filetype->block_count) return;
  cursor->number = 0;
  cursor->tile += filetype->extent;
}

MPI_Offset mpii_cursor_next(mpii_cursor_t* cursor, MPI_Offset most, MPI_Offset* place) {
  const mpii_datatype_t* filetype = cursor->view->filetype;
  if (most > cursor->left) most = cursor->left;
  if (most <= 0) return 0;
  while (filetype->blocks[cursor->number].bytes == 0) next_block(cursor);
  const mpit_block_t* block = &filetype->blocks[cursor->number];
  *place = cursor->tile + block->offset + (MPI_Offset)cursor->within;
  if (filetype->dense) {  // one block, and copies follow each other
    const MPI_Offset behind = (MPI_Offset)cursor->within + most;
    cursor->tile += behind / filetype->size * filetype->extent;
    cursor->within = (size_t)(behind % filetype->size);
    cursor->left -= most;
    return most;
  }
  const MPI_Offset rest = (MPI_Offset)(block->bytes - cursor->within);
  const MPI_Offset bytes = rest < most ? rest : most;
  cursor->left -= bytes;
  cursor->within += (size_t)bytes;
  if (bytes == rest) next_block(cursor);
  return bytes;
}
