// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/transfer.h"

#include <string.h>

#include "firmware/armci/accumulate.h"
#include "firmware/hot.h"

enum { PULLS_MAX = 16 };  ///< gets by request that have not been answered
static uint32_t pulls;

bool armcii_goes_directly(uint32_t target, const armcii_region_t* region, size_t bytes, bool several) {
  if (several && bytes < armcii_pack_below) return false;
  // It would have to wait for earlier requests; as a request it follows them. But where nobody serves a target that is
  // outside ARMCI, it may wait for a flag in its memory, and only direct operations reach it.
  if (!armcii_served || bytes > ARMCIB_PAYLOAD_MAX || !armcii_region_pending(target, region, ARMCII_BY_REQUEST)) {
    return true;
  }
  ++armcii_statistics.follows;
  return false;
}

void armcii_put_piece(uint32_t target, const void* local, uintptr_t remote, size_t bytes,
                      armcii_completion_t* completion) {
  ++completion->pending;
  armcib_put(target, local, remote, bytes, armcii_piece_done, completion);
  ++armcii_target(target)->puts;
  ++armcii_statistics.puts;
}

void armcii_get_piece(uint32_t target, void* local, uintptr_t remote, size_t bytes, armcii_completion_t* completion) {
  ++completion->pending;
  ++armcii_statistics.gets;
  armcib_get(target, local, remote, bytes, armcii_piece_done, completion);
}

// ---------------------------------------------------------------------------------------------------------------
// Rows as requests that change the target's memory

/// A row that is larger than a request's payload, in pieces of whole elements of any type.
static void send_long_row(uint32_t target, armcii_patch_header_t* header, const uint8_t* local, uintptr_t remote,
                          size_t bytes, armcii_completion_t* completion) {
  header->levels = 0;
  header->first = 0;
  header->rows = 1;
  for (size_t done = 0; done < bytes; done += header->bytes) {
    header->bytes = (uint32_t)(bytes - done < ARMCIB_PAYLOAD_MAX ? bytes - done : ARMCIB_PAYLOAD_MAX);
    header->address = remote + done;
    ++completion->pending;
    armcii_send_change(target, header, offsetof(armcii_patch_header_t, level), local + done, header->bytes,
                       armcii_piece_done, completion);
  }
}

HOT_OF_ACCUMULATES __attribute__((noinline)) static void send_rows(uint32_t target, armcii_kind_t kind, int operation,
                                                                   const void* scale, const armcii_patch_t* patch,
                                                                   armcii_completion_t* completion) {
  armcii_patch_header_t header;
  const size_t header_bytes = armcii_patch_header(&header, kind, patch, 0, 0);
  header.operation = (uint16_t)operation;
  if (scale != NULL) memcpy(header.scale, scale, armcii_acc_element(operation));
  const uint32_t most = patch->bytes < ARMCIB_PAYLOAD_MAX ? ARMCIB_PAYLOAD_MAX / (uint32_t)patch->bytes : 1;
  for (uint32_t first = 0; first < patch->rows; first += header.rows) {
    header.first = first;
    header.rows = patch->rows - first < most ? patch->rows - first : most;
    if (header.rows > 1) {
      // Once packed, the source may be changed.
      const size_t bytes = header.rows * patch->bytes;
      void* const buffer = armcii_buffer_for(bytes);
      armcii_pack(patch, first, header.rows, buffer);
      armcii_send_change(target, &header, header_bytes, buffer, bytes, armcii_buffer_free, buffer);
      continue;
    }
    const armcii_walk_t walk = armcii_walk_from(patch, first);
    if (patch->bytes > ARMCIB_PAYLOAD_MAX) {
      armcii_patch_header_t piece = header;
      send_long_row(target, &piece, walk.local, walk.remote, patch->bytes, completion);
    } else {
      ++completion->pending;
      armcii_send_change(target, &header, header_bytes, walk.local, patch->bytes, armcii_piece_done, completion);
    }
  }
  armcii_region_written(target, armcii_region_of(target, patch), ARMCII_BY_REQUEST);
}

void armcii_handle_put_patch(const armcii_patch_header_t* header, const void* payload) {
  armcii_patch_t patch;
  armcii_patch_of(&patch, header);
  armcii_unpack(&patch, header->first, header->rows, payload);
}

