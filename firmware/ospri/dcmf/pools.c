// SPDX-License-Identifier: Apache-2.0
#include "firmware/ospri/dcmf/pools.h"

#include <stdlib.h>

#include "firmware/ospri/dcmf/device.h"
#include "firmware/ospri/dcmf/fatal.h"
#include "firmware/ospri/dcmf/receive.h"

static void* make_requests(unsigned count) {
  ospri_request_t* const requests = ospri_allocate(count * sizeof *requests);
  for (unsigned i = 0; i < count; ++i) ospri_give_request(&requests[i]);
  return requests;
}

static void* make_pool(ospri_pool_t* pool, const ospri_packing_t* packing) {
  pool->bytes = packing->packet;
  const size_t room = (packing->packet + 15u) / 16u * 16u;
  char* const memory = ospri_allocate(packing->buffers * (sizeof(ospri_buffer_t) + room));
  ospri_buffer_t* const buffers = (ospri_buffer_t*)memory;
  char* data = memory + packing->buffers * sizeof(ospri_buffer_t);
  for (unsigned i = 0; i < packing->buffers; ++i, data += room) {
    buffers[i].pool = pool;
    buffers[i].data = data;
    buffers[i].next = pool->free;
    pool->free = &buffers[i];
  }
  return memory;
}

void ospri_make_pools(void) {
  const ospri_settings_t* const settings = &ospri.settings;
  ospri.memory[0] = make_requests(settings->requests);
  ospri.memory[1] = make_pool(&ospri.put_pool, &settings->put);
  ospri.memory[2] = make_pool(&ospri.get_pool, &settings->get);
  ospri.memory[3] = make_pool(&ospri.accumulate_pool, &settings->accumulate);
  ospri.memory[4] = ospri_make_confirmations();
}

void ospri_free_pools(void) {
  for (unsigned i = 0; i < sizeof ospri.memory / sizeof *ospri.memory; ++i) free(ospri.memory[i]);
}

ospri_request_t* ospri_take_request(ospri_handle_t* handle) {
  while (!ospri.free_requests) ospri_progress();
  ospri_request_t* const request = ospri.free_requests;
  ospri.free_requests = request->next;
  request->handle = handle;
  handle->pending += 1;
  return request;
}

void ospri_give_request(ospri_request_t* request) {
  request->next = ospri.free_requests;
  ospri.free_requests = request;
}

static void request_done(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  ospri_request_t* const request = clientdata;
  ospri_handle_t* const handle = request->handle;
  ospri_give_request(request);
  ospri_piece_done(handle);
}

DCMF_Callback_t ospri_request_done(ospri_request_t* request) {
  return (DCMF_Callback_t){request_done, request};
}

ospri_buffer_t* ospri_try_buffer(ospri_pool_t* pool) {
  ospri_buffer_t* const buffer = pool->free;
  if (buffer) {
    pool->free = buffer->next;
    buffer->handle = NULL;
  }
  return buffer;
}

ospri_buffer_t* ospri_take_buffer(ospri_pool_t* pool) {
  while (!pool->free) ospri_progress();
  return ospri_try_buffer(pool);
}

static void buffer_sent(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  ospri_buffer_t* const buffer = clientdata;
  if (buffer->handle) ospri_piece_done(buffer->handle);
  buffer->next = buffer->pool->free;
  buffer->pool->free = buffer;
  if (buffer->pool == &ospri.get_pool) ospri_go_on_replying();
}

DCMF_Callback_t ospri_buffer_sent(ospri_buffer_t* buffer) {
  return (DCMF_Callback_t){buffer_sent, buffer};
}
