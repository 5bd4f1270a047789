// SPDX-License-Identifier: Apache-2.0
// Multicast: a message to each rank of a list.
#include <dcmf_multisend.h>

#include "firmware/bgp/dcmf/held.h"

typedef struct {
  dcmf_protocol_t protocol;
  DCMF_Multicast_Configuration_t configuration;
  dcmf_held_t* held;  // messages of connections whose receive has not been posted yet
  bool posted;        // receives are posted, rather than asked for
} multicast_t;
_Static_assert(sizeof(multicast_t) <= sizeof(DCMF_Protocol_t), "a registration holds what it has to");

typedef struct {
  dcmf_request_t request;
  DCMF_Multicast_t what;
} sending_t;
_Static_assert(sizeof(sending_t) <= sizeof(DCMF_Request_t), "a request holds what it has to");

// A posted receive, in the request that was posted with it.
typedef DCMF_MulticastRecv_t posted_t;

static void** post_of(const multicast_t* multicast, uint32_t connection) {
  if (connection >= multicast->configuration.nconnections) {
    dcmf_fatal("a multicast of connection %u, of which there are %u", connection,
               multicast->configuration.nconnections);
  }
  return &multicast->configuration.connectionlist[connection];
}

static void into_post(posted_t* posted, const char* data, uint32_t bytes) {
  const DCMF_Callback_t done = posted->cb_done;
  const uint32_t wanted = bytes < posted->bytes ? bytes : posted->bytes;
  if (wanted) memcpy(posted->dst, data, wanted);
  dcmf_call(&done);
}

static void aim(dcmf_reception_t* reception, const posted_t* posted) {
  reception->buffer = posted->dst;
  reception->length = reception->bytes < posted->bytes ? reception->bytes : posted->bytes;
  reception->pipe = posted->pwidth;
  reception->cb_done = posted->cb_done;
}

static void take(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info, const char* data,
                 uint32_t source) {
  multicast_t* multicast = (multicast_t*)protocol;
  const DCMF_Multicast_Configuration_t* to = &multicast->configuration;
  if (multicast->posted) {
    void** post = post_of(multicast, header->word[0]);
    posted_t* posted = *post;
    if (posted == NULL) {
      dcmf_hold(&multicast->held, header, source, data, NULL);
    } else {
      *post = NULL;
      into_post(posted, data, header->bytes);
    }
    return;
  }
  unsigned length = header->bytes, pipe = 0;
  char* buffer = NULL;
  DCMF_Callback_t done = {NULL, NULL};
  if (to->cb_recv(info, header->count, source, header->bytes, header->word[0], to->clientdata, &length, &buffer, &pipe,
                  &done) == NULL) {
    return;
  }
  if (length > header->bytes) length = header->bytes;
  if (length) memcpy(buffer, data, length);
  dcmf_call(&done);
}

static int offer(dcmf_protocol_t* protocol, const dcmf_header_t* header, const DCQuad* info,
                 dcmf_reception_t* reception) {
  multicast_t* multicast = (multicast_t*)protocol;
  const DCMF_Multicast_Configuration_t* to = &multicast->configuration;
  if (multicast->posted) {
    void** post = post_of(multicast, header->word[0]);
    if (*post == NULL) {
      dcmf_hold(&multicast->held, header, reception->source, NULL, reception);
      return DCMF_LATER;
    }
    aim(reception, *post);
    *post = NULL;
    return DCMF_ACCEPT;
  }
  unsigned length = header->bytes, pipe = 0;
  if (to->cb_recv(info, header->count, reception->source, header->bytes, header->word[0], to->clientdata, &length,
                  &reception->buffer, &pipe, &reception->cb_done) == NULL) {
    return DCMF_DROP;
  }
  reception->length = length;
  reception->pipe = pipe;
  return DCMF_ACCEPT;
}

DCMF_Result DCMF_Multicast_register(DCMF_Protocol_t* registration, DCMF_Multicast_Configuration_t* configuration) {
  multicast_t* multicast = (multicast_t*)(void*)registration;
  if (registration == NULL || configuration == NULL) return DCMF_INVAL;
  switch (configuration->protocol) {
    case DCMF_DEFAULT_MSEND_PROTOCOL:
    case DCMF_MEMFIFO_DMA_MSEND_PROTOCOL:
      multicast->posted = configuration->cb_recv == NULL;
      break;
    case DCMF_DPUT_DMA_MSEND_PROTOCOL:
      multicast->posted = true;
      break;
    default:
      return DCMF_UNIMPL;
  }
  multicast->configuration = *configuration;
  multicast->held = NULL;
  for (unsigned i = 0; multicast->posted && i < configuration->nconnections; ++i)
    configuration->connectionlist[i] = NULL;
  multicast->protocol.take = take;
  multicast->protocol.accept = offer;
  return dcmf_register(&multicast->protocol);
}

