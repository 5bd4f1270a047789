// SPDX-License-Identifier: Apache-2.0
// Strided gets: small blocks are asked for, and come back packed; large ones are fetched by the network.
#include <string.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/receive.h"
#include "firmware/ospri/dcmf/send.h"

/// One that packed blocks are awaited for.
typedef struct {
  ospri_side_t place;
  unsigned left;  ///< blocks
  ospri_handle_t* handle;
  ospri_fetch_request_t request;
} fetch_t;

/// What another process has asked for.
typedef struct ospri_reply {
  struct ospri_reply* next;
  unsigned asker;
  ospri_side_t source;
  void* fetch;
  unsigned blocks, sent;
} reply_t;

static void ask(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle) {
  fetch_t* const fetch = ospri_take_memory(sizeof *fetch);
  fetch->place = strided->target;
  fetch->left = ospri_block_count(&strided->source);
  fetch->handle = handle;
  handle->pending += 1;
  fetch->request.place = strided->source.base;
  fetch->request.fetch = fetch;
  fetch->request.block = strided->source.block;
  fetch->request.levels = strided->source.levels;
  memcpy(fetch->request.level, strided->source.level, sizeof fetch->request.level);
  const size_t bytes = offsetof(ospri_fetch_request_t, level) + strided->source.levels * sizeof *fetch->request.level;
  ospri_head_t head = {.kind = OSPRI_FETCH};
  ospri_send_steady(target, &head, &fetch->request, bytes);
}

static void get_blocks(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle) {
  ospri_walk_t from, to;
  ospri_walk_begin(&from, &strided->source, 0);
  ospri_walk_begin(&to, &strided->target, 0);
  for (unsigned left = ospri_block_count(&strided->source); left != 0; --left) {
    ospri_get_remote(target, from.at, to.at, strided->source.block, handle);
    ospri_walk_next(&from);
    ospri_walk_next(&to);
  }
}

void ospri_get_strided(unsigned target, const ospri_strided_t* strided, ospri_handle_t* handle) {
  if (ospri_side_bytes(&strided->source) == 0) return;
  const ospri_way_t way = ospri_way(OSPRI_TASK_GET, target, strided);
  // A get writes nothing that later puts could be in disorder with.
  ospri_keep_order(target, handle, way == OSPRI_HERE ? OSPRI_HERE : OSPRI_BY_MESSAGE);
  switch (way) {
    case OSPRI_HERE:
      ospri_copy_strided(strided);
      break;
    case OSPRI_BY_MESSAGE:
      ask(target, strided, handle);
      break;
    default:
      get_blocks(target, strided, handle);
  }
}

/// Sends what there are buffers for. Returns whether that was all.
static bool send_reply(reply_t* reply) {
  const unsigned fit = (ospri.get_pool.bytes - sizeof(ospri_fetched_t)) / reply->source.block;
  while (reply->sent < reply->blocks) {
    ospri_buffer_t* const buffer = ospri_try_buffer(&ospri.get_pool);
    if (!buffer) return false;
    const unsigned left = reply->blocks - reply->sent;
    const unsigned blocks = left < fit ? left : fit;
    ospri_fetched_t* const header = (ospri_fetched_t*)(void*)buffer->data;
    *header = (ospri_fetched_t){reply->fetch, reply->sent, blocks};
    const char* const end = ospri_pack((char*)(header + 1), &reply->source, reply->sent, blocks);
    reply->sent += blocks;
    ospri_head_t head = {.kind = OSPRI_FETCHED_BLOCKS};
    ospri_send_buffer(reply->asker, &head, 0, buffer, (size_t)(end - buffer->data), NULL);
  }
  return true;
}

void ospri_go_on_replying(void) {
  while (ospri.replies && send_reply(ospri.replies)) {
    reply_t* const done = ospri.replies;
    ospri.replies = done->next;
    if (!ospri.replies) ospri.last_reply = NULL;
    ospri_give_memory(done);
  }
}

void ospri_receive_fetch(unsigned asker, const void* data) {
  const ospri_fetch_request_t* const request = data;
  reply_t* const reply = ospri_take_memory(sizeof *reply);
  reply->next = NULL;
  reply->sent = 0;
  reply->asker = asker;
  reply->source.base = request->place;
  reply->source.block = request->block;
  reply->source.levels = request->levels;
  memcpy(reply->source.level, request->level, request->levels * sizeof *request->level);
  reply->fetch = request->fetch;
  reply->blocks = ospri_block_count(&reply->source);
  if (ospri.last_reply) {
    ospri.last_reply->next = reply;
  } else {
    ospri.replies = reply;
  }
  ospri.last_reply = reply;
  if (ospri.replies == reply) ospri_go_on_replying();
}

void ospri_receive_fetched(const void* data) {
  const ospri_fetched_t* const header = data;
  fetch_t* const fetch = header->fetch;
  ospri_unpack(&fetch->place, header->first, header->blocks, (const char*)(header + 1));
  fetch->left -= header->blocks;
  if (fetch->left != 0) return;
  ospri_handle_t* const handle = fetch->handle;
  ospri_give_memory(fetch);
  ospri_piece_done(handle);
}