void armcii_handle_acc_patch(const armcii_patch_header_t* header, const void* payload) {
  armcii_patch_t patch;
  armcii_patch_of(&patch, header);
  const uint8_t* from = payload;
  armcii_walk_t walk = armcii_walk_from(&patch, header->first);
  for (uint32_t row = 0; row < header->rows; ++row, from += patch.bytes) {
    armcii_accumulate(header->operation, header->scale, walk.local, from, patch.bytes);
    armcii_walk_next(&walk);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Rows that are asked for

void armcii_send_pull(uint32_t target, const void* header, size_t header_bytes, const void* payload, size_t bytes,
                      armcib_done_t done, void* context) {
  while (pulls == PULLS_MAX) armcib_advance();
  ++pulls;
  armcib_request(target, header, header_bytes, payload, bytes, done, context);
}

void armcii_send_data(uint32_t target, uint64_t cookie, const void* data, size_t bytes, armcib_done_t done,
                      void* context) {
  const armcii_word_t word = {.kind = ARMCII_DATA, .cookie = cookie};
  armcib_request(target, &word, sizeof word, data, bytes, done, context);
}

void armcii_handle_data(const armcii_word_t* word, const void* payload) {
  armcii_pull_t* const pull = (armcii_pull_t*)(uintptr_t)word->cookie;
  --pulls;
  pull->arrived(pull, payload);
  armcii_piece_done(pull->completion);
  armcii_buffer_free(pull);
}

typedef struct {
  armcii_pull_t pull;
  armcii_patch_t patch;
  uint32_t first, rows;
} patch_pull_t;
_Static_assert(sizeof(patch_pull_t) <= ARMCII_SMALL_BYTES, "in a small buffer");

static void rows_arrived(armcii_pull_t* pull, const void* data) {
  const patch_pull_t* const of = (const patch_pull_t*)(const void*)pull;
  armcii_unpack(&of->patch, of->first, of->rows, data);
}

HOT_OF_ACCUMULATES __attribute__((noinline)) static void ask_for_rows(uint32_t target, const armcii_patch_t* patch,
                                                                      armcii_completion_t* completion) {
  const uint32_t most = ARMCIB_PAYLOAD_MAX / (uint32_t)patch->bytes;
  armcii_patch_header_t header;
  const size_t header_bytes = armcii_patch_header(&header, ARMCII_GET_PATCH, patch, 0, 0);
  for (uint32_t first = 0; first < patch->rows; first += header.rows) {
    header.first = first;
    header.rows = patch->rows - first < most ? patch->rows - first : most;
    patch_pull_t* const of = armcii_buffer_for(sizeof *of);
    of->pull = (armcii_pull_t){.completion = completion, .arrived = rows_arrived};
    of->patch = *patch;
    of->first = first;
    of->rows = header.rows;
    header.cookie = (uintptr_t)of;
    ++completion->pending;
    armcii_send_pull(target, &header, header_bytes, NULL, 0, NULL, NULL);
  }
}

void armcii_handle_get_patch(uint32_t source, const armcii_patch_header_t* header) {
  armcii_patch_t patch;
  armcii_patch_of(&patch, header);
  if (header->rows == 1) {
    armcii_send_data(source, header->cookie, armcii_walk_from(&patch, header->first).local, patch.bytes, NULL, NULL);
    return;
  }
  const size_t bytes = header->rows * patch.bytes;
  void* const buffer = armcii_buffer_for(bytes);
  armcii_pack(&patch, header->first, header->rows, buffer);
  armcii_send_data(source, header->cookie, buffer, bytes, armcii_buffer_free, buffer);
}

// ---------------------------------------------------------------------------------------------------------------
// Patches

/// `order`: the region whose writes it must not overtake.
HOT_OF_PUTS static void put(uint32_t target, const armcii_patch_t* patch, const armcii_region_t* order,
                            armcii_completion_t* completion) {
  if (patch->rows == 0) return;
  armcii_walk_t walk = armcii_walk_from(patch, 0);
  if (target == armcii_self) {
    for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
      memmove((void*)walk.remote, walk.local, patch->bytes);
    }
  } else if (!armcii_goes_directly(target, order, patch->bytes, patch->rows > 1)) {
    send_rows(target, ARMCII_PUT_PATCH, 0, NULL, patch, completion);
  } else {
    armcii_order_put(target, order);
    for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
      armcii_put_piece(target, walk.local, walk.remote, patch->bytes, completion);
    }
    armcii_region_written(target, armcii_region_of(target, patch), ARMCII_BY_PUT);
  }
}

HOT_OF_PUTS ARMCII_REPLACEABLE void armcii_put_patch(uint32_t target, const armcii_patch_t* patch,
                                                     armcii_completion_t* completion) {
  put(target, patch, armcii_region_of(target, patch), completion);
}

HOT_OF_PUTS ARMCII_REPLACEABLE void armcii_put_last(uint32_t target, const armcii_patch_t* patch,
                                                    armcii_completion_t* completion) {
  put(target, patch, ARMCII_ANYWHERE, completion);
}

HOT_OF_GETS ARMCII_REPLACEABLE void armcii_get_patch(uint32_t target, const armcii_patch_t* patch,
                                                     armcii_completion_t* completion) {
  if (patch->rows == 0) return;
  armcii_walk_t walk = armcii_walk_from(patch, 0);
  const armcii_region_t* const region = armcii_region_of(target, patch);
  if (target == armcii_self) {
    for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
      memmove(walk.local, (const void*)walk.remote, patch->bytes);
    }
  } else if (!armcii_goes_directly(target, region, patch->bytes, patch->rows > 1)) {
    ask_for_rows(target, patch, completion);
  } else {
    armcii_order_get(target, region);
    for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
      armcii_get_piece(target, walk.local, walk.remote, patch->bytes, completion);
    }
  }
}

HOT_OF_ACCUMULATES ARMCII_REPLACEABLE void armcii_acc_patch(uint32_t target, int operation, const void* scale,
                                                            const armcii_patch_t* patch,
                                                            armcii_completion_t* completion) {
  if (patch->rows == 0) return;
  if (armcii_accumulates != ARMCII_BY_TARGET) {
    armcii_acc_here(target, operation, scale, patch);
    return;
  }
  if (target != armcii_self) {
    send_rows(target, ARMCII_ACC_PATCH, operation, scale, patch, completion);
    return;
  }
  armcii_walk_t walk = armcii_walk_from(patch, 0);
  for (uint32_t row = 0; row < patch->rows; ++row, armcii_walk_next(&walk)) {
    armcii_accumulate(operation, scale, (void*)walk.remote, walk.local, patch->bytes);
  }
}
