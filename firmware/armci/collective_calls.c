// SPDX-License-Identifier: Apache-2.0
// Public collective operations, of the job, of scopes and of groups.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/messages.h"
#include "firmware/armci/reduction.h"
#include "firmware/armci/team.h"

static size_t checked_length(int length, const char* function) {
  if (length < 0) armcii_fail("%s: the length is %d; it must be 0 or more", function, length);
  return (size_t)length;
}

/// Takes the lock.
static armcii_team_t enter_scope(int scope, const char* function) {
  armcii_enter(function);
  armcii_team_t team;
  armcii_team_all(&team);
  armcii_team_narrow(&team, scope, function);
  return team;
}

static armcii_team_t enter_group(const ARMCI_Group* group, int scope, const char* function) {
  armcii_enter(function);
  armcii_team_t team;
  armcii_team_of(&team, group, function);
  armcii_team_narrow(&team, scope, function);
  return team;
}

static void broadcast(const armcii_team_t* team, void* buffer, int length, int root, const char* function) {
  const uint32_t place = armcii_team_place(team, root, function);
  armcii_broadcast(team, buffer, checked_length(length, function), place);
  armcib_exit();
}

static void reduce_to_all(const armcii_team_t* team, void* x, int n, const char* operation, int type) {
  armcii_reduce_to_all(team, x, n, operation, type);
  armcib_exit();
}

// ---------------------------------------------------------------------------------------------------------------
// Of the job, and of scopes

void armci_msg_barrier(void) {
  const armcii_team_t team = enter_scope(SCOPE_ALL, "armci_msg_barrier");
  armcii_barrier(&team);
  armcib_exit();
}

void armci_msg_bcast_scope(int scope, void* buffer, int length, int root) {
  const armcii_team_t team = enter_scope(scope, "armci_msg_bcast_scope");
  broadcast(&team, buffer, length, root, "armci_msg_bcast_scope");
}

void armci_msg_bcast(void* buffer, int length, int root) {
  armci_msg_bcast_scope(SCOPE_ALL, buffer, length, root);
}

void armci_msg_brdcst(void* buffer, int length, int root) {
  armci_msg_bcast_scope(SCOPE_ALL, buffer, length, root);
}

void armci_msg_gop_scope(int scope, void* x, int n, char* operation, int type) {
  const armcii_team_t team = enter_scope(scope, "armci_msg_gop_scope");
  reduce_to_all(&team, x, n, operation, type);
}

void armci_msg_reduce_scope(int scope, void* x, int n, char* operation, int type) {
  const armcii_team_t team = enter_scope(scope, "armci_msg_reduce_scope");
  armcii_reduce(&team, x, n, operation, type);
  armcib_exit();
}

void armci_msg_reduce(void* x, int n, char* operation, int type) {
  armci_msg_reduce_scope(SCOPE_ALL, x, n, operation, type);
}

void armci_msg_clus_brdcst(void* buffer, int length) {
  const armcii_team_t team = enter_scope(SCOPE_NODE, "armci_msg_clus_brdcst");
  broadcast(&team, buffer, length, (int)armcii_team_rank(&team, 0), "armci_msg_clus_brdcst");
}

void armci_msg_group_bcast_scope(int scope, void* buffer, int length, int root, ARMCI_Group* group) {
  const armcii_team_t team = enter_group(group, scope, "armci_msg_group_bcast_scope");
  broadcast(&team, buffer, length, root, "armci_msg_group_bcast_scope");
}

void armci_msg_group_gop_scope(int scope, void* x, int n, char* operation, int type, ARMCI_Group* group) {
  const armcii_team_t team = enter_group(group, scope, "armci_msg_group_gop_scope");
  reduce_to_all(&team, x, n, operation, type);
}

void armci_msg_group_barrier(ARMCI_Group* group) {
  const armcii_team_t team = enter_group(group, SCOPE_ALL, "armci_msg_group_barrier");
  armcii_barrier(&team);
  armcib_exit();
}

#define OPERATIONS(LETTER, TYPE, NUMBER)                                                    \
  void armci_msg_##LETTER##gop(TYPE* x, int n, char* operation) {                           \
    armci_msg_gop_scope(SCOPE_ALL, x, n, operation, NUMBER);                                \
  }                                                                                         \
  void armci_msg_clus_##LETTER##gop(TYPE* x, int n, char* operation) {                      \
    armci_msg_gop_scope(SCOPE_NODE, x, n, operation, NUMBER);                               \
  }                                                                                         \
  void armci_msg_group_##LETTER##gop(TYPE* x, int n, char* operation, ARMCI_Group* group) { \
    armci_msg_group_gop_scope(SCOPE_ALL, x, n, operation, NUMBER, group);                   \
  }

