// SPDX-License-Identifier: Apache-2.0
// Two groups become an intercommunicator, and an intercommunicator's become one group.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"

/// What the leaders tell each other, and then their groups.
typedef struct {
  int error;
  int size;
  uint32_t context;
} offer_t;

/// At the leader: whether the other leader can be reached.
static int check_peer(const mpii_comm_t* peer, int remote_leader, int tag) {
  if (peer == NULL) return MPI_ERR_COMM;
  if (remote_leader < 0 || remote_leader >= peer->remote->size) return MPI_ERR_RANK;
  return tag < 0 ? MPI_ERR_TAG : MPI_SUCCESS;
}

static bool overlap(const mpii_group_t* first, const mpii_group_t* second) {
  int* table = mpii_group_table(first);
  bool found = false;
  for (int rank = 0; rank < second->size; ++rank) found |= table[second->ranks[rank]] >= 0;
  free(table);
  return found;
}

int PMPI_Intercomm_create(MPI_Comm local_handle, int leader, MPI_Comm peer_handle, int remote_leader, int tag,
                          MPI_Comm* made) {
  mpii_comm_t* local;
  MPII_TRY(mpii_enter_comm("MPI_Intercomm_create", local_handle, &local));
  MPII_TRY(mpii_check_given(local, made, "made"));
  if (mpii_is_inter(local)) return mpii_fail(local, MPI_ERR_COMM, "the local communicator is an intercommunicator");
  if (leader < 0 || leader >= local->size) {
    return mpii_fail(local, MPI_ERR_RANK, "the local leader is rank %d; there are ranks 0 to %d", leader,
                     local->size - 1);
  }
  mpii_comm_t* peer = mpii_object(peer_handle, MPII_COMM);  // matters at the leader only
  const bool leads = local->rank == leader;
  const int peer_tag = tag | MPII_TAG_OF_PROGRAM;
  const offer_t ours = {MPI_SUCCESS, local->size, mpii_agree_max(local, mpii_propose_context(local->rank == 0))};
  offer_t theirs = {0};
  if (leads) {
    theirs.error = check_peer(peer, remote_leader, tag);
    if (theirs.error == MPI_SUCCESS) {
      mpii_trade(peer, remote_leader, peer_tag, &ours, sizeof ours, &theirs, sizeof theirs);
    }
  }
  mpii_spread(local, leader, &theirs, sizeof theirs);
  if (theirs.error != MPI_SUCCESS) {
    return mpii_fail(local, theirs.error, "the leader, rank %d, has a wrong peer communicator, remote leader or tag",
                     leader);
  }
  mpii_group_t* remote = mpii_group_new(theirs.size);
  const uint32_t bytes = (uint32_t)theirs.size * sizeof *remote->ranks;
  if (leads) {
    mpii_trade(peer, remote_leader, peer_tag, local->group->ranks, (uint32_t)ours.size * sizeof *remote->ranks,
               remote->ranks, bytes);
  }
  mpii_spread(local, leader, remote->ranks, bytes);
  mpii_group_complete(remote);
  const uint32_t context = ours.context > theirs.context ? ours.context : theirs.context;
  mpii_take_context(context);
  if (overlap(local->group, remote)) {
    mpii_group_release(remote);
    return mpii_fail(local, MPI_ERR_COMM, "the two groups have members in common; they must be disjoint");
  }
  *made = mpii_intercomm_new(mpii_retain(local->group), remote, context, local)->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Intercomm_create);

static mpii_group_t* joined(const mpii_group_t* first, const mpii_group_t* second) {
  mpii_group_t* group = mpii_group_new(first->size + second->size);
  memcpy(group->ranks, first->ranks, (size_t)first->size * sizeof *group->ranks);
  memcpy(group->ranks + first->size, second->ranks, (size_t)second->size * sizeof *group->ranks);
  mpii_group_complete(group);
  return group;
}

int PMPI_Intercomm_merge(MPI_Comm handle, int high, MPI_Comm* made) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Intercomm_merge", handle, &comm));
  MPII_TRY(mpii_check_given(comm, made, "made"));
  if (!mpii_is_inter(comm)) return mpii_fail(comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
  const uint32_t context = mpii_agree_context(comm);
  int ours = high != 0, theirs;
  mpii_swap(comm, &ours, sizeof ours, &theirs, sizeof theirs);
  mpii_spread(comm->local, 0, &ours, sizeof ours);  // should it not be the same in all of the group
  // Where both said the same any order will do that both sides see.
  const bool first = ours != theirs ? !ours : comm->group->ranks[0] < comm->remote->ranks[0];
  mpii_group_t* group = first ? joined(comm->group, comm->remote) : joined(comm->remote, comm->group);
  mpii_comm_t* merged = mpii_comm_new(group, context, comm);
  mpii_network_join(merged);
  *made = merged->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Intercomm_merge);
