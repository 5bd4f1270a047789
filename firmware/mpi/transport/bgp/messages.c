// SPDX-License-Identifier: Apache-2.0
// Messages over DCMF. Short ones are one packet. Others up to a limit are sent with their head as DCMF's msginfo
// (eager). Longer ones are offered: one packet says where the bytes lie, the receiver gets them from there when the
// library has a place for them, and tells the sender by a control message. DCMF has a rendezvous of its own, but asks
// for the place as soon as the offer is there.
#include <string.h>

#include "firmware/mpi/gaps.h"
#include "firmware/mpi/transport/bgp/bgp.h"

/// An offer, as it travels.
typedef struct {
  uint8_t head[MPIT_HEAD_BYTES];
  DCMF_Memregion_t memory;  ///< of the sender
  uint32_t address;
  uint32_t bytes;
  void* message;  ///< the sender's state
  uint32_t unused;
} __attribute__((aligned(16))) offer_t;

/// An offer that has come.
typedef struct {
  offer_t offer;
  uint32_t peer;
} offered_t;

/// A message that is sent.
typedef struct {
  DCMF_Request_t request;
  offer_t offer;
  uint8_t* gathered;  ///< the bytes of memory with gaps; NULL: there are none
  uint32_t due;       ///< of an offer: DCMF's callback and the receiver's word, in any order
  mpit_done_t done;
  void* context;
} sent_t;

/// A message that is received.
typedef struct {
  DCMF_Request_t request;  ///< of the get
  mpit_place_t place;
  uint8_t* room;  ///< where the bytes arrive for memory with gaps
  size_t bytes;
  mpit_done_t done;
  void* context;
  uint32_t peer;
  void* message;  ///< the sender's
} received_t;

/// A message that is received whether the program asks for it or not.
typedef struct {
  mpit_place_t place;
  uint8_t* room;
  size_t bytes;
  mpit_done_t done;
  void* context;
} arriving_t;

typedef union {
  mpit_bgp_short_t short_message;
  sent_t sent;
  received_t received;
  mpit_bgp_access_t access;
} message_t;

const size_t mpit_state_bytes = sizeof(message_t);
const size_t mpit_unexpected_bytes = sizeof(arriving_t);
const size_t mpit_offer_bytes = sizeof(offered_t);
_Static_assert(sizeof(arriving_t) <= sizeof(message_t), "a receive's state is enough for any protocol");
_Static_assert(sizeof(DCQuad) == MPIT_HEAD_BYTES, "a head travels as msginfo");

mpit_bgp_ports_t mpit_bgp_ports[MPIT_CHANNELS];
uint32_t mpit_bgp_sending;

static DCMF_Protocol_t taken_port, get_port;

// ---------------------------------------------------------------------------------------------------------------
// Sending

void mpit_bgp_short_sent(void* state, DCMF_Error_t* error) {
  mpit_bgp_short_t* message = state;
  (void)error;
  mpit_bgp_sending -= 1;
  message->done(message->context);
}

static void finish(sent_t* message) {
  mpii_free(message->gathered);
  message->done(message->context);
}

static void eager_sent(void* state, DCMF_Error_t* error) {
  (void)error;
  mpit_bgp_sending -= 1;
  finish(state);
}

static void offer_sent(void* state, DCMF_Error_t* error) {
  sent_t* message = state;
  (void)error;
  mpit_bgp_sending -= 1;
  if (--message->due == 0) finish(message);
}

/// The receiver has all bytes of an offered message.
static void taken(void* context, const DCMF_Control_t* control, size_t peer) {
  (void)context, (void)peer;
  sent_t* message;
  memcpy(&message, control, sizeof message);
  if (--message->due == 0) finish(message);
}

