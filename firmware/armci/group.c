// SPDX-License-Identifier: Apache-2.0
// Groups of processes. A group is known to those who have made it, each for itself: no messages are needed.
#include <stdlib.h>
#include <string.h>

#include "firmware/armci/team.h"

/// What a group object holds. The lists of groups that have been freed are gone, copies of the object included.
typedef struct {
  uint32_t magic;
  int size;
  int place;  ///< of this process; -1: it is not in the group
  int* ranks;
} group_t;
_Static_assert(sizeof(group_t) <= sizeof(ARMCI_Group), "fits the public object");
enum { MAGIC = 0x47525550 };

static group_t default_group;

static group_t world(void) {
  return (group_t){.magic = MAGIC, .size = (int)armcii_size, .place = (int)armcii_self};
}

static group_t* checked(const ARMCI_Group* group, const char* function) {
  group_t* const own = (group_t*)(uintptr_t)group;
  if (own == NULL || own->magic != MAGIC) armcii_fail("%s: this is no group, or it has been freed", function);
  return own;
}

static int rank_of(const group_t* group, int place) {
  return group->ranks != NULL ? group->ranks[place] : place;
}

void armcii_team_all(armcii_team_t* team) {
  *team = (armcii_team_t){.size = armcii_size, .place = armcii_self};
}

void armcii_team_of(armcii_team_t* team, const ARMCI_Group* of, const char* function) {
  const group_t* const group = checked(of, function);
  if (group->place < 0) armcii_fail("%s: process %u is not in the group", function, armcii_self);
  *team = (armcii_team_t){.ranks = group->ranks, .size = (uint32_t)group->size, .place = (uint32_t)group->place};
}

void armcii_team_narrow(armcii_team_t* team, int scope, const char* function) {
  // Every process is a domain of its own: the first of each are all.
  if (scope == SCOPE_ALL || scope == SCOPE_MASTERS) return;
  if (scope != SCOPE_NODE) armcii_fail("%s: there is no scope %d", function, scope);
  static int own;
  own = (int)armcii_self;
  *team = (armcii_team_t){.ranks = &own, .size = 1};
}

uint32_t armcii_team_place(const armcii_team_t* team, int rank, const char* function) {
  if (team->ranks == NULL && (uint32_t)rank < team->size) return (uint32_t)rank;
  for (uint32_t place = 0; team->ranks != NULL && place < team->size; ++place) {
    if (team->ranks[place] == rank) return place;
  }
  armcii_fail("%s: process %d is not among the %u that take part", function, rank, team->size);
}

/// The group that programs have chosen; at first that of all.
static const group_t* chosen(void) {
  if (default_group.magic != MAGIC) default_group = world();
  return &default_group;
}

// ---------------------------------------------------------------------------------------------------------------
// Public

void PARMCI_Group_create_child(int n, int* list, ARMCI_Group* out, ARMCI_Group* of) {
  static const char kFunction[] = "ARMCI_Group_create_child";
  armcii_enter(kFunction);
  const group_t* const parent = checked(of, kFunction);
  if (n < 1 || n > parent->size) {
    armcii_fail("%s: the group has %d members; it may have 1 to the parent's %d", kFunction, n, parent->size);
  }
  if (list == NULL || out == NULL) armcii_fail("%s: an address is NULL", kFunction);
  group_t group = {.magic = MAGIC, .size = n, .place = -1, .ranks = malloc((size_t)n * sizeof *group.ranks)};
  if (group.ranks == NULL) armcii_fail("%s: there is no memory for %d members", kFunction, n);
  for (int i = 0; i < n; ++i) {
    if (list[i] < 0 || list[i] >= parent->size) {
      armcii_fail("%s: member %d is %d; the parent has the ranks 0 to %d", kFunction, i, list[i], parent->size - 1);
    }
    group.ranks[i] = rank_of(parent, list[i]);
    if (group.ranks[i] == (int)armcii_self) group.place = i;
  }
  memset(out, 0, sizeof *out);
  memcpy(out, &group, sizeof group);
  armcib_exit();
}
ARMCII_PUBLIC(Group_create_child);

void PARMCI_Group_create(int n, int* list, ARMCI_Group* out) {
  ARMCI_Group parent;
  PARMCI_Group_get_default(&parent);
  PARMCI_Group_create_child(n, list, out, &parent);
}
ARMCII_PUBLIC(Group_create);

void PARMCI_Group_free(ARMCI_Group* of) {
  armcii_enter("ARMCI_Group_free");
  group_t* const group = checked(of, "ARMCI_Group_free");
  if (group->ranks != NULL && group->ranks == chosen()->ranks) default_group = world();
  free(group->ranks);
  memset(of, 0, sizeof *of);
  armcib_exit();
}
ARMCII_PUBLIC(Group_free);

int PARMCI_Group_rank(ARMCI_Group* of, int* rank) {
  const group_t* const group = checked(of, "ARMCI_Group_rank");
  if (rank == NULL) return FAIL;
  *rank = group->place;
  return group->place < 0 ? FAIL2 : 0;
}
ARMCII_PUBLIC(Group_rank);

void PARMCI_Group_size(ARMCI_Group* of, int* size) {
  *size = checked(of, "ARMCI_Group_size")->size;
}
ARMCII_PUBLIC(Group_size);

void PARMCI_Group_set_default(ARMCI_Group* of) {
  armcii_enter("ARMCI_Group_set_default");
  default_group = *checked(of, "ARMCI_Group_set_default");
  armcib_exit();
}
ARMCII_PUBLIC(Group_set_default);

void PARMCI_Group_get_default(ARMCI_Group* out) {
  armcii_enter("ARMCI_Group_get_default");
  memset(out, 0, sizeof *out);
  memcpy(out, chosen(), sizeof(group_t));
  armcib_exit();
}
ARMCII_PUBLIC(Group_get_default);

void PARMCI_Group_get_world(ARMCI_Group* out) {
  armcii_enter("ARMCI_Group_get_world");
  const group_t all = world();
  memset(out, 0, sizeof *out);
  memcpy(out, &all, sizeof all);
  armcib_exit();
}
ARMCII_PUBLIC(Group_get_world);

int PARMCI_Absolute_id(ARMCI_Group* of, int place) {
  const group_t* const group = checked(of, "ARMCI_Absolute_id");
  if (place < 0 || place >= group->size) {
    armcii_fail("ARMCI_Absolute_id: the group has the ranks 0 to %d, not %d", group->size - 1, place);
  }
  return rank_of(group, place);
}
ARMCII_PUBLIC(Absolute_id);

void PARMCI_GroupFence(ARMCI_Group* of) {
  armcii_enter("ARMCI_GroupFence");
  const group_t* const group = checked(of, "ARMCI_GroupFence");
  for (int place = 0; place < group->size; ++place) armcii_fence((uint32_t)rank_of(group, place));
  armcib_exit();
}
ARMCII_PUBLIC(GroupFence);

int ARMCI_Uses_shm_grp(ARMCI_Group* of) {
  checked(of, "ARMCI_Uses_shm_grp");
  return 0;
}
