/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective operations that their root alone starts: active messages to all members, whose dispatch functions say
 * where data go or lie. A broadcast goes down a binomial tree; the others exchange messages with the root.
 *
 * The program's headers travel in front of the data. The root's own dispatch function is called too, except for a
 * broadcast, which ends with the operation's cb_done; the others end at the root with the local_fn that its own
 * dispatch function has set, as the machine's PAMI has it.
 */
#include <string.h>

#include "firmware/bgq/pami/collective/methods.h"
#include "firmware/bgq/pami/types/layout.h"
#include "firmware/bgq/pami/types/operations.h"
#include "firmware/bgq/pami/types/walk.h"

enum { kRequest = PAMI_DISPATCH_COLLECTIVE + 1, kAnswer = PAMI_DISPATCH_COLLECTIVE + 2 };

typedef struct pami_active_dispatch {
  struct pami_active_dispatch* next;
  pami_geometry_impl_t* geometry;
  pami_xfer_type_t type;
  size_t dispatch;
  pami_dispatch_callback_function fn;
  void* cookie;
} active_dispatch_t;

typedef struct {
  uint32_t geometry;
  uint32_t type; /* pami_xfer_type_t */
  uint32_t root; /* ranks */
  uint32_t from;
  uint64_t dispatch;
  uint64_t header_bytes; /* of the program's header */
  uint64_t bytes;        /* of data that a member receives or is to send */
  uint64_t gathering;    /* gathering_t of the root, which an answer returns */
} active_header_t;

/* A message with what it needs until it has been sent; several sends may share one. */
typedef struct {
  unsigned users;
  pami_event_function done; /* NULL: nobody asks */
  void* cookie;
  active_header_t header;
  size_t bytes;
  char data[]; /* the program's header, then data */
} parcel_t;

/* What a root gathers from all members. */
typedef struct {
  pami_geometry_impl_t* geometry;
  pami_recv_t own; /* as the root's dispatch function has filled it */
  pami_data_function op;
  void* op_cookie;
  bool reduces;
  uint32_t left;
  size_t bytes; /* of each */
  char* rcvbuf;
  pami_type_t rtype;
  size_t count;
  char* parts; /* contributions to a reduction, by rank */
} gathering_t;

static parcel_t* parcel(pami_geometry_impl_t* geometry, pami_xfer_type_t type, uint32_t root, size_t dispatch,
                        const void* header, size_t header_bytes, size_t data_bytes) {
  parcel_t* made = malloc(sizeof *made + header_bytes + data_bytes);
  if (made == NULL) return NULL;
  *made = (parcel_t){.users = 1,
                     .header = {.geometry = geometry->id,
                                .type = type,
                                .root = root,
                                .from = root,
                                .dispatch = dispatch,
                                .header_bytes = header_bytes,
                                .bytes = data_bytes},
                     .bytes = header_bytes + data_bytes};
  if (header_bytes) memcpy(made->data, header, header_bytes);
  return made;
}

static void let_go(pami_context_t context, void* cookie, pami_result_t result) {
  parcel_t* used = cookie;
  if (--used->users) return;
  if (used->done) used->done(context, used->cookie, result);
  free(used);
}

static void send(pami_context_impl_t* context, pami_geometry_impl_t* geometry, uint32_t rank, unsigned dispatch,
                 parcel_t* sent) {
  ++sent->users;
  pami_internal_send(context, pami_member(geometry, rank, context->offset), dispatch, &sent->header,
                     sizeof sent->header, sent->data, sent->bytes, let_go, NULL, sent);
}

static const active_dispatch_t* dispatch_of(pami_context_impl_t* context, const active_header_t* header) {
  const pami_collectives_t* collectives = context->collectives;
  const active_dispatch_t* at = collectives->dispatches;
  for (; at; at = at->next) {
    if (at->dispatch == header->dispatch && at->type == (pami_xfer_type_t)header->type &&
        at->geometry->id == header->geometry) {
      return at;
    }
  }
  pami_fatal("an active-message collective of geometry %u comes for dispatch %zu, which is not set", header->geometry,
             (size_t)header->dispatch);
}

/* Members ------------------------------------------------------------------------------------------------------------
 */

