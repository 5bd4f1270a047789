// SPDX-License-Identifier: Apache-2.0
// Messages by the protocols of the message layer: which one, and what comes through their ports.
#include <string.h>

#include "firmware/mpi/transport/bgl/bgl.h"

/// A message under way. A short one's bytes are first, where the library writes them.
typedef struct {
  union {
    struct {
      uint8_t packet[BGLML_ONE_PACKET_MAX] __attribute__((aligned(BGLML_QUAD_BYTES)));
      bglml_one_packet_t message;
    } one_packet;
    bglml_eager_t eager;
    bglml_adaptive_t adaptive;
    bglml_rendezvous_t rendezvous;
    bglml_rendezvous_receive_t receive;
  } u;
  bglml_layout_t layout;
} message_t;

/// A message that is received whether the program asks for it or not.
typedef struct {
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
  } u;
  bglml_layout_t layout;
} arriving_t;

const size_t mpit_state_bytes = sizeof(message_t);
const size_t mpit_unexpected_bytes = sizeof(arriving_t);
const size_t mpit_offer_bytes = sizeof(bglml_rendezvous_offer_t);
_Static_assert(sizeof(arriving_t) <= sizeof(message_t), "a receive's state is enough for any protocol");
_Static_assert((int)BGLML_ONE_PACKET_MAX >= (int)MPIT_SHORT_LEAST, "a short message is one packet");
_Static_assert((int)BGLML_METADATA_BYTES == (int)MPIT_HEAD_BYTES, "a head travels as metadata");
_Static_assert((unsigned)BGLML_EAGER_MAX >= (unsigned)MPIT_MESSAGE_MAX, "messages of any length");
_Static_assert(sizeof(mpit_block_t) == sizeof(bglml_block_t) &&
                   offsetof(mpit_block_t, offset) == offsetof(bglml_block_t, offset) &&
                   offsetof(mpit_block_t, bytes) == offsetof(bglml_block_t, bytes),
               "the library's lists of blocks are the layer's");

static struct { bglml_port_t one_packet, eager, adaptive, rendezvous; } ports[MPIT_CHANNELS];