OPERATIONS(i, int, ARMCI_INT)
OPERATIONS(l, long, ARMCI_LONG)
OPERATIONS(ll, long long, ARMCI_LONG_LONG)
OPERATIONS(f, float, ARMCI_FLOAT)
OPERATIONS(d, double, ARMCI_DOUBLE)

// ---------------------------------------------------------------------------------------------------------------
// Addresses, selections, trees

/// Each process has filled in its own: `n` is the team's size.
static void exchange(const armcii_team_t* team, void* addresses[], int n, const char* function) {
  if (n != (int)team->size) armcii_fail("%s: there are %d addresses, and %u processes", function, n, team->size);
  armcii_gather_to_all(team, addresses, sizeof addresses[0]);
  armcib_exit();
}

void armci_exchange_address(void* addresses[], int n) {
  const armcii_team_t team = enter_scope(SCOPE_ALL, "armci_exchange_address");
  exchange(&team, addresses, n, "armci_exchange_address");
}

void armci_exchange_address_grp(void* addresses[], int n, ARMCI_Group* group) {
  const armcii_team_t team = enter_group(group, SCOPE_ALL, "armci_exchange_address_grp");
  exchange(&team, addresses, n, "armci_exchange_address_grp");
}

/// What goes up the tree of a selection.
typedef struct {
  int32_t contributes;
  uint8_t x[] __attribute__((aligned(16)));
} selection_t;

static void select_best(const armcii_team_t* team, selection_t* best, selection_t* other, size_t bytes,
                        armcii_operation_t operation, int type) {
  const size_t all = sizeof *best + bytes;
  for (uint32_t distance = 1; distance < team->size; distance *= 2) {
    if ((team->place & distance) != 0) {
      armcii_send(ARMCII_COLLECTIVE, 0, best, all, armcii_team_rank(team, team->place - distance));
      return;
    }
    if (team->place + distance >= team->size) continue;
    // It is of higher places, so that among equals the present one stays.
    armcii_receive(ARMCII_COLLECTIVE, 0, other, all, armcii_team_rank(team, team->place + distance), NULL);
    if (other->contributes && (!best->contributes || armcii_precedes(operation, type, other->x, best->x))) {
      memcpy(best, other, all);
    }
  }
}

void armci_msg_sel_scope(int scope, void* x, int n, char* name, int type, int contribute) {
  const armcii_team_t team = enter_scope(scope, "armci_msg_sel");
  const size_t bytes = checked_length(n, "armci_msg_sel");
  const armcii_operation_t operation = armcii_operation(name);
  const size_t element = armcii_type_bytes(type);
  if ((operation != ARMCII_MAX && operation != ARMCII_MIN) || element == 0 || bytes < element) {
    armcii_fail("armci_msg_sel: a selection by '%.8s' of %d bytes with an element of type %d is not defined", name, n,
                type);
  }
  selection_t* const best = malloc(sizeof *best + bytes);
  selection_t* const other = malloc(sizeof *other + bytes);
  if (best == NULL || other == NULL) armcii_fail("armci_msg_sel: there is no memory for %d bytes", n);
  memset(best, 0, sizeof *best);
  best->contributes = contribute != 0;
  memcpy(best->x, x, bytes);
  select_best(&team, best, other, bytes, operation, type);
  armcii_broadcast(&team, best->x, bytes, 0);
  memcpy(x, best->x, bytes);
  free(best);
  free(other);
  armcib_exit();
}

void armci_msg_bintree(int scope, int* root, int* up, int* left, int* right) {
  const armcii_team_t team = enter_scope(scope, "armci_msg_bintree");
  const uint32_t child = 2 * team.place + 1;
  *root = (int)armcii_team_rank(&team, 0);
  *up = team.place == 0 ? -1 : (int)armcii_team_rank(&team, (team.place - 1) / 2);
  *left = child < team.size ? (int)armcii_team_rank(&team, child) : -1;
  *right = child + 1 < team.size ? (int)armcii_team_rank(&team, child + 1) : -1;
  armcib_exit();
}
