// SPDX-License-Identifier: Apache-2.0
// Strided puts and accumulates: small blocks are packed into messages that the target unpacks, large ones are sent each
// by itself.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/send.h"

static unsigned write_header(ospri_blocks_t* header, const ospri_side_t* target, const ospri_scaling_t* scaling,
                             unsigned first, unsigned blocks) {
  header->place = target->base;
  header->first = first;
  header->blocks = blocks;
  header->block = target->block;
  header->levels = (uint16_t)target->levels;
  header->type = 0;
  memset(header->scaling, 0, sizeof header->scaling);
  if (scaling) {
    header->type = (uint16_t)scaling->type;
    memcpy(header->scaling, scaling->value, sizeof header->scaling);
  }
  memcpy(header + 1, target->level, target->levels * sizeof *target->level);
  return (unsigned)(sizeof *header + target->levels * sizeof *target->level + 15) / 16 * 16;
}

/// With handoff, what has been copied into buffers is as good as sent.
static void send_packed(unsigned target, const ospri_strided_t* strided, const ospri_scaling_t* scaling,
                        ospri_handle_t* handle) {
  ospri_pool_t* const pool = scaling ? &ospri.accumulate_pool : &ospri.put_pool;
  ospri_handle_t* const waiting = ospri.settings.handoff ? NULL : handle;
  const unsigned all = ospri_block_count(&strided->source);
  for (unsigned first = 0; first < all;) {
    ospri_buffer_t* const buffer = ospri_take_buffer(pool);
    ospri_blocks_t* const header = (ospri_blocks_t*)(void*)buffer->data;
    const unsigned room = pool->bytes - OSPRI_MOST_PACKET_HEADER;
    const unsigned fit = room / strided->source.block;
    const unsigned blocks = all - first < fit ? all - first : fit;
    char* const data = buffer->data + write_header(header, &strided->target, scaling, first, blocks);
    const char* const end = ospri_pack(data, &strided->source, first, blocks);
    ospri_head_t head = {.kind = scaling ? OSPRI_ADD_BLOCKS : OSPRI_PUT_BLOCKS};
    ospri_count_send(target, &head);
    ospri_send_buffer(target, &head, 0, buffer, (size_t)(end - buffer->data), waiting);
    first += blocks;
  }
}

/// Each block by itself.
static void send_blocks(unsigned target, const ospri_strided_t* strided, const ospri_scaling_t* scaling,
                        ospri_handle_t* handle) {
  ospri_walk_t from, to;
  ospri_walk_begin(&from, &strided->source, 0);
  ospri_walk_begin(&to, &strided->target, 0);
  for (unsigned left = ospri_block_count(&strided->source); left != 0; --left) {
    if (scaling) {
      ospri_accumulate_now(target, from.at, to.at, strided->source.block, scaling, handle);
    } else {
      ospri_put_remote(target, from.at, to.at, strided->source.block, handle);
    }
    ospri_walk_next(&from);
    ospri_walk_next(&to);
  }
}

ospri_way_t ospri_way(ospri_task_kind_t kind, unsigned target, const ospri_strided_t* strided) {
  const ospri_settings_t* const settings = &ospri.settings;
  const bool here = ospri_bypasses(target);
  if (kind == OSPRI_TASK_ACCUMULATE) return here ? OSPRI_HERE : OSPRI_BY_MESSAGE;
  if (here && ospri_side_bytes(&strided->source) <= settings->bypass_strided) return OSPRI_HERE;
  const unsigned limit = kind == OSPRI_TASK_PUT ? settings->put.limit : settings->get.limit;
  return strided->source.levels != 0 && strided->source.block <= limit ? OSPRI_BY_MESSAGE : OSPRI_DIRECT;
}

void ospri_put_strided(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle) {
  if (ospri_side_bytes(&strided->source) == 0) return;
  const ospri_way_t way = ospri_way(OSPRI_TASK_PUT, target, strided);
  ospri_keep_order(target, handle, way);
  switch (way) {
    case OSPRI_HERE:
      ospri_copy_strided(strided);
      break;
    case OSPRI_BY_MESSAGE:
      send_packed(target, strided, NULL, handle);
      break;
    default:
      send_blocks(target, strided, NULL, handle);
  }
}

void ospri_accumulate_strided(unsigned target, const ospri_strided_t* strided, const ospri_scaling_t* scaling,
                              ospri_handle_t* handle) {
  if (ospri_side_bytes(&strided->source) == 0) return;
  const ospri_way_t way = ospri_way(OSPRI_TASK_ACCUMULATE, target, strided);
  ospri_keep_order(target, handle, way);
  if (way == OSPRI_BY_MESSAGE && strided->source.levels != 0 &&
      strided->source.block <= ospri.settings.accumulate.limit) {
    send_packed(target, strided, scaling, handle);
  } else {
    send_blocks(target, strided, scaling, handle);
  }
}
