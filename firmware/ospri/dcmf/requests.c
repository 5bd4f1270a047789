// SPDX-License-Identifier: Apache-2.0
// Requests of a library above OSPRI: messages that it handles itself, those of a process in the order in which they
// were sent, and behind the process's earlier puts and accumulates. One that arrives while a longer message of the
// process is on its way waits for it.
#include <string.h>

#include "firmware/ospri/dcmf/memory.h"
#include "firmware/ospri/dcmf/receive.h"

typedef struct ospri_late_request {
  struct ospri_late_request* next;
  unsigned source;
  uint32_t before;  ///< number of the first reception that it need not wait for
  size_t bytes;
  ospri_head_t head;
  char data[] __attribute__((aligned(16)));
} late_request_t;

void ospri_receive_request(unsigned source, uint32_t before, const ospri_head_t* head, const void* data, size_t bytes) {
  if (!ospri_receives_from(source, before)) {
    ospri.on_request(source, head->value, head->number, data, bytes);
    return;
  }
  late_request_t* const late = ospri_take_memory(sizeof *late + bytes);
  late->source = source;
  late->before = before;
  late->bytes = bytes;
  memcpy(&late->head, head, OSPRI_HEAD_BYTES + head->number);
  memcpy(late->data, data, bytes);
  late_request_t** link = &ospri.late_requests;
  // One that was long itself may have been overtaken by others, which wait for it.
  while (*link && (int32_t)((*link)->before - before) <= 0) link = &(*link)->next;
  late->next = *link;
  *link = late;
}

void ospri_go_on_with_requests(unsigned source) {
  for (late_request_t** link = &ospri.late_requests; *link;) {
    late_request_t* const late = *link;
    if (late->source != source) {
      link = &late->next;
      continue;
    }
    if (ospri_receives_from(source, late->before)) return;
    *link = late->next;
    ospri.on_request(source, late->head.value, late->head.number, late->data, late->bytes);
    ospri_give_memory(late);
  }
}
