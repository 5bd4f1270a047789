// SPDX-License-Identifier: Apache-2.0
// Many to many: other bytes to each rank of a list; the receiver says once for a connection where all of it shall go.
#include <dcmf_multisend.h>

#include "firmware/bgp/dcmf/held.h"

// A connection, from its first message to its last one.
typedef struct {
  bool active;
  char* buffer;
  unsigned *lengths, *places, *begun;
  unsigned count, self;
  unsigned due;  // messages that are not complete
  DCMF_Callback_t cb_done;
  dcmf_held_t* held;  // of the next time
} connection_t;

typedef struct {
  dcmf_protocol_t protocol;
  DCMF_Manytomany_Configuration_t configuration;
  connection_t* connections;
} manytomany_t;
_Static_assert(sizeof(manytomany_t) <= sizeof(DCMF_Protocol_t), "a registration holds what it has to");

typedef struct {
  dcmf_request_t request;
  manytomany_t* protocol;
  const char* buffer;
  unsigned connection, index;
  unsigned *lengths, *places, *ranks, *permutation;
  unsigned count;
} sending_t;
_Static_assert(sizeof(sending_t) <= sizeof(DCMF_Request_t), "a request holds what it has to");

static connection_t* connection_of(const manytomany_t* protocol, uint32_t number) {
  if (number >= protocol->configuration.nconnections) {
    dcmf_fatal("a many to many of connection %u, of which there are %u", number, protocol->configuration.nconnections);
  }
  return &protocol->connections[number];
}

static void begin(const manytomany_t* protocol, connection_t* connection) {
  if (connection->active) return;
  connection->active = true;
  connection->cb_done.function = NULL;
  protocol->configuration.cb_recv((unsigned)(connection - protocol->connections), protocol->configuration.arg,
                                  &connection->buffer, &connection->lengths, &connection->places, &connection->begun,
                                  &connection->count, &connection->self, &connection->cb_done);
  connection->due = 0;
  for (unsigned i = 0; i < connection->count; ++i) {
    if (connection->begun) connection->begun[i] = 0;
    if (i != connection->self && connection->lengths[i]) ++connection->due;
  }
}

// Whether a message of sender `index` belongs to this time.
static bool is_due(const connection_t* connection, uint32_t index) {
  if (index >= connection->count) {
    dcmf_fatal("a many to many from sender %u, where the receiver expects %u", index, connection->count);
  }
  if (connection->begun == NULL) return true;
  return connection->begun[index]++ == 0;
}

static void begin_again(manytomany_t* protocol, connection_t* connection);

static void one_is_done(manytomany_t* protocol, connection_t* connection, uint32_t index) {
  if (index == connection->self || --connection->due != 0) return;
  connection->active = false;
  const DCMF_Callback_t done = connection->cb_done;
  dcmf_call(&done);
  if (connection->held) begin_again(protocol, connection);
}

static uint32_t wanted(const connection_t* connection, uint32_t index, uint32_t bytes) {
  return bytes < connection->lengths[index] ? bytes : connection->lengths[index];
}

static void take_message(manytomany_t* protocol, const dcmf_header_t* header, const char* data, uint32_t source) {
  connection_t* connection = connection_of(protocol, header->word[0]);
  const uint32_t index = header->word[1];
  begin(protocol, connection);
  if (!is_due(connection, index)) {
    dcmf_hold(&connection->held, header, source, data, NULL);
    return;
  }
  const uint32_t bytes = wanted(connection, index, header->bytes);
  if (bytes) memcpy(connection->buffer + connection->places[index], data, bytes);
  one_is_done(protocol, connection, index);
}

static void take(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  (void)info;
  take_message((manytomany_t*)protocol, header, data, source);
}

static void fetched(dcmf_reception_t* reception) {
  manytomany_t* protocol = reception->owner;
  one_is_done(protocol, connection_of(protocol, reception->index >> 16), reception->index & 0xFFFF);
}

static int take_reception(manytomany_t* protocol, const dcmf_header_t* header, dcmf_reception_t* reception) {
  connection_t* connection = connection_of(protocol, header->word[0]);
  const uint32_t index = header->word[1];
  begin(protocol, connection);
  if (!is_due(connection, index)) {
    dcmf_hold(&connection->held, header, reception->source, NULL, reception);
    return DCMF_LATER;
  }
  reception->buffer = connection->buffer + connection->places[index];
  reception->length = wanted(connection, index, header->bytes);
  reception->finish = fetched;
  reception->owner = protocol;
  reception->index = header->word[0] << 16 | index;
  return DCMF_ACCEPT;
}

