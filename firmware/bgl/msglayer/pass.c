// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgl/msglayer/pass.h"

#include <stdio.h>

#include "firmware/bgl/msglayer/state.h"

enum { KIND_SHIFT = 24, ROOT_MASK = (1 << KIND_SHIFT) - 1 };

/// What a message says of itself.
typedef struct {
  uint32_t tag;
  bglml_pass_call_t call;
} lead_t;

_Static_assert(sizeof(lead_t) == BGLML_METADATA_BYTES, "it is a message's metadata");

void bglml_pass_begin(bglml_pass_kind_t kind, uint32_t root, uint32_t bytes, bglml_pass_arrival_t arrival) {
  bglml_passing_t* passing = &bglml_instance->passing;
  passing->call.number += 1;
  passing->call.kind_and_root = (uint32_t)kind << KIND_SHIFT | (root & ROOT_MASK);
  passing->call.bytes = bytes;
  passing->arrival = arrival;
}

enum { DESCRIPTION = 112 };

/// "operation 3 by messages, binomial broadcast of 400 bytes, root 5".
static void describe(char* text, uint32_t size, const bglml_pass_call_t* call) {
  static const char* const names[BGLML_PASS_KINDS] = {
      [BGLML_PASS_BROADCAST_DEPOSIT] = "broadcast along lines",
      [BGLML_PASS_BROADCAST_NEIGHBOURS] = "broadcast by neighbours",
      [BGLML_PASS_BROADCAST_BINOMIAL] = "binomial broadcast",
      [BGLML_PASS_TREE_BROADCAST] = "broadcast of the tree's operations",
      [BGLML_PASS_ALLTOALL_AT_ONCE] = "all-to-all at once",
      [BGLML_PASS_ALLTOALL_PAIRS] = "all-to-all in pairs",
      [BGLML_PASS_ALLTOALLV] = "alltoallv",
      [BGLML_PASS_ALLGATHERV] = "allgatherv",
  };
  const uint32_t kind = call->kind_and_root >> KIND_SHIFT, root = call->kind_and_root & ROOT_MASK;
  char bytes[24] = "", from[24] = "";
  if (call->bytes != 0) snprintf(bytes, sizeof bytes, " of %u bytes", call->bytes);
  if (root != ROOT_MASK) snprintf(from, sizeof from, ", root %u", root);
  snprintf(text, size, "operation %u by messages, %s%s%s", call->number - 1,
           kind < BGLML_PASS_KINDS ? names[kind] : "of no kind", bytes, from);
}

static void __attribute__((noreturn)) refuse(uint32_t source, const bglml_pass_call_t* came) {
  const bglml_passing_t* passing = &bglml_instance->passing;
  char here[DESCRIPTION], there[DESCRIPTION];
  if (passing->call.number == 0) {
    snprintf(here, sizeof here, "before any operation by messages");
  } else {
    const int length = snprintf(here, sizeof here, "%s", passing->arrival == NULL ? "after " : "");
    describe(here + length, sizeof here - (uint32_t)length, &passing->call);
  }
  describe(there, sizeof there, came);
  bglml_fatal(
      "%s: from rank %u came a message of %s; all ranks must call the same operations in the same order, with the "
      "same sizes and roots",
      here, source, there);
}

static bglml_pass_place_t place_of(uint32_t source, const bglml_metadata_t* metadata, uint32_t length,
                                   const bglml_rendezvous_offer_t* offer) {
  const bglml_passing_t* passing = &bglml_instance->passing;
  lead_t lead;
  memcpy(&lead, metadata->bytes, sizeof lead);
  if (passing->arrival == NULL || lead.call.number != passing->call.number ||
      lead.call.kind_and_root != passing->call.kind_and_root || lead.call.bytes != passing->call.bytes) {
    refuse(source, &lead.call);
  }
  return passing->arrival(source, lead.tag, length, offer);
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
  const lead_t lead = {tag, passing->call};
  bglml_metadata_t metadata;
  memcpy(metadata.bytes, &lead, sizeof lead);
  if (rendezvous) {
    bglml_rendezvous_init(&send->rendezvous, passing->rendezvous, peer, &metadata, buffer, bytes, senddone, context);
    bglml_rendezvous_post(&send->rendezvous);
  } else {
    bglml_eager_init(&send->eager, passing->eager, peer, &metadata, buffer, bytes, senddone, context);
    bglml_eager_post(&send->eager);
  }
}
