// SPDX-License-Identifier: Apache-2.0
#include "firmware/msglayer/pass.h"

#include "firmware/msglayer/state.h"

static bglml_pass_place_t place_of(uint32_t source, const bglml_metadata_t* metadata, uint32_t length,
                                   const bglml_rendezvous_offer_t* offer) {
  const bglml_passing_t* passing = &bglml_instance->passing;
  uint32_t tag;
  memcpy(&tag, metadata->bytes, sizeof tag);
  if (passing->arrival == NULL) {
    bglml_fatal("message of a collective operation from rank %u, in none; all ranks must call the same ones", source);
  }
  return passing->arrival(source, tag, length, offer);
}

static bglml_eager_receive_t* eager_arrives(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context;
  const bglml_pass_place_t place = place_of(source, metadata, length, NULL);
  bglml_eager_receive_init(&place.receive->eager, place.buffer, place.recvdone, place.context);
  return &place.receive->eager;
}

static void init_receive(const bglml_rendezvous_offer_t* offer, const bglml_pass_place_t* place) {
  bglml_rendezvous_receive_init(&place->receive->rendezvous, place->buffer, offer->length, place->recvdone,
                                place->context);
}

static bglml_rendezvous_receive_t* rendezvous_arrives(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  const bglml_pass_place_t place = place_of(offer->source, &offer->metadata, offer->length, offer);
  if (place.receive == NULL) return NULL;
  init_receive(offer, &place);
  return &place.receive->rendezvous;
}

void bglml_pass_accept(const bglml_rendezvous_offer_t* offer, const bglml_pass_place_t* place) {
  init_receive(offer, place);
  bglml_rendezvous_accept(offer, &place->receive->rendezvous);
}

void bglml_passing_init(bglml_passing_t* passing) {
  passing->eager = bglml_eager_register(eager_arrives, NULL);
  passing->rendezvous = bglml_rendezvous_register(rendezvous_arrives, NULL);
}

void bglml_pass(bglml_pass_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t bytes,
                bool rendezvous, bglml_done_t senddone, void* context) {
  const bglml_passing_t* passing = &bglml_instance->passing;
  bglml_metadata_t metadata = {{0}};
  memcpy(metadata.bytes, &tag, sizeof tag);
  if (rendezvous) {
    bglml_rendezvous_init(&send->rendezvous, passing->rendezvous, peer, &metadata, buffer, bytes, senddone, context);
    bglml_rendezvous_post(&send->rendezvous);
  } else {
    bglml_eager_init(&send->eager, passing->eager, peer, &metadata, buffer, bytes, senddone, context);
    bglml_eager_post(&send->eager);
  }
}