// One message; `operation` is a template.
static void send_to(const sending_t* sending, uint32_t rank) {
  dcmf_operation_t operation = sending->request.operation;
  const multicast_t* multicast = (const multicast_t*)(void*)sending->what.registration;
  operation.rank = rank;
  // Posted receives get the data by the DMA alone; others as it is fastest.
  const uint32_t most = multicast->posted ? 0 : dcmf_instance->eager_bytes;
  if (dcmf_send(&operation, &multicast->protocol, most) != DCMF_SUCCESS) {
    dcmf_fatal("DCMF_Multicast: %u bytes at %p are not memory of this process", sending->what.bytes,
               (const void*)sending->what.src);
  }
}

// The ranks that one entry of the list stands for: itself, or all nodes of a line as far as it.
static unsigned reach(const sending_t* sending, unsigned entry, bool send) {
  const DCMF_Multicast_t* what = &sending->what;
  const uint32_t last = what->ranks[entry];
  const unsigned opcode = what->opcodes ? (unsigned)what->opcodes[entry] & DCMF_LINE_BCAST_MASK : 0;
  if (opcode == 0) {
    if (send) send_to(sending, last);
    return 1;
  }
  const dcmf_state_t* state = dcmf_instance;
  const dcmf_peer_t* self = dcmf_peer(state->rank);
  uint32_t at[3] = {self->x, self->y, self->z};
  const unsigned direction = 5u - (31u - (unsigned)__builtin_clz(opcode));  // X+, X-, Y+ ...
  const unsigned d = direction / 2, size = state->place.size[d];
  unsigned count = 0;
  uint32_t rank = state->rank, ranks;
  for (unsigned hop = 0; rank != last && hop < size; ++hop) {
    at[d] = (at[d] + (direction % 2 ? size - 1 : 1)) % size;
    if (Kernel_Coord2Rank(at[0], at[1], at[2], self->t, &rank, &ranks) != 0) continue;
    if (send) send_to(sending, rank);
    ++count;
  }
  return count;
}

static void start(dcmf_request_t* request) {
  const sending_t* sending = (const sending_t*)request;
  const unsigned nranks = sending->what.nranks;
  request->parts = 1;
  for (unsigned i = 0; i < nranks; ++i) request->parts += reach(sending, i, false);
  request->due = request->parts;
  // Without a callback the request is not looked at after this.
  const bool due = request->cb_done.function != NULL;
  for (unsigned i = 0; i < nranks; ++i) reach(sending, i, true);
  if (due) dcmf_complete(request);  // the part that kept it from being complete before all had begun
}

int DCMF_Multicast(DCMF_Multicast_t* mcastinfo) {
  if (mcastinfo == NULL || mcastinfo->registration == NULL || mcastinfo->count > DCMF_MOST_MSGINFO) return DCMF_INVAL;
  for (unsigned i = 0; i < mcastinfo->nranks; ++i) {
    if (mcastinfo->ranks[i] >= dcmf_instance->size) return DCMF_INVAL;
  }
  sending_t* sending = (sending_t*)(void*)mcastinfo->request;
  dcmf_operation_t* operation =
      dcmf_prepare(mcastinfo->request, mcastinfo->cb_done, 0, mcastinfo->bytes, mcastinfo->consistency);
  sending->what = *mcastinfo;
  operation->data = mcastinfo->src;
  operation->word[0] = mcastinfo->connection_id;
  operation->count = (uint8_t)mcastinfo->count;
  dcmf_copy_msginfo(operation->info, mcastinfo->msginfo, mcastinfo->count);
  sending->request.restart = start;
  start(&sending->request);
  return DCMF_SUCCESS;
}

int DCMF_Multicast_postrecv(DCMF_MulticastRecv_t* recv) {
  if (recv == NULL || recv->registration == NULL || recv->request == NULL) return DCMF_INVAL;
  multicast_t* multicast = (multicast_t*)(void*)recv->registration;
  if (!multicast->posted || recv->connection_id >= multicast->configuration.nconnections) return DCMF_INVAL;
  void** post = post_of(multicast, recv->connection_id);
  if (*post) return DCMF_EAGAIN;
  posted_t* posted = (posted_t*)(void*)recv->request;
  *posted = *recv;
  for (dcmf_held_t** at = &multicast->held; *at; at = &(*at)->next) {
    dcmf_held_t* held = *at;
    if (held->header.word[0] != recv->connection_id) continue;
    *at = held->next;
    if (held->reception) {
      aim(held->reception, posted);
      dcmf_fetch(held->reception);
    } else {
      into_post(posted, held->data, held->header.bytes);
    }
    dcmf_held_give(held);
    return DCMF_SUCCESS;
  }
  *post = posted;
  return DCMF_SUCCESS;
}
