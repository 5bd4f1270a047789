// SPDX-License-Identifier: Apache-2.0
#include "firmware/armci/lists.h"

#include <string.h>

#include "firmware/armci/accumulate.h"
#include "firmware/armci/transfer.h"

/// What precedes the data of `count` segments: their addresses.
static size_t addresses_bytes(uint32_t count) {
  return (count * sizeof(void*) + 15) & ~(size_t)15;
}

/// How many segments fit one request with their data, and the answer to one; 0: none.
static uint32_t most_segments(size_t bytes) {
  const size_t most = (ARMCIB_PAYLOAD_MAX - 16) / (bytes + sizeof(void*));
  return (uint32_t)most;
}

static void line_of(armcii_patch_t* line, const armcii_list_t* list, uint32_t i) {
  armcii_patch_line(line, list->local[i], list->remote[i], list->bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Requests that change the target's memory

static void send_segments(uint32_t target, armcii_kind_t kind, int operation, const void* scale,
                          const armcii_list_t* list) {
  armcii_list_header_t header = {
      .kind = (uint8_t)kind, .operation = (uint16_t)operation, .bytes = (uint32_t)list->bytes};
  if (scale != NULL) memcpy(header.scale, scale, armcii_acc_element(operation));
  const uint32_t most = most_segments(list->bytes);
  for (uint32_t first = 0; first < list->count; first += header.count) {
    header.count = list->count - first < most ? list->count - first : most;
    const size_t before = addresses_bytes(header.count);
    uint8_t* const buffer = armcii_buffer_for(before + header.count * list->bytes);
    memcpy(buffer, list->remote + first, header.count * sizeof(void*));
    for (uint32_t i = 0; i < header.count; ++i) {
      memcpy(buffer + before + i * list->bytes, list->local[first + i], list->bytes);
    }
    armcii_send_change(target, &header, sizeof header, buffer, before + header.count * list->bytes, armcii_buffer_free,
                       buffer);
  }
  // Looked up behind the sends, during which another thread may have freed memory.
  armcii_region_t* const region = armcii_region_of_list(target, list->remote, list->count, list->bytes);
  armcii_region_written(target, region, ARMCII_BY_REQUEST);
}

void armcii_handle_put_list(const armcii_list_header_t* header, const void* payload) {
  void* const* const addresses = payload;
  const uint8_t* const data = (const uint8_t*)payload + addresses_bytes(header->count);
  for (uint32_t i = 0; i < header->count; ++i) {
    memcpy(addresses[i], data + (size_t)i * header->bytes, header->bytes);
  }
}

void armcii_handle_acc_list(const armcii_list_header_t* header, const void* payload) {
  void* const* const addresses = payload;
  const uint8_t* const data = (const uint8_t*)payload + addresses_bytes(header->count);
  for (uint32_t i = 0; i < header->count; ++i) {
    armcii_accumulate(header->operation, header->scale, addresses[i], data + (size_t)i * header->bytes, header->bytes);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Segments that are asked for

typedef struct {
  armcii_pull_t pull;
  uint32_t count, bytes;
  void* local[];
} list_pull_t;

static void segments_arrived(armcii_pull_t* pull, const void* data) {
  const list_pull_t* const of = (const list_pull_t*)(const void*)pull;
  for (uint32_t i = 0; i < of->count; ++i) {
    memcpy(of->local[i], (const uint8_t*)data + (size_t)i * of->bytes, of->bytes);
  }
}

static void ask_for_segments(uint32_t target, const armcii_list_t* list, armcii_completion_t* completion) {
  const uint32_t most_data = most_segments(list->bytes);
  const uint32_t most_places = (ARMCIB_PAYLOAD_MAX - sizeof(list_pull_t)) / sizeof(void*);
  const uint32_t most = most_data < most_places ? most_data : most_places;
  armcii_list_header_t header = {.kind = ARMCII_GET_LIST, .bytes = (uint32_t)list->bytes};
  for (uint32_t first = 0; first < list->count; first += header.count) {
    header.count = list->count - first < most ? list->count - first : most;
    const size_t bytes = header.count * sizeof(void*);
    list_pull_t* const of = armcii_buffer_for(sizeof *of + bytes);
    of->pull = (armcii_pull_t){.completion = completion, .arrived = segments_arrived};
    of->count = header.count;
    of->bytes = header.bytes;
    memcpy(of->local, list->local + first, bytes);
    header.cookie = (uintptr_t)of;
    void* const addresses = armcii_buffer_for(bytes);
    memcpy(addresses, list->remote + first, bytes);
    ++completion->pending;
    armcii_send_pull(target, &header, sizeof header, addresses, bytes, armcii_buffer_free, addresses);
  }
}

void armcii_handle_get_list(uint32_t source, const armcii_list_header_t* header, const void* payload) {
  void* const* const addresses = payload;
  uint8_t* const buffer = armcii_buffer_for((size_t)header->count * header->bytes);
  for (uint32_t i = 0; i < header->count; ++i) {
    memcpy(buffer + (size_t)i * header->bytes, addresses[i], header->bytes);
  }
  armcii_send_data(source, header->cookie, buffer, (size_t)header->count * header->bytes, armcii_buffer_free, buffer);
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

/// As requests of one or several segments each; otherwise they go one by one.
static bool goes_in_requests(uint32_t target, const armcii_list_t* list) {
  return target != armcii_self && most_segments(list->bytes) != 0 &&
         !armcii_goes_directly(target, armcii_region_of_list(target, list->remote, list->count, list->bytes),
                               list->bytes, list->count > 1);
}

void armcii_put_list(uint32_t target, const armcii_list_t* list, armcii_completion_t* completion) {
  if (list->bytes == 0) return;
  if (goes_in_requests(target, list)) {
    send_segments(target, ARMCII_PUT_LIST, 0, NULL, list);
    return;
  }
  armcii_patch_t line;
  for (uint32_t i = 0; i < list->count; ++i) {
    line_of(&line, list, i);
    armcii_put_patch(target, &line, completion);
  }
}

void armcii_get_list(uint32_t target, const armcii_list_t* list, armcii_completion_t* completion) {
  if (list->bytes == 0) return;
  if (goes_in_requests(target, list)) {
    ask_for_segments(target, list, completion);
    return;
  }
  armcii_patch_t line;
  for (uint32_t i = 0; i < list->count; ++i) {
    line_of(&line, list, i);
    armcii_get_patch(target, &line, completion);
  }
}

void armcii_acc_list(uint32_t target, int operation, const void* scale, const armcii_list_t* list,
                     armcii_completion_t* completion) {
  if (list->bytes == 0) return;
  if (armcii_accumulates == ARMCII_BY_TARGET && target != armcii_self && most_segments(list->bytes) > 1) {
    send_segments(target, ARMCII_ACC_LIST, operation, scale, list);
    return;
  }
  armcii_patch_t line;
  for (uint32_t i = 0; i < list->count; ++i) {
    line_of(&line, list, i);
    armcii_acc_patch(target, operation, scale, &line, completion);
  }
}