/* Data that have come for this member: its dispatch function says where they go. */
static void deliver(pami_context_impl_t* context, const active_header_t* header, const char* data) {
  const active_dispatch_t* to = dispatch_of(context, header);
  const pami_endpoint_t origin = pami_member(to->geometry, header->root, context->offset);
  pami_recv_t recv = {.type = PAMI_TYPE_BYTE, .data_fn = PAMI_DATA_COPY};
  if (header->type == PAMI_XFER_AMBROADCAST) {
    to->fn.ambroadcast(context, to->cookie, data, header->header_bytes, NULL, header->bytes, origin, to->geometry,
                       &recv);
  } else {
    to->fn.amscatter(context, to->cookie, data, header->header_bytes, NULL, header->bytes, origin, to->geometry, &recv);
  }
  pami_result_t result = PAMI_SUCCESS;
  if (header->bytes) {
    result = pami_type_consume(recv.addr, recv.type, recv.offset, data + header->header_bytes, header->bytes,
                               recv.data_fn, recv.data_cookie);
  }
  if (recv.local_fn) recv.local_fn(context, recv.cookie, result);
}

/* A root asks for data: the dispatch function says where they lie. */
static pami_recv_t ask(pami_context_impl_t* context, const active_header_t* header, const char* data,
                       pami_data_function* op) {
  const active_dispatch_t* to = dispatch_of(context, header);
  const pami_endpoint_t origin = pami_member(to->geometry, header->root, context->offset);
  pami_recv_t answer = {.type = PAMI_TYPE_BYTE, .data_fn = PAMI_DATA_COPY};
  if (header->type == PAMI_XFER_AMGATHER) {
    to->fn.amgather(context, to->cookie, data, header->header_bytes, header->bytes, origin, to->geometry, &answer);
  } else {
    to->fn.amreduce(context, to->cookie, data, header->header_bytes, header->bytes, origin, to->geometry, op, &answer);
  }
  return answer;
}

static void answer(pami_context_impl_t* context, const active_header_t* request, const char* data) {
  pami_data_function op = PAMI_DATA_COPY;
  const pami_recv_t mine = ask(context, request, data, &op);
  pami_geometry_impl_t* geometry = dispatch_of(context, request)->geometry;
  parcel_t* sent = parcel(geometry, (pami_xfer_type_t)request->type, request->root, 0, NULL, 0, request->bytes);
  if (sent == NULL) pami_fatal("no memory to answer an active-message collective");
  sent->header.from = geometry->rank[context->offset];
  sent->header.gathering = request->gathering;
  if (request->bytes) {
    pami_type_produce(sent->data, mine.addr, mine.type, mine.offset, request->bytes, mine.data_fn, mine.data_cookie);
  }
  sent->done = mine.local_fn;
  sent->cookie = mine.cookie;
  send(context, geometry, request->root, kAnswer, sent);
  let_go(context, sent, PAMI_SUCCESS);
}

/* Sends a broadcast to the members below this one in the tree; `place` counts from the root. */
static void pass_on(pami_context_impl_t* context, pami_geometry_impl_t* geometry, parcel_t* sent) {
  const uint32_t n = geometry->size, root = sent->header.root;
  const uint32_t place = (geometry->rank[context->offset] + n - root) % n;
  uint32_t bit = 1;
  while (bit < n && !(place & bit)) bit *= 2;
  for (bit /= 2; bit; bit /= 2) {
    if (place + bit < n) send(context, geometry, (place + bit + root) % n, kRequest, sent);
  }
}

static void request_here(pami_context_t context_, void* cookie, pami_result_t result) {
  pami_context_impl_t* context = context_;
  parcel_t* received = cookie;
  const active_header_t* header = &received->header;
  if (header->type == PAMI_XFER_AMBROADCAST || header->type == PAMI_XFER_AMSCATTER) {
    if (header->type == PAMI_XFER_AMBROADCAST) pass_on(context, dispatch_of(context, header)->geometry, received);
    deliver(context, header, received->data);
  } else {
    answer(context, header, received->data);
  }
  let_go(context, received, result);
}

/* Roots --------------------------------------------------------------------------------------------------------------
 */

static void gathered(pami_context_impl_t* context, gathering_t* gathering) {
  if (--gathering->left) return;
  const uint32_t n = gathering->geometry->size;
  if (gathering->reduces && gathering->bytes) {
    for (uint32_t rank = 1; rank < n; ++rank) {
      pami_combine(gathering->parts + rank * gathering->bytes, gathering->parts + (rank - 1) * gathering->bytes,
                   gathering->bytes, gathering->own.type, gathering->op, gathering->op_cookie);
    }
    pami_type_unpack(gathering->rcvbuf, gathering->rtype, 0, gathering->parts + (n - 1) * gathering->bytes,
                     gathering->bytes);
  }
  const pami_recv_t own = gathering->own;
  free(gathering->parts);
  free(gathering);
  if (own.local_fn) own.local_fn(context, own.cookie, PAMI_SUCCESS);
}

