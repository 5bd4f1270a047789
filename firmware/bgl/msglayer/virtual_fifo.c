// SPDX-License-Identifier: Apache-2.0
// Virtual FIFOs: a ring of chunks each.
#include "firmware/bgl/msglayer/virtual_fifo.h"

#include "drivers/bgl/lockbox.h"
#include "firmware/bgl/msglayer/state.h"

static unsigned offset_of(unsigned fifo, uint32_t chunk) {
  return BGLML_PAD_VIRTUAL_FIFO + fifo * BGLML_PAD_VIRTUAL_FIFO_BYTES + chunk * TORUS_CHUNK_BYTES;
}

/// Where the packet after one of `chunks` chunks at `at` begins. A packet that reaches past the end is the last of its
/// lap; that laps are of different length does no harm while the count stays within BGLML_VIRTUAL_CHUNKS.
static uint32_t behind(uint32_t at, unsigned chunks) {
  return at + chunks < BGLML_VIRTUAL_CHUNKS ? at + chunks : 0;
}

/// Both processes change the count: the lock makes reading, changing and writing it atomic. Taking and releasing the
/// lock also orders the accesses to the packet with respect to the count.
static void count(unsigned fifo, uint32_t change) {
  const unsigned counter = BGLML_PAD_STATUS + 4 * fifo;
  bgl_lockbox_lock(BGLML_LOCK_VIRTUAL_FIFO + fifo);
  bgl_scratchpad_write_word(counter, bgl_scratchpad_read_word(counter) + change);
  bgl_lockbox_unlock(BGLML_LOCK_VIRTUAL_FIFO + fifo);
}

void bglml_virtual_init(bglml_virtual_fifos_t* fifos, unsigned t) {
  *fifos = (bglml_virtual_fifos_t){.present = true, .in = (uint8_t)t, .out = (uint8_t)(1 - t)};
}

void bglml_virtual_inject(bglml_virtual_fifos_t* fifos, const torus_header_t* header, const bglml_head_t* head,
                          const void* payload, uint32_t bytes) {
  const unsigned chunks = bgl_torus_header_chunks(header);
  const unsigned offset = offset_of(fifos->out, fifos->tail);
  const unsigned before = 1u + head->lead_quads;
  bgl_scratchpad_write(offset, header, 1);
  if (head->lead_quads != 0) bgl_scratchpad_write(offset + BGLML_QUAD_BYTES, head->lead, head->lead_quads);
  bgl_scratchpad_write_bytes(offset + BGLML_QUAD_BYTES * before, payload, bytes, TORUS_CHUNK_QUADS * chunks - before);
  fifos->tail = behind(fifos->tail, chunks);
  count(fifos->out, chunks);
}

void bglml_virtual_drain(bglml_virtual_fifos_t* fifos, unsigned chunks) {
  const unsigned all = chunks;
  while (chunks != 0) {
    const unsigned offset = offset_of(fifos->in, fifos->head);
    torus_header_t header;
    bgl_scratchpad_read(offset, &header, sizeof header);
    const uint32_t word2 = bgl_torus_software(&header, 2);
    bglml_packet_t packet = {
        .source = bglml_word2_source(word2),
        .argument = bgl_torus_software(&header, 3),
        .quads = bgl_torus_rest_quads(&header),
        .scratchpad = (uint16_t)(offset + BGLML_QUAD_BYTES),
    };
    const unsigned size = bgl_torus_header_chunks(&header);
    chunks -= size;
    fifos->head = behind(fifos->head, size);
    bglml_dispatch(&packet, bglml_word2_handler(word2));
  }
  fifos->kept += all;
  if (fifos->kept > BGLML_VIRTUAL_KEPT) {
    count(fifos->in, 0u - fifos->kept);
    fifos->kept = 0;
  }
}
