// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgl/msglayer/relay.h"

#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/state.h"

enum { SLICE_BITS = 20 };  // of a message's tag; the piece's number is above

static uint32_t slice_bytes(const bglml_intake_t* intake, uint32_t slice) {
  const uint32_t left = intake->bytes - slice * BGLML_SLICE;
  return left < BGLML_SLICE ? left : BGLML_SLICE;
}

static void mark_sent(void* busy) {
  *(bool*)busy = false;
  bglml_instance->relay.changed = 1;
}

static void mark_received(void* complete) {
  *(bool*)complete = true;
  bglml_instance->relay.changed = 1;
}

static bglml_pass_place_t place(bglml_intake_t* intake, uint32_t slice) {
  const uint32_t slot = slice % BGLML_SLICES_AHEAD;
  intake->slots[slot].busy = true;
  return (bglml_pass_place_t){&intake->slots[slot].receive, intake->buffer + slice * BGLML_SLICE, mark_received,
                              &intake->slots[slot].complete};
}

/// Called when a slice is offered or arrives. A slice that is offered before the previous one in its slot is complete
/// has to wait there: its scout has overtaken the data of the other.
static bglml_pass_place_t arrival(uint32_t source, uint32_t tag, uint32_t length,
                                  const bglml_rendezvous_offer_t* offer) {
  bglml_relay_t* relay = &bglml_instance->relay;
  const uint32_t piece = tag >> SLICE_BITS, slice = tag & ((1u << SLICE_BITS) - 1);
  bglml_intake_t* intake = &relay->intakes[piece];
  if (piece >= relay->pieces || slice >= intake->slices || length != slice_bytes(intake, slice) ||
      slice < intake->received || slice - intake->received >= 2 * BGLML_SLICES_AHEAD) {
    bglml_fatal("slice %u of piece %u of a broadcast, %u bytes, from rank %u where none such is expected", slice, piece,
                length, source);
  }
  const uint32_t slot = slice % BGLML_SLICES_AHEAD;
  if (!intake->slots[slot].busy) return place(intake, slice);
  if (offer == NULL) bglml_fatal("slice %u of piece %u of a broadcast came from rank %u twice", slice, piece, source);
  intake->slots[slot].offer = *offer;
  intake->slots[slot].deferred = true;
  return (bglml_pass_place_t){NULL, NULL, NULL, NULL};
}

void bglml_relay_prepare(bglml_relay_t* relay, void* buffer, uint32_t bytes, uint32_t pieces, bool own) {
  relay->pieces = pieces;
  relay->edge_count = 0;
  relay->changed = 1;
  const uint32_t packets = (bytes + BGLML_ONE_PACKET_MAX - 1) / BGLML_ONE_PACKET_MAX;
  uint32_t begin = 0;
  for (uint32_t number = 0; number < pieces; ++number) {
    bglml_intake_t* intake = &relay->intakes[number];
    uint32_t end = (uint32_t)((uint64_t)packets * (number + 1) / pieces) * BGLML_ONE_PACKET_MAX;
    if (end > bytes) end = bytes;
    memset(intake, 0, sizeof *intake);
    intake->buffer = (uint8_t*)buffer + begin;
    intake->bytes = end - begin;
    intake->slices = (intake->bytes + BGLML_SLICE - 1) / BGLML_SLICE;
    intake->received = own ? intake->slices : 0;
    begin = end;
  }
  bglml_instance->passing.arrival = arrival;
}

void bglml_relay_edge(bglml_relay_t* relay, uint32_t peer, uint32_t piece) {
  bglml_edge_t* edge = &relay->edges[relay->edge_count++];
  edge->peer = peer;
  edge->piece = piece;
  edge->posted = 0;
  for (unsigned slot = 0; slot < BGLML_SLICES_AHEAD; ++slot) edge->slots[slot].busy = false;
}

/// Counts the slices received without a gap, and accepts slices that waited for their slot. Returns whether all have
/// arrived.
static bool take_in(bglml_intake_t* intake) {
  while (intake->received < intake->slices) {
    const uint32_t slot = intake->received % BGLML_SLICES_AHEAD;
    if (!intake->slots[slot].complete) return false;
    intake->slots[slot].busy = intake->slots[slot].complete = false;
    intake->received += 1;
    if (!intake->slots[slot].deferred) continue;
    intake->slots[slot].deferred = false;
    const bglml_pass_place_t to = place(intake, intake->received - 1 + BGLML_SLICES_AHEAD);
    bglml_pass_accept(&intake->slots[slot].offer, &to);
  }
  return true;
}

static bool sending(const bglml_edge_t* edge) {
  for (unsigned slot = 0; slot < BGLML_SLICES_AHEAD; ++slot) {
    if (edge->slots[slot].busy) return true;
  }
  return false;
}

/// Sends the slices that may be sent. Returns whether all have been sent.
static bool pass_on(bglml_relay_t* relay, bglml_edge_t* edge) {
  const bglml_intake_t* intake = &relay->intakes[edge->piece];
  for (; edge->posted < intake->received; edge->posted += 1) {
    const uint32_t slot = edge->posted % BGLML_SLICES_AHEAD;
    if (edge->slots[slot].busy) return false;
    edge->slots[slot].busy = true;
    // All slices of a piece use the same protocol: a short last one sent by the eager protocol would overtake the
    // others.
    bglml_pass(&edge->slots[slot].send, edge->peer, edge->piece << SLICE_BITS | edge->posted,
               intake->buffer + edge->posted * BGLML_SLICE, slice_bytes(intake, edge->posted),
               intake->bytes > BGLML_PASS_EAGER_MAX, mark_sent, &edge->slots[slot].busy);
  }
  return edge->posted == intake->slices && !sending(edge);
}

bool bglml_relay_progress(bglml_relay_t* relay) {
  bool done = true;
  relay->changed = 0;
  for (uint32_t piece = 0; piece < relay->pieces; ++piece) done = take_in(&relay->intakes[piece]) && done;
  for (uint32_t edge = 0; edge < relay->edge_count; ++edge) done = pass_on(relay, &relay->edges[edge]) && done;
  return done;
}

/// For the report of a job that does not end: the slice that is missing, or the rank that does not receive one.
static void say_missing(const bglml_relay_t* relay) {
  for (uint32_t piece = 0; piece < relay->pieces; ++piece) {
    const bglml_intake_t* intake = &relay->intakes[piece];
    if (intake->received == intake->slices) continue;
    bglml_say_waiting("a broadcast by messages, for slice %u of %u of its piece %u of %u", intake->received,
                      intake->slices, piece, relay->pieces);
    return;
  }
  for (uint32_t i = 0; i < relay->edge_count; ++i) {
    const bglml_edge_t* edge = &relay->edges[i];
    if (edge->posted < relay->intakes[edge->piece].slices || sending(edge)) {
      bglml_say_waiting("a broadcast by messages, sending to rank %u", edge->peer, 0, 0, 0);
      return;
    }
  }
}

void bglml_relay_run(bglml_relay_t* relay) {
  while (!bglml_relay_progress(relay)) {
    say_missing(relay);
    bglml_wait(&relay->changed);
  }
  bglml_say_done();
  bglml_instance->passing.arrival = NULL;
}
