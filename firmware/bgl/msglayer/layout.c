// SPDX-License-Identifier: Apache-2.0
// Layouts, and the places of a message's bytes in them.
#include "firmware/bgl/msglayer/protocol.h"

static uint32_t checked(uint64_t bytes) {
  if (bytes > BGLML_EAGER_MAX) {
    bglml_fatal("a layout of %llu bytes; at most %u can be sent", (unsigned long long)bytes, BGLML_EAGER_MAX);
  }
  return (uint32_t)bytes;
}

bglml_layout_t bglml_layout_contiguous(uint32_t bytes) {
  return bglml_layout_vector(1, bytes, 0);
}

bglml_layout_t bglml_layout_vector(uint32_t count, uint32_t block, int32_t stride) {
  return (bglml_layout_t){checked((uint64_t)count * block), count, block, stride, NULL};
}

bglml_layout_t bglml_layout_indexed(const bglml_block_t* blocks, uint32_t count) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) bytes += blocks[i].bytes;
  const uint32_t mean = count != 0 ? checked(bytes) / count : 0;
  return (bglml_layout_t){checked(bytes), count, mean, 0, blocks};
}

/// What lies in one piece is a view without a layout: it takes the short way.
void bglml_view_init_layout(bglml_view_t* view, const void* buffer, const bglml_layout_t* layout) {
  bglml_view_init(view, buffer);
  view->bytes = layout->bytes;
  if (layout->bytes == 0) return;
  const bglml_block_t* blocks = layout->blocks;
  if (blocks == NULL && (layout->count == 1 || layout->stride == (int64_t)layout->block)) return;
  if (blocks != NULL && layout->count == 1) {
    view->buffer += blocks[0].offset;
    return;
  }
  view->layout = layout;
  view->block = view->start = 0;
}

static bglml_run_t vector_run(bglml_view_t* view, const bglml_layout_t* layout, uint32_t offset) {
  const uint32_t block = layout->block;
  uint32_t within = offset - view->start;
  if (within >= block) {  // in another block, mostly the next; before this one `within` is huge
    if (within - block < block) {
      view->block += 1;
      view->start += block;
    } else {
      view->block = offset / block;
      view->start = view->block * block;
    }
    within = offset - view->start;
  }
  return (bglml_run_t){view->buffer + (ptrdiff_t)view->block * layout->stride + within, block - within};
}

static bglml_run_t indexed_run(bglml_view_t* view, const bglml_layout_t* layout, uint32_t offset) {
  const bglml_block_t* blocks = layout->blocks;
  uint32_t block = view->block;
  uint32_t start = view->start;
  if (offset < start / 2) block = start = 0;  // nearer to the beginning
  while (offset < start) start -= blocks[--block].bytes;
  while (offset - start >= blocks[block].bytes) start += blocks[block++].bytes;
  view->block = block;
  view->start = start;
  const uint32_t within = offset - start;
  return (bglml_run_t){view->buffer + blocks[block].offset + within, blocks[block].bytes - within};
}

bglml_run_t bglml_view_run(bglml_view_t* view, uint32_t offset) {
  const bglml_layout_t* layout = view->layout;
  return layout->blocks == NULL ? vector_run(view, layout, offset) : indexed_run(view, layout, offset);
}
