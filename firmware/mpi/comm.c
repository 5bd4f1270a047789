// SPDX-License-Identifier: Apache-2.0
// Groups' and communicators' lives; MPI_COMM_WORLD and MPI_COMM_SELF.
#include "firmware/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/threads.h"
#include "firmware/mpi/topology.h"

static mpii_comm_t world, self;
mpii_comm_t* mpii_world = &world;
mpii_comm_t* mpii_self = &self;

int mpii_enter_comm(const char* function, MPI_Comm handle, mpii_comm_t** comm) {
  mpii_enter(function);
  *comm = mpii_object(handle, MPII_COMM);
  if (*comm != NULL) return MPI_SUCCESS;
  if (handle == MPI_COMM_NULL) return mpii_fail(NULL, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  return mpii_fail(NULL, MPI_ERR_COMM, "0x%X is no communicator, or a freed one", (unsigned)handle);
}

mpii_group_t* mpii_group_new(int size) {
  mpii_group_t* group = mpii_allocate(sizeof *group);
  group->size = size;
  group->ranks = mpii_allocate((size_t)size * sizeof *group->ranks);
  group->object.references = 1;
  return group;
}

void mpii_group_complete(mpii_group_t* group) {
  group->rank = MPI_UNDEFINED;
  for (int rank = 0; rank < group->size; ++rank) {
    if (group->ranks[rank] == mpit_rank()) group->rank = rank;
  }
}

void mpii_group_release(mpii_group_t* group) {
  if (!mpii_release(group)) return;
  free(group->ranks);
  free(group);
}

/// Whether the members, who are all processes, are in the order of MPI_COMM_WORLD.
static bool is_in_order(const mpii_group_t* group) {
  for (int rank = 0; rank < group->size; ++rank) {
    if (group->ranks[rank] != (uint32_t)rank) return false;
  }
  return true;
}

static void fill(mpii_comm_t* comm, mpii_group_t* group, mpii_group_t* remote, uint32_t context) {
  comm->context = context;
  comm->group = group;
  comm->remote = remote;
  comm->rank = group->rank;
  comm->size = group->size;
  comm->complete = remote == group && (uint32_t)group->size == mpit_size();
  comm->whole = comm->complete && is_in_order(group);
}

/// Without a handle.
static mpii_comm_t* make(mpii_group_t* group, mpii_group_t* remote, uint32_t context, const mpii_comm_t* parent) {
  mpii_comm_t* comm = mpii_allocate(sizeof *comm);
  fill(comm, group, remote, context);
  comm->errhandler = mpii_retain(parent->errhandler);
  comm->object.references = 1;
  return comm;
}

mpii_comm_t* mpii_comm_new(mpii_group_t* group, uint32_t context, const mpii_comm_t* parent) {
  mpii_comm_t* comm = make(group, group, context, parent);
  mpii_object_open(comm, MPII_COMM);
  return comm;
}

mpii_comm_t* mpii_intercomm_new(mpii_group_t* group, mpii_group_t* remote, uint32_t context,
                                const mpii_comm_t* parent) {
  mpii_comm_t* comm = make(group, remote, context, parent);
  // Both groups' have the same context: no member of one ever sends to one of the other under it.
  comm->local = make(mpii_retain(group), group, context + 2, parent);
  mpii_object_open(comm, MPII_COMM);
  return comm;
}

static void destroy(void* object) {
  mpii_comm_t* comm = object;
  if (comm->remote != comm->group) mpii_group_release(comm->remote);
  mpii_group_release(comm->group);
  if (comm->local != NULL) mpii_comm_release(comm->local);
  mpii_errhandler_release(comm->errhandler);
  mpii_topology_free(comm->topology);
  mpii_info_free(comm->info);
  free(comm);
}

void mpii_comm_release(mpii_comm_t* comm) {
  if (!mpii_release(comm)) return;
  if (mpii_interrupted) {
    mpii_later(destroy, comm);
  } else {
    destroy(comm);
  }
}

int mpii_comm_close(mpii_comm_t* comm) {
  MPII_TRY(mpii_attributes_delete(comm->object.handle, &comm->attributes));
  mpii_network_leave(comm);
  mpii_object_close(comm);
  mpii_comm_release(comm);
  return MPI_SUCCESS;
}

static void predefined(mpii_comm_t* comm, MPI_Comm handle, int size, uint32_t first, uint32_t context,
                       const char* name) {
  mpii_group_t* group = mpii_group_new(size);
  for (int rank = 0; rank < size; ++rank) group->ranks[rank] = first + (uint32_t)rank;
  mpii_group_complete(group);
  fill(comm, group, group, context);
  comm->errhandler = mpii_retain(mpii_object(MPI_ERRORS_ARE_FATAL, MPII_ERRHANDLER));
  strcpy(comm->name, name);
  mpii_object_open_as(comm, handle);
}

/// Contexts in use are below it, at all members of any communicator of this process.
static uint32_t next_context;

void mpii_comm_init(void) {
  static mpii_group_t empty = {.rank = MPI_UNDEFINED};
  mpii_object_open_as(&empty, MPI_GROUP_EMPTY);
  predefined(&world, MPI_COMM_WORLD, (int)mpit_size(), 0, 0, "MPI_COMM_WORLD");
  predefined(&self, MPI_COMM_SELF, 1, mpit_rank(), 2, "MPI_COMM_SELF");
  next_context = 4;
}

void mpii_comm_finish(void) {
  mpii_attributes_delete(MPI_COMM_SELF, &self.attributes);
  mpii_attributes_delete(MPI_COMM_WORLD, &world.attributes);
}

uint32_t mpii_least_context(void) {
  return next_context;
}

void mpii_take_context(uint32_t context) {
  if (!MPIT_THREADS) next_context = context + 4;  // contexts are not used again
}

uint32_t mpii_agree_context(mpii_comm_t* comm) {
  mpii_comm_t* own = mpii_is_inter(comm) ? comm->local : comm;
  uint32_t agreed = mpii_agree_max(own, mpii_propose_context(own->rank == 0));
  if (mpii_is_inter(comm)) {
    uint32_t theirs;
    mpii_swap(comm, &agreed, sizeof agreed, &theirs, sizeof theirs);
    if (theirs > agreed) agreed = theirs;
  }
  mpii_take_context(agreed);
  return agreed;
}

/// Those that the library made stay.
static int check_freeable(mpii_comm_t* comm) {
  if (comm != mpii_world && comm != mpii_self) return MPI_SUCCESS;
  return mpii_fail(comm, MPI_ERR_COMM, "%s cannot be freed", comm->name);
}

int PMPI_Comm_free(MPI_Comm* handle) {
  mpii_comm_t* comm;
  mpii_enter("MPI_Comm_free");
  MPII_TRY(mpii_check_given(NULL, handle, "comm"));
  MPII_TRY(mpii_enter_comm("MPI_Comm_free", *handle, &comm));
  MPII_TRY(check_freeable(comm));
  // Pending operations have references of their own.
  MPII_TRY(mpii_comm_close(comm));
  *handle = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_free);

int PMPI_Comm_disconnect(MPI_Comm* handle) {
  mpii_comm_t* comm;
  mpii_enter("MPI_Comm_disconnect");
  MPII_TRY(mpii_check_given(NULL, handle, "comm"));
  MPII_TRY(mpii_enter_comm("MPI_Comm_disconnect", *handle, &comm));
  MPII_TRY(check_freeable(comm));
  // Unlike MPI_Comm_free(): first what is under way comes to its end.
  while (comm->object.references > 1) mpii_turn();
  MPII_TRY(mpii_comm_close(comm));
  *handle = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_disconnect);
