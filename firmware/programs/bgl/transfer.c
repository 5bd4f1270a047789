// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgl/transfer.h"

#include <string.h>

enum { EAGER, ADAPTIVE_EAGER, RENDEZVOUS, PROTOCOLS };

static const char* const names[PROTOCOLS] = {"eager", "adaptive-eager", "rendezvous"};

static struct {
  unsigned protocol;
  bglml_port_t port;
  transfer_arrival_t arrival;
} transfer;

static transfer_place_t place_of(uint32_t source, const bglml_metadata_t* metadata, uint32_t length) {
  uint32_t tag;
  memcpy(&tag, metadata, sizeof tag);
  return transfer.arrival(source, tag, length);
}

static bglml_eager_receive_t* eager_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context;
  const transfer_place_t place = place_of(source, metadata, length);
  bglml_eager_receive_init(&place.receive->eager, place.buffer, place.recvdone, place.context);
  return &place.receive->eager;
}

static bglml_adaptive_receive_t* adaptive_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                                  uint32_t length) {
  (void)context;
  const transfer_place_t place = place_of(source, metadata, length);
  bglml_adaptive_receive_init(&place.receive->adaptive, place.buffer, place.recvdone, place.context);
  return &place.receive->adaptive;
}

static bglml_rendezvous_receive_t* rendezvous_recvnew(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  const transfer_place_t place = place_of(offer->source, &offer->metadata, offer->length);
  bglml_rendezvous_receive_init(&place.receive->rendezvous, place.buffer, place.capacity, place.recvdone,
                                place.context);
  return &place.receive->rendezvous;
}

bool transfer_open(const char* protocol, transfer_arrival_t arrival) {
  while (strcmp(protocol, names[transfer.protocol]) != 0) {
    if (++transfer.protocol == PROTOCOLS) return false;
  }
  transfer.arrival = arrival;
  switch (transfer.protocol) {
    case EAGER:
      transfer.port = bglml_eager_register(eager_recvnew, NULL);
      break;
    case ADAPTIVE_EAGER:
      transfer.port = bglml_adaptive_register(adaptive_recvnew, NULL);
      break;
    default:
      transfer.port = bglml_rendezvous_register(rendezvous_recvnew, NULL);
  }
  return true;
}

void transfer_post(transfer_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t length,
                   bglml_done_t senddone, void* context) {
  bglml_metadata_t metadata = {{0}};
  memcpy(&metadata, &tag, sizeof tag);
  switch (transfer.protocol) {
    case EAGER:
      bglml_eager_init(&send->eager, transfer.port, peer, &metadata, buffer, length, senddone, context);
      bglml_eager_post(&send->eager);
      break;
    case ADAPTIVE_EAGER:
      bglml_adaptive_init(&send->adaptive, transfer.port, peer, &metadata, buffer, length, senddone, context);
      bglml_adaptive_post(&send->adaptive);
      break;
    default:
      bglml_rendezvous_init(&send->rendezvous, transfer.port, peer, &metadata, buffer, length, senddone, context);
      bglml_rendezvous_post(&send->rendezvous);
  }
}
