// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgp/dcmf/held.h"

void dcmf_hold(dcmf_held_t** list, const dcmf_header_t* header, uint32_t source, const char* data,
               dcmf_reception_t* reception) {
  dcmf_held_t* held = dcmf_pool_take(&dcmf_instance->held_pool, sizeof *held);
  held->next = NULL;
  held->header = *header;
  held->source = source;
  held->reception = reception;
  if (data && header->bytes) memcpy(held->data, data, header->bytes);
  while (*list) list = &(*list)->next;
  *list = held;
}

void dcmf_held_give(dcmf_held_t* held) {
  dcmf_pool_give(&dcmf_instance->held_pool, held);
}
