// SPDX-License-Identifier: Apache-2.0
// Accesses to windows: their ports in the message layer. Programs without windows are not linked with this file.
#include "firmware/mpi/transport/bgl/bgl.h"

static void access_came(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)argument;
  mpii_access_came(source, buffer, length);
}

static bglml_eager_receive_t* eager_access(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                           uint32_t length) {
  (void)context;
  mpit_landing_t landing;
  mpii_access_begins(source, metadata, length, &landing);
  return mpit_bgl_eager_landing(&landing);
}

static bglml_rendezvous_receive_t* rendezvous_access(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  mpit_landing_t landing;
  mpii_access_begins(offer->source, &offer->metadata, offer->length, &landing);
  return mpit_bgl_rendezvous_landing(&landing);
}

void mpit_open_accesses(void) {
  mpit_bgl_ports_t* ports = &mpit_bgl_ports[MPIT_ACCESSES];
  ports->one_packet = bglml_one_packet_register(access_came, NULL);
  ports->eager = bglml_eager_register(eager_access, NULL);
  ports->rendezvous = bglml_rendezvous_register(rendezvous_access, NULL);
}