void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* place,
               mpit_mode_t mode, mpit_done_t done, void* context) {
  sent_t* message = state;
  mpit_bgp_ports_t* ports = &mpit_bgp_ports[channel];
  message->gathered = mpii_gathered(place);
  message->done = done;
  message->context = context;
  char* bytes = message->gathered != NULL ? (char*)message->gathered : (char*)place->address;
  mpit_bgp_sending += 1;
  if (mode == MPIT_ORDERED || (mode == MPIT_PLAIN && place->bytes <= mpit_bgp_limits.eager)) {
    DCQuad quad;
    memcpy(&quad, head, sizeof quad);
    const DCMF_Consistency order = mode == MPIT_ORDERED ? DCMF_SEQUENTIAL_CONSISTENCY : DCMF_MATCH_CONSISTENCY;
    const DCMF_Result result = DCMF_Send(&ports->eager, &message->request, (DCMF_Callback_t){eager_sent, message},
                                         order, peer, place->bytes, bytes, &quad, 1);
    if (result == DCMF_INVAL) {
      mpii_end("%lu bytes at 0x%lX are to be sent, but are not in the memory of the process",
               (unsigned long)place->bytes, (unsigned long)(uintptr_t)bytes);
    }
    mpit_bgp_check(result, "DCMF_Send");
    return;
  }
  offer_t* offer = &message->offer;
  memcpy(offer->head, head, sizeof offer->head);
  memcpy(offer->memory, mpit_bgp_memory, sizeof offer->memory);
  offer->address = (uint32_t)(uintptr_t)bytes;
  offer->bytes = (uint32_t)place->bytes;
  offer->message = message;
  message->due = 2;
  mpit_bgp_check(DCMF_Send(&ports->offer, &message->request, (DCMF_Callback_t){offer_sent, message},
                           DCMF_MATCH_CONSISTENCY, peer, sizeof *offer, (char*)offer, NULL, 0),
                 "DCMF_Send");
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static void message_came(void* channel, const DCQuad* info, unsigned count, size_t peer, const char* bytes,
                         size_t length) {
  (void)info, (void)count;
  if (channel == &mpit_bgp_ports[MPIT_MESSAGES]) {
    mpii_message_came(bytes, length);
  } else {
    mpii_access_came((uint32_t)peer, bytes, length);
  }
}

static void begin(void* channel, const DCQuad* head, size_t peer, size_t bytes, mpit_landing_t* landing) {
  if (channel == &mpit_bgp_ports[MPIT_MESSAGES]) {
    mpii_message_begins(head, bytes, landing);
  } else {
    mpii_access_begins((uint32_t)peer, head, bytes, landing);
  }
}

/// An eager message whose bytes are in the packet of its head.
static void eager_came(void* channel, const DCQuad* info, unsigned count, size_t peer, const char* bytes,
                       size_t length) {
  (void)count;
  mpit_landing_t landing;
  begin(channel, info, peer, length, &landing);
  mpii_scatter(&landing.place, (const uint8_t*)bytes, length);
  landing.done(landing.context);
}

static void eager_arrived(void* state, DCMF_Error_t* error) {
  arriving_t* message = state;
  (void)error;
  if (message->room != NULL) {
    mpii_scatter(&message->place, message->room, message->bytes);
    mpii_free(message->room);
  }
  message->done(message->context);
}

static DCMF_Request_t* eager_begins(void* channel, const DCQuad* info, unsigned count, size_t peer, size_t length,
                                    size_t* wanted, char** buffer, DCMF_Callback_t* done) {
  static DCMF_Request_t unused;  // DCMF keeps nothing in it
  mpit_landing_t landing;
  (void)count;
  begin(channel, info, peer, length, &landing);
  arriving_t* message = landing.state;
  message->place = landing.place;
  message->room = mpii_room(&landing.place, length);
  message->bytes = length;
  message->done = landing.done;
  message->context = landing.context;
  *wanted = length;
  *buffer = message->room != NULL ? (char*)message->room : (char*)landing.place.address;
  *done = (DCMF_Callback_t){eager_arrived, message};
  return &unused;
}

static void fetched(void* state, DCMF_Error_t* error) {
  received_t* message = state;
  (void)error;
  DCMF_Control_t control = {{0}};
  memcpy(control, &message->message, sizeof message->message);
  mpit_bgp_check(DCMF_Control(&taken_port, DCMF_MATCH_CONSISTENCY, message->peer, &control), "DCMF_Control");
  if (message->room != NULL) {
    mpii_scatter(&message->place, message->room, message->bytes);
    mpii_free(message->room);
  }
  message->done(message->context);
}

void mpit_accept(const void* data, const mpit_landing_t* landing) {
  offered_t offered;
  memcpy(&offered, data, sizeof offered);
  received_t* message = landing->state;
  message->place = landing->place;
  message->bytes = offered.offer.bytes;
  message->room = mpii_room(&landing->place, message->bytes);
  message->done = landing->done;
  message->context = landing->context;
  message->peer = offered.peer;
  message->message = offered.offer.message;
  const uint8_t* to = message->room != NULL ? message->room : landing->place.address;
  mpit_bgp_check(DCMF_Get(&get_port, &message->request, (DCMF_Callback_t){fetched, message}, DCMF_RELAXED_CONSISTENCY,
                          offered.peer, message->bytes, &offered.offer.memory, &mpit_bgp_memory, offered.offer.address,
                          (uintptr_t)to),
                 "DCMF_Get");
}

static void offer_came(void* channel, const DCQuad* info, unsigned count, size_t peer, const char* bytes,
                       size_t length) {
  (void)info, (void)count, (void)length;
  offered_t offered;
  mpit_landing_t landing;
  memcpy(&offered.offer, bytes, sizeof offered.offer);
  offered.peer = (uint32_t)peer;
  if (channel == &mpit_bgp_ports[MPIT_MESSAGES]) {
    if (!mpii_message_offered(offered.offer.head, offered.offer.bytes, &offered, &landing)) return;
  } else {
    mpii_access_begins((uint32_t)peer, offered.offer.head, offered.offer.bytes, &landing);
  }
  mpit_accept(&offered, &landing);
}

// ---------------------------------------------------------------------------------------------------------------
// Registrations

static void open(mpit_bgp_ports_t* ports) {
  DCMF_Send_Configuration_t configuration = {
      .protocol = DCMF_EAGER_SEND_PROTOCOL,
      .network = DCMF_DEFAULT_NETWORK,
      .cb_recv_short = message_came,
      .cb_recv_short_clientdata = ports,
      .cb_recv = NULL,
      .cb_recv_clientdata = ports,
  };
  mpit_bgp_check(DCMF_Send_register(&ports->one_packet, &configuration), "DCMF_Send_register");
  configuration.cb_recv_short = offer_came;
  mpit_bgp_check(DCMF_Send_register(&ports->offer, &configuration), "DCMF_Send_register");
  configuration.cb_recv_short = eager_came;
  configuration.cb_recv = eager_begins;
  mpit_bgp_check(DCMF_Send_register(&ports->eager, &configuration), "DCMF_Send_register");
}

/// Both channels at once: all processes register in the same order.
void mpit_bgp_messages_init(void) {
  for (int channel = 0; channel < MPIT_CHANNELS; ++channel) open(&mpit_bgp_ports[channel]);
  DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, taken, NULL};
  mpit_bgp_check(DCMF_Control_register(&taken_port, &control), "DCMF_Control_register");
  DCMF_Get_Configuration_t get = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  mpit_bgp_check(DCMF_Get_register(&get_port, &get), "DCMF_Get_register");
}
