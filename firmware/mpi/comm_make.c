// SPDX-License-Identifier: Apache-2.0
// Communicators made of communicators: all or some of the processes, in the same or another order.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/topology.h"
#include "firmware/mpi/transport.h"

/// `info` has the hints, or is NULL: the same as of `comm`.
static int duplicate(mpii_comm_t* comm, const struct mpii_info* info, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  // Agree before the program's functions are called: they may fail at some processes.
  const uint32_t context = mpii_agree_context(comm);
  mpii_group_t* group = mpii_retain(comm->group);
  mpii_comm_t* copy = mpii_is_inter(comm) ? mpii_intercomm_new(group, mpii_retain(comm->remote), context, comm)
                                          : mpii_comm_new(group, context, comm);
  mpii_network_share(copy, comm);
  const int error = mpii_attributes_copy(comm->object.handle, comm->attributes, &copy->attributes);
  if (error != MPI_SUCCESS) {
    mpii_comm_close(copy);
    return error;
  }
  if (comm->topology != NULL) copy->topology = mpii_topology_copy(comm->topology);
  copy->info = mpii_info_copy(info != NULL ? info : comm->info);
  *made = copy->object.handle;
  return MPI_SUCCESS;
}

int PMPI_Comm_dup(MPI_Comm handle, MPI_Comm* made) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_dup", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  return duplicate(comm, NULL, made);
}
MPII_PUBLIC(Comm_dup);

int PMPI_Comm_dup_with_info(MPI_Comm handle, MPI_Info info_handle, MPI_Comm* made) {
  mpii_comm_t* comm;
  struct mpii_info* info = NULL;
  MPII_TRY(mpii_enter_comm("MPI_Comm_dup_with_info", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(comm, info_handle, &info));
  return duplicate(comm, info, made);
}
MPII_PUBLIC(Comm_dup_with_info);

// ---------------------------------------------------------------------------------------------------------------
// Split

/// What a process says of itself.
typedef struct {
  int colour;
  int key;
} choice_t;

typedef struct {
  int key;
  int rank;
} place_t;

static int compare_places(const void* first, const void* second) {
  const place_t *a = first, *b = second;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->rank < b->rank ? -1 : 1;
}

/// The members of `from` that chose a colour, ordered by their keys.
static mpii_group_t* of_colour(const mpii_group_t* from, const choice_t* choices, int colour) {
  place_t* places = mpii_allocate((size_t)from->size * sizeof *places);
  int count = 0;
  for (int rank = 0; rank < from->size; ++rank) {
    if (choices[rank].colour == colour) places[count++] = (place_t){choices[rank].key, rank};
  }
  qsort(places, (size_t)count, sizeof *places, compare_places);
  mpii_group_t* group = mpii_group_new(count);
  for (int i = 0; i < count; ++i) group->ranks[i] = from->ranks[places[i].rank];
  mpii_group_complete(group);
  free(places);
  return group;
}

static choice_t* choices_of(mpii_comm_t* comm, choice_t mine) {
  choice_t* choices = mpii_allocate((size_t)comm->size * sizeof *choices);
  mpii_collect(comm, &mine, sizeof mine, choices);
  return choices;
}

static mpii_comm_t* split_intra(mpii_comm_t* comm, choice_t mine, uint32_t context) {
  mpii_comm_t* part = NULL;
  choice_t* choices = choices_of(comm, mine);
  if (mine.colour != MPI_UNDEFINED) {
    part = mpii_comm_new(of_colour(comm->group, choices, mine.colour), context, comm);
    mpii_network_join(part);
  }
  free(choices);
  return part;
}

static mpii_comm_t* split_inter(mpii_comm_t* comm, choice_t mine, uint32_t context) {
  const uint32_t ours_bytes = (uint32_t)comm->size * sizeof(choice_t);
  const uint32_t theirs_bytes = (uint32_t)comm->remote->size * sizeof(choice_t);
  choice_t* ours = choices_of(comm->local, mine);
  choice_t* theirs = mpii_allocate(theirs_bytes);
  mpii_swap(comm, ours, ours_bytes, theirs, theirs_bytes);
  mpii_comm_t* part = NULL;
  if (mine.colour != MPI_UNDEFINED) {
    mpii_group_t* remote = of_colour(comm->remote, theirs, mine.colour);
    if (remote->size == 0) {  // the other group is empty
      mpii_group_release(remote);
    } else {
      part = mpii_intercomm_new(of_colour(comm->group, ours, mine.colour), remote, context, comm);
    }
  }
  free(ours);
  free(theirs);
  return part;
}

static int split(mpii_comm_t* comm, int colour, int key, MPI_Comm* made) {
  const uint32_t context = mpii_agree_context(comm);
  const choice_t mine = {colour, key};
  mpii_comm_t* part = mpii_is_inter(comm) ? split_inter(comm, mine, context) : split_intra(comm, mine, context);
  *made = part != NULL ? part->object.handle : MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int PMPI_Comm_split(MPI_Comm handle, int colour, int key, MPI_Comm* made) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_split", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  if (colour < 0 && colour != MPI_UNDEFINED) {
    return mpii_fail(comm, MPI_ERR_ARG, "the colour is %d; it must be 0 or more, or MPI_UNDEFINED", colour);
  }
  return split(comm, colour, key, made);
}
MPII_PUBLIC(Comm_split);