/// A place as the layer has it: an address, and a layout where it has gaps.
static void* placed(const mpit_place_t* place, bglml_layout_t* space, const bglml_layout_t** layout) {
  *layout = NULL;
  if (place->count == 1) return place->address;
  if (place->blocks != NULL) {
    *space = bglml_layout_indexed((const bglml_block_t*)place->blocks, place->count);
  } else {
    *space = bglml_layout_vector(place->count, place->piece, place->stride);
  }
  *layout = space;
  return place->address;
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

void mpit_send_short(void* state, mpit_channel_t channel, uint32_t peer, size_t bytes, mpit_done_t done,
                     void* context) {
  bglml_one_packet_t* message = &((message_t*)state)->u.one_packet.message;
  bglml_one_packet_init(message, ports[channel].one_packet, peer, 0, state, bytes, done, context);
  bglml_one_packet_post(message);
}

static void send_eager(bglml_eager_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* head,
                       const void* from, uint32_t bytes, const bglml_layout_t* layout, mpit_done_t done,
                       void* context) {
  if (layout != NULL) {
    bglml_eager_init_layout(message, port, peer, head, from, layout, done, context);
  } else {
    bglml_eager_init(message, port, peer, head, from, bytes, done, context);
  }
  bglml_eager_post(message);
}

static void send_adaptive(bglml_adaptive_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* head,
                          const void* from, uint32_t bytes, const bglml_layout_t* layout, mpit_done_t done,
                          void* context) {
  if (layout != NULL) {
    bglml_adaptive_init_layout(message, port, peer, head, from, layout, done, context);
  } else {
    bglml_adaptive_init(message, port, peer, head, from, bytes, done, context);
  }
  bglml_adaptive_post(message);
}

static void send_rendezvous(bglml_rendezvous_t* message, bglml_port_t port, uint32_t peer, const bglml_metadata_t* head,
                            const void* from, uint32_t bytes, const bglml_layout_t* layout, mpit_done_t done,
                            void* context) {
  if (layout != NULL) {
    bglml_rendezvous_init_layout(message, port, peer, head, from, layout, done, context);
  } else {
    bglml_rendezvous_init(message, port, peer, head, from, bytes, done, context);
  }
  bglml_rendezvous_post(message);
}

void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* place,
               mpit_mode_t mode, mpit_done_t done, void* context) {
  message_t* message = state;
  const uint32_t bytes = place->bytes;
  const bglml_layout_t* layout;
  const void* from = placed(place, &message->layout, &layout);
  bglml_metadata_t metadata;
  memcpy(&metadata, head, sizeof metadata);
  if (mode == MPIT_ORDERED || (mode == MPIT_PLAIN && bytes <= mpit_bgl_limits.eager)) {
    send_eager(&message->u.eager, ports[channel].eager, peer, &metadata, from, bytes, layout, done, context);
  } else if (mode == MPIT_PLAIN && channel == MPIT_MESSAGES && bytes <= mpit_bgl_limits.adaptive) {
    send_adaptive(&message->u.adaptive, ports[channel].adaptive, peer, &metadata, from, bytes, layout, done, context);
  } else {
    send_rendezvous(&message->u.rendezvous, ports[channel].rendezvous, peer, &metadata, from, bytes, layout, done,
                    context);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static void message_came(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument;
  mpii_message_came(buffer, length);
}

static bglml_eager_receive_t* eager_landing(const mpit_landing_t* landing) {
  arriving_t* arriving = landing->state;
  const bglml_layout_t* layout;
  void* to = placed(&landing->place, &arriving->layout, &layout);
  if (layout != NULL) {
    bglml_eager_receive_init_layout(&arriving->u.eager, to, layout, landing->done, landing->context);
  } else {
    bglml_eager_receive_init(&arriving->u.eager, to, landing->done, landing->context);
  }
  return &arriving->u.eager;
}

static bglml_rendezvous_receive_t* rendezvous_landing(const mpit_landing_t* landing) {
  message_t* message = landing->state;
  const bglml_layout_t* layout;
  void* to = placed(&landing->place, &message->layout, &layout);
  bglml_rendezvous_receive_t* receive = &message->u.receive;
  if (layout != NULL) {
    bglml_rendezvous_receive_init_layout(receive, to, layout, landing->done, landing->context);
  } else {
    // Whole lines the coprocessor may take past this core's cache: no whole lines where the program may look there.
    bglml_rendezvous_receive_init(receive, to, landing->place.bytes | landing->coherent, landing->done,
                                  landing->context);
  }
  return receive;
}

static bglml_eager_receive_t* eager_message(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context, (void)source;
  mpit_landing_t landing;
  mpii_message_begins(metadata, length, &landing);
  return eager_landing(&landing);
}

static bglml_adaptive_receive_t* adaptive_message(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                                  uint32_t length) {
  (void)context, (void)source;
  mpit_landing_t landing;
  mpii_message_begins(metadata, length, &landing);
  arriving_t* arriving = landing.state;
  const bglml_layout_t* layout;
  void* to = placed(&landing.place, &arriving->layout, &layout);
  if (layout != NULL) {
    bglml_adaptive_receive_init_layout(&arriving->u.adaptive, to, layout, landing.done, landing.context);
  } else {
    bglml_adaptive_receive_init(&arriving->u.adaptive, to, landing.done, landing.context);
  }
  return &arriving->u.adaptive;
}

static bglml_rendezvous_receive_t* rendezvous_message(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  mpit_landing_t landing;
  if (!mpii_message_offered(&offer->metadata, offer->length, offer, &landing)) return NULL;
  return rendezvous_landing(&landing);
}

void mpit_accept(const void* offer, const mpit_landing_t* landing) {
  bglml_rendezvous_accept(offer, rendezvous_landing(landing));
}

static void access_came(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)argument;
  mpii_access_came(source, buffer, length);
}

static bglml_eager_receive_t* eager_access(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                           uint32_t length) {
  (void)context;
  mpit_landing_t landing;
  mpii_access_begins(source, metadata, length, &landing);
  return eager_landing(&landing);
}

static bglml_rendezvous_receive_t* rendezvous_access(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  mpit_landing_t landing;
  mpii_access_begins(offer->source, &offer->metadata, offer->length, &landing);
  return rendezvous_landing(&landing);
}

void mpit_bgl_messages_init(void) {
  ports[MPIT_MESSAGES].one_packet = bglml_one_packet_register(message_came, NULL);
  ports[MPIT_MESSAGES].eager = bglml_eager_register(eager_message, NULL);
  ports[MPIT_MESSAGES].adaptive = bglml_adaptive_register(adaptive_message, NULL);
  ports[MPIT_MESSAGES].rendezvous = bglml_rendezvous_register(rendezvous_message, NULL);
  ports[MPIT_ACCESSES].one_packet = bglml_one_packet_register(access_came, NULL);
  ports[MPIT_ACCESSES].eager = bglml_eager_register(eager_access, NULL);
  ports[MPIT_ACCESSES].rendezvous = bglml_rendezvous_register(rendezvous_access, NULL);
}