static int offer(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                 dcmf_reception_t* reception) {
  (void)info;
  return take_reception((manytomany_t*)protocol, header, reception);
}

// Messages of the next time have come already.
static void begin_again(manytomany_t* protocol, connection_t* connection) {
  dcmf_held_t* held = connection->held;
  connection->held = NULL;
  while (held) {
    dcmf_held_t* next = held->next;
    if (held->reception == NULL) {
      take_message(protocol, &held->header, held->data, held->source);
    } else if (take_reception(protocol, &held->header, held->reception) == DCMF_ACCEPT) {
      dcmf_fetch(held->reception);
    }
    dcmf_held_give(held);
    held = next;
  }
}

DCMF_Result DCMF_Manytomany_register(DCMF_Protocol_t* registration, DCMF_Manytomany_Configuration_t* configuration) {
  manytomany_t* protocol = (manytomany_t*)(void*)registration;
  if (registration == NULL || configuration == NULL || configuration->cb_recv == NULL) return DCMF_INVAL;
  if ((unsigned)configuration->protocol > DCMF_MEMFIFO_DMA_M2M_PROTOCOL) return DCMF_INVAL;
  protocol->configuration = *configuration;
  protocol->connections = dcmf_allocate(sizeof(connection_t) * (configuration->nconnections + 1), 16);
  protocol->protocol.take = take;
  protocol->protocol.accept = offer;
  return dcmf_register(&protocol->protocol);
}

// The own part is copied: nothing goes over the network.
static void copy_own(const sending_t* sending, unsigned i) {
  connection_t* connection = connection_of(sending->protocol, sending->connection);
  begin(sending->protocol, connection);
  if (sending->index >= connection->count) return;
  const uint32_t bytes = wanted(connection, sending->index, sending->lengths[i]);
  if (bytes)
    memcpy(connection->buffer + connection->places[sending->index], sending->buffer + sending->places[i], bytes);
}

static bool is_sent(const sending_t* sending, unsigned i) {
  return sending->ranks[i] != dcmf_instance->rank && sending->lengths[i] != 0;
}

static void start(dcmf_request_t* request) {
  const sending_t* sending = (const sending_t*)request;
  const unsigned count = sending->count;
  request->parts = 1;
  for (unsigned i = 0; i < count; ++i) request->parts += is_sent(sending, i);
  request->due = request->parts;
  const bool due = request->cb_done.function != NULL;
  for (unsigned n = 0; n < count; ++n) {
    const unsigned i = sending->permutation[n];
    if (sending->ranks[i] == dcmf_instance->rank) copy_own(sending, i);
    if (!is_sent(sending, i)) continue;
    dcmf_operation_t operation = request->operation;
    operation.rank = sending->ranks[i];
    operation.bytes = sending->lengths[i];
    operation.data = sending->buffer + sending->places[i];
    if (dcmf_send(&operation, &sending->protocol->protocol, 0) != DCMF_SUCCESS) {
      dcmf_fatal("DCMF_Manytomany: %u bytes at %p are not memory of this process", operation.bytes,
                 (const void*)operation.data);
    }
  }
  if (due) dcmf_complete(request);
}

int DCMF_Manytomany(DCMF_Protocol_t* registration, DCMF_Request_t* request, DCMF_Callback_t cb_done,
                    DCMF_Consistency consistency, unsigned connection_id, unsigned rindex, const char* sndbuf,
                    unsigned* sndlens, unsigned* sdispls, unsigned* sndcounters, unsigned* ranks, unsigned* permutation,
                    unsigned nranks) {
  (void)sndcounters;
  manytomany_t* protocol = (manytomany_t*)(void*)registration;
  if (protocol == NULL || connection_id >= protocol->configuration.nconnections) return DCMF_INVAL;
  for (unsigned i = 0; i < nranks; ++i) {
    if (ranks[i] >= dcmf_instance->size || permutation[i] >= nranks) return DCMF_INVAL;
  }
  sending_t* sending = (sending_t*)(void*)request;
  dcmf_operation_t* operation = dcmf_prepare(request, cb_done, 0, 0, consistency);
  operation->word[0] = connection_id;
  operation->word[1] = rindex;
  sending->protocol = protocol;
  sending->buffer = sndbuf;
  sending->connection = connection_id;
  sending->index = rindex;
  sending->lengths = sndlens;
  sending->places = sdispls;
  sending->ranks = ranks;
  sending->permutation = permutation;
  sending->count = nranks;
  sending->request.restart = start;
  start(&sending->request);
  return DCMF_SUCCESS;
}
