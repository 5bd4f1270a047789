// SPDX-License-Identifier: Apache-2.0
// Messages by the protocols of the message layer: which one, and what comes through their ports.
#include "firmware/mpi/transport/bgl/bgl.h"

/// A message under way.
typedef struct {
  union {
    mpit_bgl_short_t short_message;
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

mpit_bgl_ports_t mpit_bgl_ports[MPIT_CHANNELS];

/// A place as the message layer describes it: an address and, if it is not contiguous, a layout.
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

void mpit_send(void* state, mpit_channel_t channel, uint32_t peer, const void* head, const mpit_place_t* place,
               mpit_mode_t mode, mpit_done_t done, void* context) {
  message_t* message = state;
  const mpit_bgl_ports_t* ports = &mpit_bgl_ports[channel];
  const uint32_t bytes = place->bytes;
  const bglml_layout_t* layout;
  const void* from = placed(place, &message->layout, &layout);
  const bglml_metadata_t* metadata = head;
  if (mode == MPIT_ORDERED || (mode == MPIT_PLAIN && bytes <= mpit_bgl_limits.eager)) {
    bglml_eager_t* eager = &message->u.eager;
    if (layout != NULL) {
      bglml_eager_init_layout(eager, ports->eager, peer, metadata, from, layout, done, context);
    } else {
      bglml_eager_init(eager, ports->eager, peer, metadata, from, bytes, done, context);
    }
    bglml_eager_post(eager);
  } else if (mode == MPIT_PLAIN && channel == MPIT_MESSAGES && bytes <= mpit_bgl_limits.adaptive) {
    bglml_adaptive_t* adaptive = &message->u.adaptive;
    if (layout != NULL) {
      bglml_adaptive_init_layout(adaptive, ports->adaptive, peer, metadata, from, layout, done, context);
    } else {
      bglml_adaptive_init(adaptive, ports->adaptive, peer, metadata, from, bytes, done, context);
    }
    bglml_adaptive_post(adaptive);
  } else {
    bglml_rendezvous_t* rendezvous = &message->u.rendezvous;
    if (layout != NULL) {
      bglml_rendezvous_init_layout(rendezvous, ports->rendezvous, peer, metadata, from, layout, done, context);
    } else {
      bglml_rendezvous_init(rendezvous, ports->rendezvous, peer, metadata, from, bytes, done, context);
    }
    bglml_rendezvous_post(rendezvous);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static void message_came(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument;
  mpii_message_came(buffer, length);
}

bglml_eager_receive_t* mpit_bgl_eager_landing(const mpit_landing_t* landing) {
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

bglml_rendezvous_receive_t* mpit_bgl_rendezvous_landing(const mpit_landing_t* landing) {
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
  return mpit_bgl_eager_landing(&landing);
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
  return mpit_bgl_rendezvous_landing(&landing);
}

void mpit_accept(const void* offer, const mpit_landing_t* landing) {
  bglml_rendezvous_accept(offer, mpit_bgl_rendezvous_landing(landing));
}

void mpit_bgl_messages_init(void) {
  mpit_bgl_ports_t* ports = &mpit_bgl_ports[MPIT_MESSAGES];
  ports->one_packet = bglml_one_packet_register(message_came, NULL);
  ports->eager = bglml_eager_register(eager_message, NULL);
  ports->adaptive = bglml_adaptive_register(adaptive_message, NULL);
  ports->rendezvous = bglml_rendezvous_register(rendezvous_message, NULL);
}
