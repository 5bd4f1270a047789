// SPDX-License-Identifier: Apache-2.0
// The communicators of groups, for programs that use MPI beside ARMCI: libarmci_mpi.a.
#include <armci.h>
#include <mpi.h>
#include <stdlib.h>

MPI_Comm ARMCI_COMM_WORLD = MPI_COMM_WORLD;

/// One for each set of members, in its order. It stays until the end.
typedef struct known {
  struct known* next;
  MPI_Comm comm;
} known_t;
static known_t* first;

static void* checked(void* memory) {
  if (memory == NULL) ARMCI_Error((char*)"armci_group_comm: there is no memory", 1);
  return memory;
}

static MPI_Group members_of(ARMCI_Group* group) {
  int size;
  ARMCI_Group_size(group, &size);
  int* const ranks = checked(malloc((size_t)size * sizeof *ranks));
  for (int i = 0; i < size; ++i) ranks[i] = ARMCI_Absolute_id(group, i);
  MPI_Group all, members;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, size, ranks, &members);
  MPI_Group_free(&all);
  free(ranks);
  return members;
}

static int is_of(MPI_Comm comm, MPI_Group members) {
  MPI_Group other;
  int result;
  MPI_Comm_group(comm, &other);
  MPI_Group_compare(other, members, &result);
  MPI_Group_free(&other);
  return result == MPI_IDENT;
}

/// Collective in the group.
MPI_Comm armci_group_comm(ARMCI_Group* group) {
  MPI_Group members = members_of(group);
  known_t* known = first;
  while (known != NULL && !is_of(known->comm, members)) known = known->next;
  if (known == NULL && is_of(MPI_COMM_WORLD, members)) {
    MPI_Group_free(&members);
    return MPI_COMM_WORLD;
  }
  if (known == NULL) {
    enum { TAG = 4711 };
    known = checked(malloc(sizeof *known));
    MPI_Comm_create_group(MPI_COMM_WORLD, members, TAG, &known->comm);
    known->next = first;
    first = known;
  }
  MPI_Group_free(&members);
  return known->comm;
}
