// SPDX-License-Identifier: Apache-2.0
// Rendezvous data received by the coprocessor, with both cores' part in keeping memory coherent.
//
// Before the sender hears of the buffer, core 0 writes it back and forgets its lines: no old copy can be found, or come
// upon the data, later. Core 1 reads each packet straight to its place, writes the lines back when all are there and
// only then says so in the scratchpad. Core 0 calls recvdone; its first touch brings the lines from memory.
#include "drivers/bgl/second_core.h"
#include "drivers/bgl/torus.h"
#include "firmware/msglayer/state.h"

enum {
  GIVEN = BGLML_PAD_WORK + 12,
  RECEIVED = BGLML_PAD_RECEPTION,
  NO_SLOT = BGLML_CO_RECEPTIONS,
  DISORDERED = 1 << 16  ///< in the ring of ends, beside the slot's number
};

static unsigned slot_offset(unsigned number) {
  return BGLML_PAD_SLOTS + BGLML_QUAD_BYTES * number;
}

static unsigned ring_offset(uint32_t end) {
  return BGLML_PAD_RECEIVED + 4 * (end % BGLML_CO_RECEPTIONS);
}

/// A slot as it lies in the scratchpad.
static bgl_scratchpad_quad_t slot_to_quad(const bglml_data_slot_t* slot) {
  return (bgl_scratchpad_quad_t){{(uint32_t)(uintptr_t)slot->buffer, slot->length, slot->remaining, slot->id}};
}

static bglml_data_slot_t quad_to_slot(const bgl_scratchpad_quad_t* quad) {
  return (bglml_data_slot_t){(uint8_t*)(uintptr_t)quad->word[0], quad->word[1], quad->word[2], quad->word[3]};
}

// Core 0. ---------------------------------------------------------------------------------------------------------

bool bglml_coprocessor_accept(bglml_coprocessor_t* coprocessor, bglml_rendezvous_receive_t* receive, uint32_t* id) {
  const bglml_view_t* view = &receive->view;
  if (!coprocessor->running || view->layout != NULL || !bgl_cache_whole_lines(view->buffer, view->bytes)) return false;
  if (coprocessor->free == NO_SLOT || !bglml_coprocessor_idle(coprocessor)) return false;
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
    const uint32_t end = bgl_scratchpad_read_word(ring_offset(coprocessor->received));
    const uint32_t number = end % BGLML_CO_RECEPTIONS;
    bglml_rendezvous_receive_t* receive = coprocessor->receives[number];
    coprocessor->received += 1;
    coprocessor->ids[number] = (coprocessor->ids[number] + BGLML_CO_RECEPTIONS) & BGLML_WORD2_ID_MAX;
    coprocessor->next[number] = coprocessor->free;
    coprocessor->free = number;
    receive->disordered = (end & DISORDERED) != 0;
    if (receive->recvdone != NULL) receive->recvdone(receive->context);
  }
}

// Core 1. ---------------------------------------------------------------------------------------------------------

static _Noreturn void fail(void) {
  bgl_second_core_fail("message layer: coprocessor: rendezvous packet that no reception has\n", BGLML_EXIT_FATAL);
}

/// The first packet of a message brings its slot from the scratchpad.
static __attribute__((noinline)) void fetch(bglml_worker_t* worker, unsigned number, uint32_t id) {
  bgl_scratchpad_quad_t quad;
  bgl_scratchpad_read_quad(slot_offset(number), &quad);
  worker->slots[number] = quad_to_slot(&quad);
  worker->disordered[number] = false;
  if (worker->slots[number].id != id) fail();
}

static void end(bglml_worker_t* worker, unsigned number) {
  const bglml_data_slot_t* slot = &worker->slots[number];
  bgl_cache_flush(slot->buffer, slot->length);
  bgl_scratchpad_write_word(ring_offset(worker->received), number | (worker->disordered[number] ? DISORDERED : 0));
  worker->received += 1;
  bgl_scratchpad_write_word(RECEIVED, worker->received);
}

static void drain(bglml_worker_t* worker, unsigned fifo, unsigned chunks) {
  while (chunks != 0) {
    bgl_torus_header_t header;
    bgl_torus_peek(BGLML_CO_GROUP, fifo, &header);
    // The id alone where the handler is that of data; anything else is no slot's id.
    const uint32_t id = bgl_torus_software(&header, 2) ^ bglml_word2(BGLML_HANDLER_DATA, 0);
    const uint32_t address = bgl_torus_software(&header, 3);
    const unsigned number = id % BGLML_CO_RECEPTIONS;
    bglml_data_slot_t* slot = &worker->slots[number];
    if (slot->id != id) fetch(worker, number, id);
    const uint32_t so_far = slot->length - slot->remaining;
    if (address - (uint32_t)(uintptr_t)slot->buffer > so_far) worker->disordered[number] = true;
    if (bglml_data_take(slot, address, bgl_torus_rest_quads(&header), BGLML_CO_GROUP, fifo) == 0) fail();
    chunks -= bgl_torus_header_chunks(&header);
    if (slot->remaining == 0) end(worker, number);
  }
}

void bglml_worker_receive(void* argument) {
  bglml_worker_t* worker = argument;
  bgl_torus_status_t status;
  bgl_torus_read_status(BGLML_CO_GROUP, &status);
  if (!bglml_anything_received(&status)) return;
  for (unsigned fifo = 0; fifo < BGL_TORUS_RECEPTION_FIFOS; ++fifo) {
    const unsigned chunks = bgl_torus_reception_chunks(&status, fifo);
    if (chunks != 0) drain(worker, fifo, chunks);
  }
}
