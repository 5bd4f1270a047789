// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgq/pami/types/walk.h"

#include <string.h>

#include "firmware/bgq/pami/types/operations.h"

// The run that byte `offset` of an element's data lies in.
static uint64_t run_of(const pami_layout_t* layout, uint64_t offset) {
  uint64_t low = 0, high = layout->header.runs;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (layout->run[middle].before <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void pami_walk_start(pami_walk_t* walk, pami_type_t type, size_t offset) {
  const pami_layout_t* layout = type;
  *walk = (pami_walk_t){.layout = layout};
  if (layout->header.size == 0) return;
  walk->element = (int64_t)(offset / layout->header.size) * layout->header.extent;
  const uint64_t rest = offset % layout->header.size;
  walk->run = run_of(layout, rest);
  const pami_run_t* run = &layout->run[walk->run];
  walk->block = (rest - run->before) / run->bytes;
  walk->into = (rest - run->before) % run->bytes;
}

size_t pami_walk_next(pami_walk_t* walk, size_t most, ptrdiff_t* displacement) {
  const pami_layout_t* layout = walk->layout;
  if (layout->header.size == 0) return 0;
  const pami_run_t* run = &layout->run[walk->run];
  *displacement = walk->element + run->displacement + (int64_t)walk->block * run->stride + (int64_t)walk->into;
  // Elements without gaps are one piece, however many there are.
  if (layout->header.contiguous) {
    walk->element += (int64_t)most;
    return most;
  }
  const size_t piece = run->bytes - walk->into < most ? run->bytes - walk->into : most;
  walk->into += piece;
  if (walk->into < run->bytes) return piece;
  walk->into = 0;
  if (++walk->block < run->count) return piece;
  walk->block = 0;
  if (++walk->run < layout->header.runs) return piece;
  walk->run = 0;
  walk->element += layout->header.extent;
  return piece;
}

void pami_type_pack(void* to, const void* base, pami_type_t type, size_t offset, size_t bytes) {
  if (bytes == 0) return;
  if (pami_type_contiguous(type)) {
    memcpy(to, (const char*)base + offset, bytes);
    return;
  }
  pami_walk_t walk;
  pami_walk_start(&walk, type, offset);
  for (size_t done = 0, piece; done < bytes; done += piece) {
    ptrdiff_t displacement;
    piece = pami_walk_next(&walk, bytes - done, &displacement);
    if (piece == 0) return;
    memcpy((char*)to + done, (const char*)base + displacement, piece);
  }
}

void pami_type_unpack(void* base, pami_type_t type, size_t offset, const void* from, size_t bytes) {
  if (bytes == 0) return;
  if (pami_type_contiguous(type)) {
    memcpy((char*)base + offset, from, bytes);
    return;
  }
  pami_walk_t walk;
  pami_walk_start(&walk, type, offset);
  for (size_t done = 0, piece; done < bytes; done += piece) {
    ptrdiff_t displacement;
    piece = pami_walk_next(&walk, bytes - done, &displacement);
    if (piece == 0) return;
    memcpy((char*)base + displacement, (const char*)from + done, piece);
  }
}

// What a function is given must be whole elements, or whole atoms for a program's own function.
static pami_result_t check(pami_type_t type, size_t offset, size_t bytes, pami_data_function function) {
  if (!pami_can_combine(function, type)) return PAMI_INVAL;
  const pami_operation_t operation = pami_operation(function);
  if (operation == PAMI_OPERATION_COPY || operation == PAMI_OPERATION_NOOP) return PAMI_SUCCESS;
  const size_t grain = operation == PAMI_OPERATION_COUNT ? ((const pami_layout_t*)type)->header.atom
                                                         : pami_element_bytes(pami_type_element(type));
  return offset % grain || bytes % grain ? PAMI_INVAL : PAMI_SUCCESS;
}

pami_result_t pami_type_consume(void* base, pami_type_t type, size_t offset, const void* from, size_t bytes,
                                pami_data_function function, void* cookie) {
  const pami_result_t result = check(type, offset, bytes, function);
  if (result != PAMI_SUCCESS || bytes == 0) return result;
  pami_walk_t walk;
  pami_walk_start(&walk, type, offset);
  for (size_t done = 0, piece; done < bytes; done += piece) {
    ptrdiff_t displacement;
    piece = pami_walk_next(&walk, bytes - done, &displacement);
    if (piece == 0) break;
    pami_combine((char*)base + displacement, (const char*)from + done, piece, type, function, cookie);
  }
  return PAMI_SUCCESS;
}

pami_result_t pami_type_produce(void* to, const void* base, pami_type_t type, size_t offset, size_t bytes,
                                pami_data_function function, void* cookie) {
  const pami_result_t result = check(type, offset, bytes, function);
  if (result != PAMI_SUCCESS || bytes == 0) return result;
  pami_walk_t walk;
  pami_walk_start(&walk, type, offset);
  for (size_t done = 0, piece; done < bytes; done += piece) {
    ptrdiff_t displacement;
    piece = pami_walk_next(&walk, bytes - done, &displacement);
    if (piece == 0) break;
    pami_combine((char*)to + done, (const char*)base + displacement, piece, type, function, cookie);
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Type_transform_data(void* src_addr, pami_type_t src_type, size_t src_offset, void* dst_addr,
                                       pami_type_t dst_type, size_t dst_offset, size_t size, pami_data_function data_fn,
                                       void* cookie) {
  if (pami_layout(src_type) == NULL || pami_layout(dst_type) == NULL) return PAMI_INVAL;
  if (size && (pami_type_size(src_type) == 0 || pami_type_size(dst_type) == 0)) return PAMI_INVAL;
  if (pami_type_contiguous(src_type)) {
    return pami_type_consume(dst_addr, dst_type, dst_offset, (const char*)src_addr + src_offset, size, data_fn, cookie);
  }
  // Both scattered, or only the source: pieces of the source, each spread over the destination.
  const pami_type_t of = dst_type;
  const pami_result_t result = check(of, dst_offset, size, data_fn);
  if (result != PAMI_SUCCESS) return result;
  pami_walk_t from;
  pami_walk_start(&from, src_type, src_offset);
  for (size_t done = 0, piece; done < size; done += piece) {
    ptrdiff_t displacement;
    piece = pami_walk_next(&from, size - done, &displacement);
    const pami_result_t one = pami_type_consume(dst_addr, dst_type, dst_offset + done,
                                                (const char*)src_addr + displacement, piece, data_fn, cookie);
    if (one != PAMI_SUCCESS) return one;
  }
  return PAMI_SUCCESS;
}
