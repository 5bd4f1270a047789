// SPDX-License-Identifier: Apache-2.0
// Messages over PAMI. Short ones go immediately. Others up to a limit are sent with their head as PAMI's header
// (eager). Longer ones are offered: an immediate message says in which memory region the bytes lie, the receiver gets
// them from there when the library has a place for them, and tells the sender. PAMI has a rendezvous of its own, but
// asks for the place as soon as the offer is there.
#include <string.h>

#include "firmware/mpi/gaps.h"
#include "firmware/mpi/transport/bgq/bgq.h"

/// A message that is sent.
typedef struct {
  uint8_t head[MPIT_HEAD_BYTES];
  uint8_t* gathered;  ///< the bytes of memory with gaps; NULL: there are none
  mpit_done_t done;
  void* context;
} sent_t;

/// An offer, as it travels.
typedef struct {
  uint8_t head[MPIT_HEAD_BYTES];
  pami_memregion_t memory;  ///< of the sender
  size_t offset;
  size_t bytes;
  sent_t* message;  ///< the sender's state
} offer_t;
_Static_assert(sizeof(offer_t) <= MPIT_SHORT_LEAST, "goes immediately");

/// An offer that has come.
typedef struct {
  offer_t offer;
  uint32_t peer;
} offered_t;

/// A message that is received.
typedef struct {
  mpit_place_t place;
  uint8_t* room;  ///< where the bytes arrive for memory with gaps
  size_t bytes;
  mpit_done_t done;
  void* context;
} received_t;

/// One that was offered.
typedef struct {
  received_t message;
  uint32_t peer;
  sent_t* sent;             ///< the sender's
  pami_memregion_t memory;  ///< the sender's
} fetched_t;

typedef union {
  uint8_t packet[MPIT_SHORT_LEAST];
  sent_t sent;
  received_t received;
  fetched_t fetched;
  mpit_bgq_access_t access;
} message_t;

const size_t mpit_state_bytes = sizeof(message_t);
const size_t mpit_unexpected_bytes = sizeof(received_t);
const size_t mpit_offer_bytes = sizeof(offered_t);

static uint32_t sending;  ///< eager messages that PAMI has not taken over

// ---------------------------------------------------------------------------------------------------------------
// Sending

bool mpit_bgq_is_sending(void) {
  return sending != 0;
}

static void finish(sent_t* message) {
  mpii_free(message->gathered);
  message->done(message->context);
}

static void eager_sent(pami_context_t context, void* message, pami_result_t result) {
  (void)context, (void)result;
  sending -= 1;
  finish(message);
}

/// The receiver has all bytes of an offered message.
static void taken(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                  size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)cookie, (void)header_bytes, (void)data, (void)bytes, (void)origin, (void)recv;
  sent_t* message;
  memcpy(&message, header, sizeof message);
  finish(message);
}

static void not_ours(const void* bytes, size_t count, const char* what) {
  mpii_end("%lu bytes at 0x%lX are to be %s, but are not in the memory of the process", (unsigned long)count,
           (unsigned long)(uintptr_t)bytes, what);
}

static void send_eager(sent_t* message, size_t dispatch, uint32_t peer, const uint8_t* bytes, size_t count) {
  pami_send_t parameters = {
      .send = {.header = {.iov_base = message->head, .iov_len = sizeof message->head},
               .data = {.iov_base = (void*)(uintptr_t)bytes, .iov_len = count},
               .dispatch = dispatch,
               .dest = mpit_bgq_endpoint(peer)},
      .events = {.cookie = message, .local_fn = eager_sent},
  };
  sending += 1;
  mpit_bgq_check(PAMI_Send(mpit_bgq_context, &parameters), "PAMI_Send");
}

static void send_offer(sent_t* message, size_t dispatch, uint32_t peer, const uint8_t* bytes, size_t count) {
  offer_t offer = {.bytes = count, .message = message};
  memcpy(offer.head, message->head, sizeof offer.head);
  if (count != 0) {
    const mpit_bgq_region_t* region = mpit_bgq_region((uintptr_t)bytes, count);
    if (region == NULL) not_ours(bytes, count, "sent");
    memcpy(offer.memory, region->memory, sizeof offer.memory);
    offer.offset = (uintptr_t)bytes - region->base;
  }
  mpit_bgq_say(dispatch, peer, &offer, sizeof offer);
}