static void keep(gathering_t* gathering, uint32_t rank, const char* data) {
  if (gathering->bytes == 0) return;
  if (gathering->reduces) {
    memcpy(gathering->parts + rank * gathering->bytes, data, gathering->bytes);
  } else {
    char* at = gathering->rcvbuf + (ptrdiff_t)(rank * gathering->count) * pami_type_extent(gathering->rtype);
    pami_type_unpack(at, gathering->rtype, 0, data, gathering->bytes);
  }
}

static void answer_here(pami_context_t context, void* cookie, pami_result_t result) {
  parcel_t* received = cookie;
  gathering_t* gathering = (gathering_t*)(uintptr_t)received->header.gathering;
  keep(gathering, received->header.from, received->data);
  gathered(context, gathering);
  let_go(context, received, result);
}

static void receive(const void* header, const void* data, size_t bytes, pami_context_t context, pami_recv_t* recv,
                    pami_event_function then) {
  parcel_t* received = malloc(sizeof *received + bytes);
  if (received == NULL) pami_fatal("no memory for %zu bytes of an active-message collective", bytes);
  *received = (parcel_t){.users = 1, .bytes = bytes};
  memcpy(&received->header, header, sizeof received->header);
  if (data) {
    if (bytes) memcpy(received->data, data, bytes);
    then(context, received, PAMI_SUCCESS);
  } else {
    *recv = (pami_recv_t){.cookie = received,
                          .local_fn = then,
                          .addr = received->data,
                          .type = PAMI_TYPE_BYTE,
                          .data_fn = PAMI_DATA_COPY};
  }
}

static void request_message(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                            const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)cookie, (void)header_bytes, (void)origin;
  receive(header, data, bytes, context, recv, request_here);
}

static void answer_message(pami_context_t context, void* cookie, const void* header, size_t header_bytes,
                           const void* data, size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)cookie, (void)header_bytes, (void)origin;
  receive(header, data, bytes, context, recv, answer_here);
}

void pami_active_attach(pami_context_impl_t* context) {
  pami_internal_dispatch(context, kRequest, request_message, NULL);
  pami_internal_dispatch(context, kAnswer, answer_message, NULL);
}

void pami_active_detach(pami_collectives_t* collectives) {
  while (collectives->dispatches) {
    active_dispatch_t* one = collectives->dispatches;
    collectives->dispatches = one->next;
    free(one);
  }
}

pami_result_t PAMI_AMCollective_dispatch_set(pami_context_t context, pami_algorithm_t algorithm, size_t dispatch,
                                             pami_dispatch_callback_function fn, void* cookie,
                                             pami_collective_hint_t options) {
  (void)options;
  const pami_choice_t* choice = (const pami_choice_t*)algorithm;
  if (context == NULL || choice == NULL || fn.p2p == NULL) {
    return pami_error(PAMI_INVAL,
                      "an active-message collective's dispatch needs a context, an algorithm and a function");
  }
  if (choice->method->type < PAMI_XFER_AMBROADCAST) {
    return pami_error(PAMI_INVAL, "algorithm %s is none of active-message collectives", choice->method->name);
  }
  pami_collectives_t* collectives = ((pami_context_impl_t*)context)->collectives;
  active_dispatch_t* at = collectives->dispatches;
  while (at && (at->geometry != choice->geometry || at->type != choice->method->type || at->dispatch != dispatch)) {
    at = at->next;
  }
  if (at == NULL) {
    at = malloc(sizeof *at);
    if (at == NULL) return PAMI_ENOMEM;
    *at = (active_dispatch_t){collectives->dispatches, choice->geometry, choice->method->type, dispatch, fn, cookie};
    collectives->dispatches = at;
  }
  at->fn = fn;
  at->cookie = cookie;
  return PAMI_SUCCESS;
}

pami_result_t pami_start_ambroadcast(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                     const pami_xfer_t* xfer) {
  const pami_ambroadcast_t* c = &xfer->cmd.xfer_ambroadcast;
  size_t bytes;
  if (!pami_bytes(c->stype, c->stypecount, &bytes)) return PAMI_INVAL;
  const uint32_t me = geometry->rank[context->offset];
  parcel_t* sent = parcel(geometry, PAMI_XFER_AMBROADCAST, me, c->dispatch, c->user_header, c->headerlen, bytes);
  if (sent == NULL) return PAMI_ENOMEM;
  if (bytes) pami_type_pack(sent->data + c->headerlen, c->sndbuf, c->stype, 0, bytes);
  pass_on(context, geometry, sent);
  /* What is sent is a copy, so the program has its buffer back. */
  pami_later_call(context, xfer->cb_done, xfer->cookie, PAMI_SUCCESS);
  let_go(context, sent, PAMI_SUCCESS);
  return PAMI_SUCCESS;
}

static void scattered(pami_context_t context, void* cookie, pami_result_t result) {
  (void)result;
  parcel_t* own = cookie;
  deliver(context, &own->header, own->data);
  free(own);
}

