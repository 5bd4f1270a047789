// SPDX-License-Identifier: Apache-2.0
/// What the DCMF programs in this folder share: start, memory regions of all ranks, and a barrier of control messages.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGP_DCMF_PROGRAM_H
#define TOROID_FIRMWARE_PROGRAMS_BGP_DCMF_PROGRAM_H

#include <dcmf.h>
#include <stdint.h>

/// Initialises DCMF, and registers what the functions below need; on all ranks, before their own registrations.
void program_start(void);
/// Ends DCMF; returns what main() is to return.
int program_end(int status);

/// Regions of all of each rank's memory, so that offsets are addresses.
DCMF_Memregion_t* program_region(unsigned rank);
/// The address that each rank has given as `mine`, which all exchange.
void* program_address(void* mine, unsigned rank);
/// What a rank has given to the last program_address().
void* program_address_of(unsigned rank);

/// Returns when all ranks have called it.
void program_barrier(void);

/// Counts down the unsigned that is its client data.
void program_count_down(void* clientdata, DCMF_Error_t* error);
/// Advances until *count is 0.
void program_wait(volatile unsigned* count);

#endif
