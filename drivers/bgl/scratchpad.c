// SPDX-License-Identifier: Apache-2.0
#include "drivers/bgl/scratchpad.h"

#include "drivers/bgl/quad_runs.h"

enum { QUAD = TORUS_QUAD_BYTES };

void bgl_scratchpad_clear(unsigned offset, unsigned bytes) {
  bgl_run_write_zeroes(bgl_scratchpad_address(offset), QUAD, bytes / QUAD);
}

void bgl_scratchpad_write(unsigned offset, const void* memory, unsigned quads) {
  bgl_run_write_quads(bgl_scratchpad_address(offset), QUAD, (const uint8_t*)memory, quads);
}

void bgl_scratchpad_write_bytes(unsigned offset, const void* memory, unsigned bytes, unsigned total_quads) {
  bgl_run_write_bytes(bgl_scratchpad_address(offset), QUAD, (const uint8_t*)memory, bytes, total_quads);
}

void bgl_scratchpad_read(unsigned offset, void* memory, unsigned bytes) {
  bgl_run_read_bytes(bgl_scratchpad_address(offset), QUAD, (uint8_t*)memory, bytes);
}
