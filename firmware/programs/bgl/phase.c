// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgl/phase.h"

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/msglayer.h"

uint32_t program_idle_turn(void) {
  enum { TURNS = 64 };
  const uint64_t start = bgl_timebase();
  for (unsigned turn = 0; turn < TURNS; ++turn) bglml_advance();
  return (uint32_t)((bgl_timebase() - start) / TURNS);
}

void program_wait_part_of_turns(uint32_t number, uint32_t turn) {
  enum { TURNS = 8 };  // over several, the ends that are no whole turn of the peer's loop count for little
  const uint64_t until = bgl_timebase() + (uint32_t)((uint64_t)(number * 0x9E3779B9u) * TURNS * turn >> 32);
  while (bgl_timebase() < until) {
  }
}