void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* place,
               mpit_mode_t mode, mpit_done_t done, void* context) {
  sent_t* message = state;
  memcpy(message->head, head, sizeof message->head);
  message->gathered = mpii_gathered(place);
  message->done = done;
  message->context = context;
  const uint8_t* bytes = message->gathered != NULL ? message->gathered : (const uint8_t*)place->address;
  if (mode == MPIT_ORDERED) {
    send_eager(message, MPIT_BGQ_ORDERED + (size_t)channel, peer, bytes, place->bytes);
  } else if (mode == MPIT_PLAIN && place->bytes <= mpit_bgq_limits.eager) {
    send_eager(message, MPIT_BGQ_EAGER + (size_t)channel, peer, bytes, place->bytes);
  } else {
    send_offer(message, MPIT_BGQ_OFFER + (size_t)channel, peer, bytes, place->bytes);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving. The cookie of a channel's dispatches is its number.

static bool carries_messages(const void* cookie) {
  return (uintptr_t)cookie == MPIT_MESSAGES;
}

static void short_came(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                       size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  (void)context, (void)data, (void)bytes, (void)recv;
  if (carries_messages(cookie)) {
    mpii_message_came(header, header_bytes);
  } else {
    mpii_access_came(mpit_bgq_task(origin), header, header_bytes);
  }
}

/// All bytes have arrived.
static void arrived(received_t* message) {
  if (message->room != NULL) {
    mpii_scatter(&message->place, message->room, message->bytes);
    mpii_free(message->room);
  }
  message->done(message->context);
}

/// Where the bytes of a message arrive.
static uint8_t* expect(received_t* message, const mpit_landing_t* landing, size_t bytes) {
  message->place = landing->place;
  message->room = mpii_room(&landing->place, bytes);
  message->bytes = bytes;
  message->done = landing->done;
  message->context = landing->context;
  return message->room != NULL ? message->room : (uint8_t*)landing->place.address;
}

static void eager_arrived(pami_context_t context, void* message, pami_result_t result) {
  (void)context, (void)result;
  arrived(message);
}

static void eager_came(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                       size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  mpit_landing_t landing;
  (void)context, (void)header_bytes;
  if (carries_messages(cookie)) {
    mpii_message_begins(header, bytes, &landing);
  } else {
    mpii_access_begins(mpit_bgq_task(origin), header, bytes, &landing);
  }
  if (recv == NULL) {
    mpii_scatter(&landing.place, data, bytes);
    landing.done(landing.context);
  } else {
    *recv = (pami_recv_t){.cookie = landing.state,
                          .local_fn = eager_arrived,
                          .addr = expect(landing.state, &landing, bytes),
                          .type = PAMI_TYPE_BYTE,
                          .data_fn = PAMI_DATA_COPY};
  }
}

static void fetched(pami_context_t context, void* state, pami_result_t result) {
  fetched_t* message = state;
  (void)context, (void)result;
  mpit_bgq_say(MPIT_BGQ_TAKEN, message->peer, &message->sent, sizeof message->sent);
  arrived(&message->message);
}

void mpit_accept(const void* data, const mpit_landing_t* landing) {
  offered_t offered;
  memcpy(&offered, data, sizeof offered);
  const offer_t* offer = &offered.offer;
  fetched_t* message = landing->state;
  const uint8_t* to = expect(&message->message, landing, offer->bytes);
  message->peer = offered.peer;
  message->sent = offer->message;
  memcpy(message->memory, offer->memory, sizeof message->memory);
  if (offer->bytes == 0) {
    fetched(mpit_bgq_context, message, PAMI_SUCCESS);
    return;
  }
  mpit_bgq_region_t* region = mpit_bgq_region((uintptr_t)to, offer->bytes);
  if (region == NULL) not_ours(to, offer->bytes, "received");
  pami_rget_simple_t parameters = {
      .rma = {.dest = mpit_bgq_endpoint(offered.peer), .bytes = offer->bytes, .cookie = message, .done_fn = fetched},
      .rdma = {.local = mpit_bgq_in(region, (uintptr_t)to),
               .remote = {.mr = &message->memory, .offset = offer->offset}},
  };
  mpit_bgq_check(PAMI_Rget(mpit_bgq_context, &parameters), "PAMI_Rget");
}

static void offer_came(pami_context_t context, void* cookie, const void* header, size_t header_bytes, const void* data,
                       size_t bytes, pami_endpoint_t origin, pami_recv_t* recv) {
  offered_t offered = {.peer = mpit_bgq_task(origin)};
  mpit_landing_t landing;
  (void)context, (void)header_bytes, (void)data, (void)bytes, (void)recv;
  memcpy(&offered.offer, header, sizeof offered.offer);
  if (carries_messages(cookie)) {
    if (!mpii_message_offered(offered.offer.head, offered.offer.bytes, &offered, &landing)) return;
  } else {
    mpii_access_begins(offered.peer, offered.offer.head, offered.offer.bytes, &landing);
  }
  mpit_accept(&offered, &landing);
}

// ---------------------------------------------------------------------------------------------------------------

/// Both channels at once: numbers of dispatches are the same at all processes.
void mpit_bgq_messages_init(void) {
  const pami_dispatch_hint_t immediate = {.recv_immediate = PAMI_HINT_ENABLE},
                             any = {.recv_contiguous = PAMI_HINT_ENABLE};
  // In packets through one FIFO, so that the bytes of one message arrive before those of the next.
  const pami_dispatch_hint_t packets = {.recv_contiguous = PAMI_HINT_ENABLE, .use_rdma = PAMI_HINT_DISABLE};
  for (uintptr_t channel = 0; channel < MPIT_CHANNELS; ++channel) {
    mpit_bgq_dispatch(MPIT_BGQ_SHORT + channel, short_came, (void*)channel, immediate);
    mpit_bgq_dispatch(MPIT_BGQ_EAGER + channel, eager_came, (void*)channel, any);
    mpit_bgq_dispatch(MPIT_BGQ_ORDERED + channel, eager_came, (void*)channel, packets);
    mpit_bgq_dispatch(MPIT_BGQ_OFFER + channel, offer_came, (void*)channel, immediate);
  }
  mpit_bgq_dispatch(MPIT_BGQ_TAKEN, taken, NULL, immediate);
}
