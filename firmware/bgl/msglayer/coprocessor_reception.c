// SPDX-License-Identifier: Apache-2.0
// Rendezvous data received by the coprocessor, and what both cores do to keep memory coherent.
//
// Before the sender learns of the buffer, core 0 flushes its lines: later, no stale copy can be read or written back
// over the data. Core 1 reads each packet directly to its destination, writes the lines back when all data has arrived,
// and only then reports this in the scratchpad. Core 0 calls recvdone; its first access fetches the lines from memory.
#include "drivers/bgl/second_core.h"
#include "drivers/bgl/torus_full.h"
#include "firmware/bgl/msglayer/state.h"

enum { GIVEN = BGLML_PAD_WORK + 12, RECEIVED = BGLML_PAD_RECEPTION, NO_SLOT = BGLML_CO_RECEPTIONS };

/// An entry in the ring of ends, a quad: word 0, the slot's number; word 1, packets that were early; word 2, bytes that
/// were copied.

static unsigned slot_offset(unsigned number) {
  return BGLML_PAD_SLOTS + BGLML_QUAD_BYTES * number;
}

static unsigned ring_offset(uint32_t end) {
  return BGLML_PAD_RECEIVED + BGLML_QUAD_BYTES * (end % BGLML_CO_RECEPTIONS);
}

/// The layout of a slot in the scratchpad.
static bgl_scratchpad_quad_t slot_to_quad(const bglml_data_slot_t* slot) {
  return (bgl_scratchpad_quad_t){{(uint32_t)(uintptr_t)slot->buffer, slot->length, slot->remaining, slot->id}};
}

static bglml_data_slot_t quad_to_slot(const bgl_scratchpad_quad_t* quad) {
  return (bglml_data_slot_t){(uint8_t*)(uintptr_t)quad->word[0], quad->word[1], quad->word[2], quad->word[3]};
}

// Core 0. ---------------------------------------------------------------------------------------------------------

bool bglml_coprocessor_accept(bglml_coprocessor_t* coprocessor, bglml_rendezvous_receive_t* receive, uint32_t* id) {
  const bglml_view_t* view = &receive->view;
  if (!coprocessor->present || view->layout != NULL || !bgl_cache_whole_lines(view->buffer, view->bytes)) return false;
  if (coprocessor->free == NO_SLOT || !bglml_coprocessor_idle(coprocessor)) return false;
  bglml_coprocessor_start(coprocessor);
  const uint32_t number = coprocessor->free;
  coprocessor->free = coprocessor->next[number];
  coprocessor->receives[number] = receive;
  *id = coprocessor->ids[number];
  bgl_cache_flush(view->buffer, receive->length);
  const bglml_data_slot_t slot = {view->buffer, receive->length, receive->length, *id};
  const bgl_scratchpad_quad_t quad = slot_to_quad(&slot);
  bgl_scratchpad_write_quad(slot_offset(number), &quad);
  coprocessor->given += 1;
  bgl_scratchpad_write_word(GIVEN, coprocessor->given);
  return true;
}

void bglml_coprocessor_finish(bglml_coprocessor_t* coprocessor, uint32_t received) {
  while (coprocessor->received != received) {
    bgl_scratchpad_quad_t end;
    bgl_scratchpad_read_quad(ring_offset(coprocessor->received), &end);
    const uint32_t number = end.word[0];
    bglml_rendezvous_receive_t* receive = coprocessor->receives[number];
    coprocessor->received += 1;
    coprocessor->ids[number] = (coprocessor->ids[number] + BGLML_CO_RECEPTIONS) & BGLML_WORD2_ID_MAX;
    coprocessor->next[number] = coprocessor->free;
    coprocessor->free = number;
    bglml_counters_t* counters = &bglml_instance->counters;
    counters->received.packets[BGLML_COUNT_RENDEZVOUS] +=
        (receive->length + BGLML_ONE_PACKET_MAX - 1) / BGLML_ONE_PACKET_MAX;
    counters->received.direct += receive->length - end.word[2];
    counters->received.copied += end.word[2];
    counters->coprocessor_messages += 1;
    counters->early_packets += end.word[1];
    receive->disordered = end.word[1] != 0;
    counters->disordered_messages += receive->disordered;
    if (receive->recvdone != NULL) receive->recvdone(receive->context);
  }
}

// Core 1. ---------------------------------------------------------------------------------------------------------

static _Noreturn void fail(void) {
  bglml_coprocessor_fail("coprocessor: rendezvous packet", " that no reception has");
}

/// The first packet of a message brings its slot from the scratchpad.
static __attribute__((noinline)) void fetch(bglml_worker_t* worker, unsigned number, uint32_t id) {
  bgl_scratchpad_quad_t quad;
  bgl_scratchpad_read_quad(slot_offset(number), &quad);
  worker->slots[number] = quad_to_slot(&quad);
  worker->early[number] = worker->copied[number] = 0;
  if (worker->slots[number].id != id) fail();
}

static void end(bglml_worker_t* worker, unsigned number) {
  const bglml_data_slot_t* slot = &worker->slots[number];
  bgl_cache_flush(slot->buffer, slot->length);
  const bgl_scratchpad_quad_t quad = {{number, worker->early[number], worker->copied[number], 0}};
  bgl_scratchpad_write_quad(ring_offset(worker->received), &quad);
  worker->received += 1;
  bgl_scratchpad_write_word(RECEIVED, worker->received);
}

