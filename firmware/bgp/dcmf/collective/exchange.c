// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgp/dcmf/collective/exchange.h"

#include "firmware/bgp/dcmf/collective/collective.h"

typedef dcmf_waiting_t waiting_t;

// A message that is being sent.
typedef struct {
  DCMF_Request_t request;
  dcmf_then_t then;
  void* owner;
} sending_t;

static waiting_t** bucket(waiting_t** lists, uint32_t rank) {
  return &lists[rank % DCMF_EXCHANGE_LISTS];
}

static void append(waiting_t** list, waiting_t* waiting) {
  waiting->next = NULL;
  while (*list) list = &(*list)->next;
  *list = waiting;
}

static waiting_t* take_out(waiting_t** list, uint32_t rank, dcmf_key_t key) {
  for (; *list; list = &(*list)->next) {
    waiting_t* found = *list;
    if (found->rank == rank && found->key.geometry == key.geometry && found->key.operation == key.operation) {
      *list = found->next;
      return found;
    }
  }
  return NULL;
}

static void give(waiting_t* waiting) {
  dcmf_pool_give(&dcmf_instance->exchange.waiting_pool, waiting);
}

static waiting_t* make(uint32_t rank, dcmf_key_t key, uint32_t bytes) {
  waiting_t* waiting = dcmf_pool_take(&dcmf_instance->exchange.waiting_pool, sizeof *waiting);
  waiting->rank = rank;
  waiting->key = key;
  waiting->bytes = bytes;
  waiting->reception = NULL;
  return waiting;
}

// All processes give the same sizes.
static void must_fit(const waiting_t* receive, uint32_t bytes) {
  if (bytes != receive->bytes) dcmf_refuse_message(receive->owner, receive->rank, bytes, receive->bytes);
}

static void take(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  (void)protocol, (void)info;
  dcmf_exchange_t* exchange = &dcmf_instance->exchange;
  const dcmf_key_t key = {header->word[0], header->word[1]};
  waiting_t* receive = take_out(bucket(exchange->receives, source), source, key);
  if (receive == NULL) {
    waiting_t* message = make(source, key, header->bytes);
    memcpy(message->data, data, header->bytes);
    append(bucket(exchange->messages, source), message);
    return;
  }
  must_fit(receive, header->bytes);
  if (header->bytes) memcpy(receive->buffer, data, header->bytes);
  const dcmf_then_t then = receive->then;
  void* owner = receive->owner;
  give(receive);
  then(owner);
}

static void fetched(dcmf_reception_t* reception) {
  waiting_t* receive = reception->owner;
  const dcmf_then_t then = receive->then;
  void* owner = receive->owner;
  give(receive);
  then(owner);
}

static void aim(dcmf_reception_t* reception, waiting_t* receive) {
  must_fit(receive, reception->bytes);
  reception->buffer = receive->buffer;
  reception->length = reception->bytes;
  reception->finish = fetched;
  reception->owner = receive;
}

static int offer(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                 dcmf_reception_t* reception) {
  (void)protocol, (void)info;
  dcmf_exchange_t* exchange = &dcmf_instance->exchange;
  const dcmf_key_t key = {header->word[0], header->word[1]};
  waiting_t* receive = take_out(bucket(exchange->receives, reception->source), reception->source, key);
  if (receive) {
    aim(reception, receive);
    return DCMF_ACCEPT;
  }
  waiting_t* message = make(reception->source, key, header->bytes);
  message->reception = reception;
  append(bucket(exchange->messages, reception->source), message);
  return DCMF_LATER;
}

void dcmf_exchange_initialize(void) {
  dcmf_protocol_t* protocol = &dcmf_instance->exchange.protocol;
  protocol->take = take;
  protocol->accept = offer;
  if (dcmf_register(protocol) != DCMF_SUCCESS) dcmf_fatal("collective operations cannot be registered");
}

void dcmf_exchange_finalize(void) {
  for (unsigned list = 0; list < DCMF_EXCHANGE_LISTS; ++list) {
    const waiting_t* message = dcmf_instance->exchange.messages[list];
    if (message != NULL) dcmf_refuse_left_over(message->rank, message->key, message->bytes);
  }
}

static void sent(void* of, DCMF_Error_t* error) {
  (void)error;
  sending_t* sending = of;
  const dcmf_then_t then = sending->then;
  void* owner = sending->owner;
  dcmf_pool_give(&dcmf_instance->exchange.sending_pool, sending);
  then(owner);
}

void dcmf_exchange_send(uint32_t rank, dcmf_key_t key, const void* data, uint32_t bytes, dcmf_then_t then,
                        void* owner) {
  dcmf_state_t* state = dcmf_instance;
  sending_t* sending = dcmf_pool_take(&state->exchange.sending_pool, sizeof *sending);
  sending->then = then;
  sending->owner = owner;
  // What fits into a packet is copied: nobody need be told later.
  const bool copied = bytes <= DCMF_SHORT_BYTES;
  const DCMF_Callback_t done = {copied ? NULL : sent, sending};
  dcmf_operation_t* operation = dcmf_prepare(&sending->request, done, rank, bytes, DCMF_MATCH_CONSISTENCY);
  operation->data = data;
  operation->word[0] = key.geometry;
  operation->word[1] = key.operation;
  if (dcmf_send(operation, &state->exchange.protocol, 0) != DCMF_SUCCESS) {
    dcmf_fatal("a collective operation's %u bytes at %p are not memory of this process", bytes, data);
  }
  if (copied) sent(sending, NULL);
}

void dcmf_exchange_receive(uint32_t rank, dcmf_key_t key, void* buffer, uint32_t bytes, dcmf_then_t then, void* owner) {
  dcmf_exchange_t* exchange = &dcmf_instance->exchange;
  waiting_t* message = take_out(bucket(exchange->messages, rank), rank, key);
  waiting_t* receive = NULL;
  if (message == NULL || message->reception) {
    receive = make(rank, key, bytes);
    receive->buffer = buffer;
    receive->then = then;
    receive->owner = owner;
  }
  if (message == NULL) {
    append(bucket(exchange->receives, rank), receive);
  } else if (message->reception) {
    dcmf_reception_t* reception = message->reception;
    give(message);
    aim(reception, receive);
    dcmf_fetch(reception);
  } else {
    if (message->bytes != bytes) dcmf_refuse_message(owner, rank, message->bytes, bytes);
    if (message->bytes) memcpy(buffer, message->data, message->bytes);
    give(message);
    then(owner);
  }
}