pami_result_t pami_start_amscatter(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                   const pami_xfer_t* xfer) {
  const pami_amscatter_t* c = &xfer->cmd.xfer_amscatter;
  size_t bytes;
  if (!pami_bytes(c->stype, c->stypecount, &bytes)) return PAMI_INVAL;
  const uint32_t n = geometry->size, me = geometry->rank[context->offset];
  for (uint32_t step = 1; step <= n; ++step) {
    const uint32_t to = (me + step) % n;
    parcel_t* sent = parcel(geometry, PAMI_XFER_AMSCATTER, me, c->dispatch, (char*)c->headers + to * c->headerlen,
                            c->headerlen, bytes);
    if (sent == NULL) return PAMI_ENOMEM;
    if (bytes) {
      const char* from = (char*)c->sndbuf + (ptrdiff_t)(to * c->stypecount) * pami_type_extent(c->stype);
      pami_type_pack(sent->data + c->headerlen, from, c->stype, 0, bytes);
    }
    if (to == me) {
      pami_later_call(context, scattered, sent, PAMI_SUCCESS);
    } else {
      send(context, geometry, to, kRequest, sent);
      let_go(context, sent, PAMI_SUCCESS);
    }
  }
  return PAMI_SUCCESS;
}

/* Asks all members for data; the root's own come at the next advance. */
static void own_part(pami_context_t context, void* cookie, pami_result_t result) {
  (void)result;
  parcel_t* own = cookie;
  gathering_t* gathering = (gathering_t*)(uintptr_t)own->header.gathering;
  gathering->own = ask(context, &own->header, own->data, &gathering->op);
  char* memory = gathering->bytes ? malloc(gathering->bytes) : NULL;
  if (gathering->bytes) {
    if (memory == NULL) pami_fatal("no memory for a gather of active messages");
    pami_type_produce(memory, gathering->own.addr, gathering->own.type, gathering->own.offset, gathering->bytes,
                      gathering->own.data_fn, gathering->own.data_cookie);
    keep(gathering, own->header.root, memory);
    free(memory);
  }
  free(own);
  gathered(context, gathering);
}

static pami_result_t start_gathering(pami_context_impl_t* context, pami_xfer_type_t type, gathering_t what,
                                     size_t dispatch, const char* headers, size_t header_bytes, size_t header_stride) {
  if (!pami_bytes(what.rtype, what.count, &what.bytes)) return PAMI_INVAL;
  const uint32_t n = what.geometry->size, me = what.geometry->rank[context->offset];
  gathering_t* gathering = malloc(sizeof *gathering);
  if (gathering == NULL) return PAMI_ENOMEM;
  *gathering = what;
  gathering->left = n;
  gathering->parts = what.reduces && what.bytes ? malloc(n * what.bytes) : NULL;
  for (uint32_t step = 1; step <= n; ++step) {
    const uint32_t to = (me + step) % n;
    parcel_t* sent = parcel(what.geometry, type, me, dispatch, headers + to * header_stride, header_bytes, 0);
    if (sent == NULL || (what.reduces && what.bytes && gathering->parts == NULL)) {
      pami_fatal("no memory for an active-message collective");
    }
    sent->header.bytes = what.bytes;
    sent->header.gathering = (uint64_t)(uintptr_t)gathering;
    if (to == me) {
      pami_later_call(context, own_part, sent, PAMI_SUCCESS);
    } else {
      send(context, what.geometry, to, kRequest, sent);
      let_go(context, sent, PAMI_SUCCESS);
    }
  }
  return PAMI_SUCCESS;
}

pami_result_t pami_start_amgather(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                  const pami_xfer_t* xfer) {
  const pami_amgather_t* c = &xfer->cmd.xfer_amgather;
  return start_gathering(
      context, PAMI_XFER_AMGATHER,
      (gathering_t){.geometry = geometry, .rcvbuf = c->rcvbuf, .rtype = c->rtype, .count = c->rtypecount}, c->dispatch,
      c->headers, c->headerlen, c->headerlen);
}

pami_result_t pami_start_amreduce(pami_context_impl_t* context, pami_geometry_impl_t* geometry,
                                  const pami_xfer_t* xfer) {
  const pami_amreduce_t* c = &xfer->cmd.xfer_amreduce;
  return start_gathering(context, PAMI_XFER_AMREDUCE,
                         (gathering_t){.geometry = geometry,
                                       .reduces = true,
                                       .op_cookie = c->data_cookie,
                                       .rcvbuf = c->rcvbuf,
                                       .rtype = c->rtype,
                                       .count = c->rtypecount},
                         c->dispatch, c->user_header, c->headerlen, 0);
}