static inline uint32_t id_of(const torus_header_t* header) {
  // The id alone where the handler is that of data; anything else is no slot's id.
  return bgl_torus_software(header, 2) ^ bglml_word2(BGLML_HANDLER_DATA, 0);
}

/// Records that `bytes` more bytes of a message have arrived.
static inline void count_in(bglml_worker_t* worker, unsigned number, uint32_t offset, uint32_t bytes) {
  bglml_data_slot_t* slot = &worker->slots[number];
  const uint32_t remaining = slot->remaining;
  if (offset + remaining > slot->length) worker->early[number] += 1;
  slot->remaining = remaining - bytes;
  if (remaining == bytes) end(worker, number);
}

/// Quads that were read from a FIFO but not used, and the number of quads that are still in it.
typedef struct {
  torus_header_t quads[BGL_TORUS_AHEAD_QUADS];
  unsigned held;
  unsigned behind;
} stream_t;

/// The packet whose header comes next, whatever it is: the first of its message, the last, one that begins among the
/// quads held.
static __attribute__((noinline)) void take_any(bglml_worker_t* worker, stream_t* stream, unsigned fifo) {
  torus_header_t packet[TORUS_MAX_QUADS];
  if (stream->held == 0) {
    bgl_torus_read_rest(BGLML_CO_GROUP, fifo, stream->quads, TORUS_CHUNK_QUADS);
    stream->held = TORUS_CHUNK_QUADS;
    stream->behind -= TORUS_CHUNK_QUADS;
  }
  const unsigned quads = TORUS_CHUNK_QUADS * bgl_torus_header_chunks(&stream->quads[0]);
  const unsigned held = stream->held < quads ? stream->held : quads;
  memcpy(packet, stream->quads, held * sizeof packet[0]);
  bgl_torus_read_rest(BGLML_CO_GROUP, fifo, &packet[held], quads - held);
  stream->held -= held;
  stream->behind -= quads - held;
  memmove(stream->quads, &stream->quads[held], stream->held * sizeof packet[0]);

  const uint32_t id = id_of(packet);
  const unsigned number = id % BGLML_CO_RECEPTIONS;
  if (worker->slots[number].id != id) fetch(worker, number, id);
  const bglml_data_slot_t* slot = &worker->slots[number];
  const bglml_data_place_t place = bglml_data_find(slot, bgl_torus_software(packet, 3));
  if (place.bytes == 0 || place.bytes > (quads - 1u) * BGLML_QUAD_BYTES) fail();
  memcpy(slot->buffer + place.offset, &packet[1], place.bytes);
  worker->copied[number] += place.bytes;
  count_in(worker, number, place.offset, place.bytes);
}

/// Reads full packets of known messages directly to their destination.
static void drain(bglml_worker_t* worker, unsigned fifo, unsigned chunks) {
  const uintptr_t window = bgl_torus_reception_window(BGLML_CO_GROUP, fifo);
  stream_t stream = {.behind = TORUS_CHUNK_QUADS * chunks};
  while (stream.behind >= TORUS_MAX_QUADS) {
    const bgl_torus_ahead_t ahead = bgl_torus_peek_ahead(window, &stream.quads[0]);
    const torus_header_t* header = &stream.quads[0];
    const unsigned number = id_of(header) % BGLML_CO_RECEPTIONS;
    const bglml_data_slot_t* slot = &worker->slots[number];
    const uint32_t offset = bgl_torus_software(header, 3) - (uint32_t)(uintptr_t)slot->buffer;
    stream.behind -= BGL_TORUS_AHEAD_QUADS;
    if (slot->id == id_of(header) && bgl_torus_header_chunks(header) == TORUS_MAX_CHUNKS &&
        offset % BGLML_QUAD_BYTES == 0 && offset < slot->length && slot->length - offset >= BGLML_ONE_PACKET_MAX) {
      bgl_torus_read_full(window, &ahead, slot->buffer + offset);
      stream.behind -= TORUS_MAX_QUADS - BGL_TORUS_AHEAD_QUADS;
      count_in(worker, number, offset, BGLML_ONE_PACKET_MAX);
      continue;
    }
    stream.held = BGL_TORUS_AHEAD_QUADS;
    bgl_torus_keep_ahead(&ahead, (uint8_t*)&stream.quads[1]);
    while (stream.held != 0) take_any(worker, &stream, fifo);
  }
  while (stream.behind != 0) take_any(worker, &stream, fifo);
}

void bglml_worker_receive(void* argument) {
  bglml_worker_t* worker = argument;
  for (;;) {
    bgl_torus_status_t status;
    bgl_torus_read_status(BGLML_CO_GROUP, &status);
    if (!bglml_anything_received(&status)) return;
    for (unsigned fifo = 0; fifo < BGL_TORUS_RECEPTION_FIFOS; ++fifo) {
      const unsigned chunks = bgl_torus_reception_chunks(&status, fifo);
      if (chunks != 0) drain(worker, fifo, chunks);
    }
  }
}