int PMPI_Comm_split_type(MPI_Comm handle, int split_type, int key, MPI_Info info_handle, MPI_Comm* made) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(mpii_enter_comm("MPI_Comm_split_type", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(comm, info_handle, &info));
  int colour = MPI_UNDEFINED;
  if (split_type == MPI_COMM_TYPE_SHARED) {  // memory is shared by the processes of a node
    colour = (int)mpit_node(mpit_rank());
  } else if (split_type != MPI_UNDEFINED) {
    return mpii_fail(comm, MPI_ERR_ARG, "the split type is %d; MPI_COMM_TYPE_SHARED and MPI_UNDEFINED are known",
                     split_type);
  }
  return split(comm, colour, key, made);
}
MPII_PUBLIC(Comm_split_type);

// ---------------------------------------------------------------------------------------------------------------
// Of groups

/// Whether all members of a group are in the (local) group of a communicator; their ranks there.
static int ranks_within(mpii_comm_t* comm, const mpii_group_t* group, int* ranks) {
  int* table = mpii_group_table(comm->group);
  int outside = -1;
  for (int rank = 0; rank < group->size; ++rank) {
    ranks[rank] = table[group->ranks[rank]];
    if (ranks[rank] < 0) outside = rank;
  }
  free(table);
  if (outside < 0) return MPI_SUCCESS;
  return mpii_fail(comm, MPI_ERR_GROUP, "rank %d of the group is not in the communicator's group", outside);
}

/// Make a communicator of this process's group, which is a member of it.
static MPI_Comm of_group(mpii_group_t* group, uint32_t context, const mpii_comm_t* parent) {
  mpii_comm_t* made = mpii_comm_new(mpii_retain(group), context, parent);
  mpii_network_join(made);
  return made->object.handle;
}

int PMPI_Comm_create(MPI_Comm handle, MPI_Group group_handle, MPI_Comm* made) {
  mpii_comm_t* comm;
  mpii_group_t* group;
  MPII_TRY(mpii_enter_comm("MPI_Comm_create", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  MPII_TRY(mpii_group(comm, group_handle, &group));
  int* ranks = mpii_allocate((size_t)group->size * sizeof *ranks);
  const int error = ranks_within(comm, group, ranks);
  free(ranks);
  if (error != MPI_SUCCESS) return error;
  const bool member = group->rank != MPI_UNDEFINED;
  if (mpii_is_inter(comm)) return split(comm, member ? 0 : MPI_UNDEFINED, member ? group->rank : 0, made);
  // Every process names a group that it is in, or none: those groups are disjoint and may share the context.
  const uint32_t context = mpii_agree_context(comm);
  *made = member ? of_group(group, context, comm) : MPI_COMM_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_create);

int PMPI_Comm_create_group(MPI_Comm handle, MPI_Group group_handle, int tag, MPI_Comm* made) {
  mpii_comm_t* comm;
  mpii_group_t* group;
  MPII_TRY(mpii_enter_comm("MPI_Comm_create_group", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  MPII_TRY(mpii_group(comm, group_handle, &group));
  if (mpii_is_inter(comm)) return mpii_fail(comm, MPI_ERR_COMM, "the communicator is an intercommunicator");
  if (tag < 0) return mpii_fail(comm, MPI_ERR_TAG, "tag is %d; it must be 0 or more", tag);
  *made = MPI_COMM_NULL;
  int* ranks = mpii_allocate((size_t)group->size * sizeof *ranks);
  const int error = ranks_within(comm, group, ranks);
  if (error == MPI_SUCCESS && group->rank != MPI_UNDEFINED) {
    const uint32_t context = mpii_agree_among(comm, group->size, ranks, group->rank, tag | MPII_TAG_OF_PROGRAM,
                                              mpii_propose_context(group->rank == 0));
    mpii_take_context(context);
    *made = of_group(group, context, comm);
  }
  free(ranks);
  return error;
}
MPII_PUBLIC(Comm_create_group);
