// SPDX-License-Identifier: Apache-2.0
// Collective operations of teams: a dissemination barrier, and binomial trees.
//
// Messages of one process to another are received in order, and the processes of two teams enter the teams' operations
// in the same order; so one tag does for all.
#include <stdlib.h>

#include "firmware/armci/messages.h"
#include "firmware/armci/reduction.h"
#include "firmware/armci/team.h"

enum { TAG = 0 };

static void send(const armcii_team_t* team, const void* buffer, size_t bytes, uint32_t place) {
  armcii_send(ARMCII_COLLECTIVE, TAG, buffer, bytes, armcii_team_rank(team, place));
}

static void receive(const armcii_team_t* team, void* buffer, size_t bytes, uint32_t place) {
  armcii_receive(ARMCII_COLLECTIVE, TAG, buffer, bytes, armcii_team_rank(team, place), NULL);
}

static void* work_new(size_t bytes) {
  void* const work = malloc(bytes != 0 ? bytes : 1);
  if (work == NULL) armcii_fail("there is no memory for a collective operation on %zu bytes", bytes);
  return work;
}

void armcii_barrier(const armcii_team_t* team) {
  if (team->ranks == NULL && team->size == armcii_size && armcib_barrier()) return;
  for (uint32_t distance = 1; distance < team->size; distance *= 2) {
    send(team, NULL, 0, (team->place + distance) % team->size);
    receive(team, NULL, 0, (team->place + team->size - distance) % team->size);
  }
}

void armcii_broadcast(const armcii_team_t* team, void* buffer, size_t bytes, uint32_t root) {
  const uint32_t relative = (team->place + team->size - root) % team->size;
  uint32_t distance = 1;
  while (distance < team->size && (relative & distance) == 0) distance *= 2;
  if (relative != 0) receive(team, buffer, bytes, (relative - distance + root) % team->size);
  while ((distance /= 2) != 0) {
    if (relative + distance < team->size) send(team, buffer, bytes, (relative + distance + root) % team->size);
  }
}

void armcii_reduce(const armcii_team_t* team, void* x, int n, const char* name, int type) {
  const size_t element = armcii_type_bytes(type);
  const armcii_operation_t operation = armcii_operation(name);
  if (element == 0) armcii_fail("a reduction is of type %d, which is none of message.h", type);
  if (n < 0) armcii_fail("a reduction has %d elements", n);
  if (operation == ARMCII_OPERATIONS || armcii_combine(operation, type, x, x, 0) != 0) {
    armcii_fail("a reduction of type %d by '%.8s' is not defined", type, name);
  }
  if (team->size == 1 || n == 0) return;
  const size_t bytes = (size_t)n * element;
  void* const work = work_new(bytes);
  for (uint32_t distance = 1; distance < team->size; distance *= 2) {
    if ((team->place & distance) != 0) {
      send(team, x, bytes, team->place - distance);
      break;
    }
    if (team->place + distance >= team->size) continue;
    receive(team, work, bytes, team->place + distance);
    armcii_combine(operation, type, x, work, (size_t)n);
  }
  free(work);
}

void armcii_reduce_to_all(const armcii_team_t* team, void* x, int n, const char* name, int type) {
  armcii_reduce(team, x, n, name, type);
  if (n != 0) armcii_broadcast(team, x, (size_t)n * armcii_type_bytes(type), 0);
}

/// Places are gathered to place 0 in the order of their numbers, as a tree of the reduction's form has them.
void armcii_gather_to_all(const armcii_team_t* team, void* all, size_t bytes) {
  uint8_t* const at = all;
  for (uint32_t distance = 1; distance < team->size; distance *= 2) {
    const uint32_t place = team->place;
    if ((place & distance) != 0) {
      const uint32_t mine = team->size - place < distance ? team->size - place : distance;
      send(team, at + place * bytes, mine * bytes, place - distance);
      break;
    }
    const uint32_t from = place + distance;
    if (from >= team->size) continue;
    const uint32_t theirs = team->size - from < distance ? team->size - from : distance;
    receive(team, at + from * bytes, theirs * bytes, from);
  }
  armcii_broadcast(team, all, team->size * bytes, 0);
}
