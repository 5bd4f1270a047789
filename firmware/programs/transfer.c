// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/transfer.h"

#include <string.h>

static struct {
  bglml_port_t port;
  transfer_arrival_t arrival;
} transfer;

static bglml_eager_receive_t* eager_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context;
  uint32_t tag;
  memcpy(&tag, metadata, sizeof tag);
  const transfer_place_t place = transfer.arrival(source, tag, length);
  bglml_eager_receive_init(&place.receive->eager, place.buffer, place.recvdone, place.context);
  return &place.receive->eager;
}

bool transfer_open(const char* protocol, transfer_arrival_t arrival) {
  if (strcmp(protocol, "eager") != 0) return false;
  transfer.arrival = arrival;
  transfer.port = bglml_eager_register(eager_recvnew, NULL);
  return true;
}

void transfer_post(transfer_send_t* send, uint32_t peer, uint32_t tag, const void* buffer, uint32_t length,
                   bglml_done_t senddone, void* context) {
  bglml_metadata_t metadata = {{0}};
  memcpy(&metadata, &tag, sizeof tag);
  bglml_eager_init(&send->eager, transfer.port, peer, &metadata, buffer, length, senddone, context);
  bglml_eager_post(&send->eager);
}
