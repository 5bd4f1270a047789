// SPDX-License-Identifier: Apache-2.0
// Buffers for requests and messages on their way. They come from whole pages, because handlers may run in interrupts;
// what has been used once stays for the next use.
#include "firmware/armci/bottom.h"
#include "firmware/hot.h"

/// In front of every buffer. While it is free, `next` links it to other free ones.
typedef struct head {
  union {
    struct head* next;
    uint32_t size_class;
  };
} __attribute__((aligned(16))) head_t;

enum { SMALL, LARGE, CLASSES, SLAB_BYTES = 1 << 16 };
static const size_t kBytes[CLASSES] = {ARMCII_SMALL_BYTES, ARMCIB_PAYLOAD_MAX};
static head_t* free_buffers[CLASSES];

static void more(unsigned size_class) {
  const size_t each = sizeof(head_t) + kBytes[size_class];
  uint8_t* const slab = armcib_pages(SLAB_BYTES);
  if (slab == NULL) armcii_fail("there is no memory for buffers of %zu bytes", kBytes[size_class]);
  for (size_t at = 0; at + each <= SLAB_BYTES; at += each) {
    head_t* const head = (head_t*)(void*)(slab + at);
    head->next = free_buffers[size_class];
    free_buffers[size_class] = head;
  }
}

static void* take(unsigned size_class) {
  if (free_buffers[size_class] == NULL) more(size_class);
  head_t* const head = free_buffers[size_class];
  free_buffers[size_class] = head->next;
  head->size_class = size_class;
  return head + 1;
}

HOT_OF_SENDS void* armcii_buffer_for(size_t bytes) {
  return take(bytes <= ARMCII_SMALL_BYTES ? SMALL : LARGE);
}

void armcii_buffer_free(void* buffer) {
  head_t* const head = (head_t*)buffer - 1;
  const uint32_t size_class = head->size_class;
  head->next = free_buffers[size_class];
  free_buffers[size_class] = head;
}
