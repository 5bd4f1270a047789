// SPDX-License-Identifier: Apache-2.0
// Groups: their handles, and what is asked of them.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/comm.h"
#include "firmware/mpi/transport.h"

int mpii_group(mpii_comm_t* comm, MPI_Group handle, mpii_group_t** group) {
  *group = mpii_object(handle, MPII_GROUP);
  if (*group != NULL) return MPI_SUCCESS;
  if (handle == MPI_GROUP_NULL) return mpii_fail(comm, MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
  return mpii_fail(comm, MPI_ERR_GROUP, "0x%X is no group, or a freed one", (unsigned)handle);
}

MPI_Group mpii_group_open(mpii_group_t* group) {
  mpii_retain(group);
  if (group->opened++ == 0) mpii_object_open(group, MPII_GROUP);
  return group->object.handle;
}

int* mpii_group_table(const mpii_group_t* group) {
  const uint32_t processes = mpit_size();
  int* table = mpii_allocate(processes * sizeof *table);
  memset(table, 0xFF, processes * sizeof *table);  // -1
  for (int rank = 0; rank < group->size; ++rank) table[group->ranks[rank]] = rank;
  return table;
}

int PMPI_Group_free(MPI_Group* handle) {
  mpii_group_t* group;
  mpii_enter("MPI_Group_free");
  MPII_TRY(mpii_check_given(NULL, handle, "group"));
  MPII_TRY(mpii_group(NULL, *handle, &group));
  if (*handle != MPI_GROUP_EMPTY) {
    if (--group->opened == 0) mpii_object_close(group);
    mpii_group_release(group);
  }
  *handle = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Group_free);

int PMPI_Group_size(MPI_Group handle, int* size) {
  mpii_group_t* group;
  mpii_enter("MPI_Group_size");
  MPII_TRY(mpii_check_given(NULL, size, "size"));
  MPII_TRY(mpii_group(NULL, handle, &group));
  *size = group->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Group_size);

int PMPI_Group_rank(MPI_Group handle, int* rank) {
  mpii_group_t* group;
  mpii_enter("MPI_Group_rank");
  MPII_TRY(mpii_check_given(NULL, rank, "rank"));
  MPII_TRY(mpii_group(NULL, handle, &group));
  *rank = group->rank;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Group_rank);

int PMPI_Group_translate_ranks(MPI_Group handle, int count, const int ranks[], MPI_Group other_handle, int others[]) {
  mpii_group_t *group, *other;
  mpii_enter("MPI_Group_translate_ranks");
  MPII_TRY(mpii_check_array(NULL, ranks, count, "ranks"));
  MPII_TRY(mpii_check_array(NULL, others, count, "others"));
  MPII_TRY(mpii_group(NULL, handle, &group));
  MPII_TRY(mpii_group(NULL, other_handle, &other));
  if (count < 0) return mpii_fail(NULL, MPI_ERR_ARG, "the number of ranks is %d; it must be 0 or more", count);
  for (int i = 0; i < count; ++i) {
    if ((ranks[i] < 0 || ranks[i] >= group->size) && ranks[i] != MPI_PROC_NULL) {
      return mpii_fail(NULL, MPI_ERR_RANK, "ranks[%d] is %d; the group has ranks 0 to %d", i, ranks[i],
                       group->size - 1);
    }
  }
  int* table = mpii_group_table(other);
  for (int i = 0; i < count; ++i) {
    if (ranks[i] == MPI_PROC_NULL) {
      others[i] = MPI_PROC_NULL;
      continue;
    }
    const int rank = table[group->ranks[ranks[i]]];
    others[i] = rank >= 0 ? rank : MPI_UNDEFINED;
  }
  free(table);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Group_translate_ranks);

int mpii_groups_compare(const mpii_group_t* first, const mpii_group_t* second) {
  if (first == second) return MPI_IDENT;
  if (first->size != second->size) return MPI_UNEQUAL;
  if (memcmp(first->ranks, second->ranks, (size_t)first->size * sizeof *first->ranks) == 0) return MPI_IDENT;
  int* table = mpii_group_table(second);
  int result = MPI_SIMILAR;
  for (int rank = 0; rank < first->size; ++rank) {
    if (table[first->ranks[rank]] < 0) result = MPI_UNEQUAL;
  }
  free(table);
  return result;
}

int PMPI_Group_compare(MPI_Group first_handle, MPI_Group second_handle, int* result) {
  mpii_group_t *first, *second;
  mpii_enter("MPI_Group_compare");
  MPII_TRY(mpii_check_given(NULL, result, "result"));
  MPII_TRY(mpii_group(NULL, first_handle, &first));
  MPII_TRY(mpii_group(NULL, second_handle, &second));
  *result = mpii_groups_compare(first, second);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Group_compare);

int PMPI_Comm_group(MPI_Comm handle, MPI_Group* group) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_group", handle, &comm));
  MPII_TRY(mpii_check_given(comm, group, "group"));
  *group = mpii_group_open(comm->group);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_group);

int PMPI_Comm_remote_group(MPI_Comm handle, MPI_Group* group) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_remote_group", handle, &comm));
  MPII_TRY(mpii_check_given(comm, group, "group"));
  if (!mpii_is_inter(comm)) return mpii_fail(comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
  *group = mpii_group_open(comm->remote);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_remote_group);
