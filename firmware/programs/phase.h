// SPDX-License-Identifier: Apache-2.0
/// Latencies to less than a turn of a polling loop.
///
/// A polling core sees a packet only at its next look, up to a turn of its loop later. On a machine without noise each
/// round trip would meet the loop at the same point, and a latency would be known to a whole turn only; so who measures
/// waits for another part of a turn before each round trip, outside the measured time.
#ifndef TOROID_FIRMWARE_PROGRAMS_PHASE_H
#define TOROID_FIRMWARE_PROGRAMS_PHASE_H

#include <stdint.h>

/// What a turn of a polling loop takes in which nothing happens, in cycles.
uint32_t program_idle_turn(void);

/// Wait for a part of some turns of a polling loop that takes `turn` cycles, another part for each `number`: they fill
/// the whole evenly whatever how many (steps of the golden section).
void program_wait_part_of_turns(uint32_t number, uint32_t turn);

#endif
