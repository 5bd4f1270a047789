// SPDX-License-Identifier: Apache-2.0
/// Teams of processes, and their collective operations. With the lock held, by all of the team.
#ifndef TOROID_FIRMWARE_ARMCI_TEAM_H
#define TOROID_FIRMWARE_ARMCI_TEAM_H

#include "firmware/armci/include/message.h"
#include "firmware/armci/process.h"

typedef struct {
  const int* ranks;  ///< in the job, of each place; NULL: the same number
  uint32_t size;
  uint32_t place;  ///< of this process
} armcii_team_t;

void armcii_team_all(armcii_team_t* team);
/// The team of a group that this process is in; otherwise the job ends with an error that names the function.
void armcii_team_of(armcii_team_t* team, const ARMCI_Group* group, const char* function);
/// The same for a scope in it.
void armcii_team_narrow(armcii_team_t* team, int scope, const char* function);

/// The place of a rank; the job ends if it is not in the team.
uint32_t armcii_team_place(const armcii_team_t* team, int rank, const char* function);
static inline uint32_t armcii_team_rank(const armcii_team_t* team, uint32_t place) {
  return team->ranks != NULL ? (uint32_t)team->ranks[place] : place;
}

void armcii_barrier(const armcii_team_t* team);
/// `root` is a place.
void armcii_broadcast(const armcii_team_t* team, void* buffer, size_t bytes, uint32_t root);
/// To place 0; the others' buffers are then of no use.
void armcii_reduce(const armcii_team_t* team, void* x, int n, const char* operation, int type);
void armcii_reduce_to_all(const armcii_team_t* team, void* x, int n, const char* operation, int type);
/// Each has put its `bytes` at its place of `all`.
void armcii_gather_to_all(const armcii_team_t* team, void* all, size_t bytes);

#endif
