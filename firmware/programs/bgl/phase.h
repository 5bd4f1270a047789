// SPDX-License-Identifier: Apache-2.0
/// Latencies to less than a turn of a polling loop.
///
/// A polling core sees a packet only at its next poll, up to one iteration of its loop later. On a machine without
/// noise each round trip would meet the loop at the same point, and the resolution of a latency would be a whole
/// iteration. So a measuring program waits for a varying fraction of an iteration before each round trip, outside the
/// measured time.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGL_PHASE_H
#define TOROID_FIRMWARE_PROGRAMS_BGL_PHASE_H

#include <stdint.h>

/// What a turn of a polling loop takes in which nothing happens, in cycles.
uint32_t program_idle_turn(void);

/// Waits for a fraction of some iterations of a polling loop that takes `turn` cycles, a different one for each
/// `number`: they fill the whole evenly whatever how many (steps of the golden section).
void program_wait_part_of_turns(uint32_t number, uint32_t turn);

#endif
