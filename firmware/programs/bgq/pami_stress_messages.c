/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of all kinds. */
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_stress.h"

static uint64_t differing(const uint8_t* at, uint64_t from, uint64_t bytes) {
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < bytes; ++i) wrong += at[i] != contents_byte(from, i);
  return wrong;
}
typedef struct message_header {
  uint64_t seed;
  uint64_t bytes;
  uint64_t header_bytes;
  uint32_t number;
  uint32_t lane; /* of the sender */
} message_header_t;

typedef struct incoming {
  work_t* work;
  message_header_t header;
  pami_endpoint_t origin;
  uint8_t* buffer;
  uint64_t shift;
  layout_t layout;
  pami_type_t type;
} incoming_t;

typedef struct verdict {
  uint64_t wrong;
  uint32_t lane;
} verdict_t;

void tell(work_t* work, pami_endpoint_t to, uint32_t lane, uint64_t wrong) {
  verdict_t verdict = {.wrong = wrong, .lane = lane};
  pami_send_immediate_t send = {
      .header = {.iov_base = &verdict, .iov_len = sizeof verdict}, .dispatch = kVerdict, .dest = to};
  must(work, PAMI_Send_immediate(work->context, &send), "PAMI_Send_immediate");
}

static void received(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  incoming_t* in = cookie;
  const uint64_t wrong =
      contents_wrong(in->buffer + kGuard + in->shift, &in->layout, in->header.seed, &in_one_piece, in->header.bytes);
  tell(in->work, in->origin, in->header.lane, wrong);
  layout_destroy(in->type);
  free(in->buffer);
  free(in);
}

void message_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                     size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context;
  work_t* work = cookie;
  message_header_t head;
  memcpy(&head, header, sizeof head);
  complain(work, "header", (uint64_t)(head.header_bytes != header_bytes || head.bytes != bytes), header_bytes);
  complain(work, "header", differing((const uint8_t*)header + sizeof head, head.seed + 1, header_bytes - sizeof head),
           header_bytes);
  uint32_t* next = &work->next_number[origin & 0x7FFFFF];
  complain(work, "order", *next != head.number, bytes);
  *next = head.number + 1;
  if (pipe != NULL) {
    tell(work, origin, head.lane, differing(pipe, head.seed, bytes));
    return;
  }
  incoming_t* in = malloc(sizeof *in);
  *in = (incoming_t){
      .work = work, .header = head, .origin = origin, .shift = head.seed % 64, .layout = layout_draw(head.seed, bytes)};
  in->type = layout_type(&in->layout);
  in->buffer = malloc(2 * bytes + 2 * kGuard + 64);
  contents_clear(in->buffer + kGuard + in->shift, &in->layout, bytes);
  /* A type's offset counts data, not memory. */
  const bool plain = in->type == PAMI_TYPE_BYTE;
  *recv = (pami_recv_t){.cookie = in,
                        .local_fn = received,
                        .addr = in->buffer + kGuard + (plain ? 0 : in->shift),
                        .type = in->type,
                        .offset = plain ? in->shift : 0,
                        .data_fn = PAMI_DATA_COPY};
}

void less(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)result;
  --((lane_t*)cookie)->busy;
}

void send_message(work_t* work, lane_t* lane) {
  const unsigned kind = (unsigned)(draw(work) % 6);
  const bool immediate = kind == 4;
  uint64_t header_bytes = sizeof(message_header_t) + draw(work) % 60;
  if (draw(work) % 16 == 0) header_bytes += draw(work) % 3000;
  if (immediate) header_bytes = sizeof(message_header_t) + draw(work) % 16;
  if (immediate) lane->bytes = draw(work) % (128 - header_bytes + 1);
  message_header_t head = {.seed = lane->seed,
                           .bytes = lane->bytes,
                           .header_bytes = header_bytes,
                           .number = work->sent_number++,
                           .lane = (uint32_t)(lane - work->lane)};
  memcpy(lane->header, &head, sizeof head);
  contents_fill(lane->header + sizeof head, &in_one_piece, lane->seed + 1, header_bytes - sizeof head);
  uint8_t* data = lane->local + kGuard + draw(work) % 64;
  lane->here = kind == 5 ? layout_draw(draw(work), lane->bytes) : in_one_piece;
  contents_fill(data, &lane->here, lane->seed, lane->bytes);
  pami_send_t send = {.send = {.header = {.iov_base = lane->header, .iov_len = header_bytes},
                               .data = {.iov_base = data, .iov_len = lane->bytes},
                               .dispatch = kPlain + kind % 4,
                               .dest = work->to},
                      .events = {.cookie = lane, .local_fn = less}};
  lane->busy = 1; /* the verdict */
  if (immediate) {
    must(work, PAMI_Send_immediate(work->context, &send.send), "PAMI_Send_immediate");
    memset(data, 0, lane->bytes);
    return;
  }
  ++lane->busy;
  if (draw(work) % 2) {
    ++lane->busy;
    send.events.remote_fn = less;
  }
  if (kind != 5) {
    must(work, PAMI_Send(work->context, &send), "PAMI_Send");
    return;
  }
  lane->types.local = layout_type(&lane->here);
  pami_send_typed_t typed = {
      .send = send.send, .events = send.events, .typed = {.type = lane->types.local, .data_fn = PAMI_DATA_COPY}};
  must(work, PAMI_Send_typed(work->context, &typed), "PAMI_Send_typed");
}

void verdict_arrives(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* pipe,
                     size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)header_bytes, (void)pipe, (void)bytes, (void)origin, (void)recv;
  work_t* work = cookie;
  const verdict_t* verdict = header;
  lane_t* lane = &work->lane[verdict->lane];
  complain(work, "message or put", verdict->wrong, lane->bytes);
  --lane->busy;
}
