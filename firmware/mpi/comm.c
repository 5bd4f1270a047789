// SPDX-License-Identifier: Apache-2.0
// Groups' and communicators' lives; MPI_COMM_WORLD and MPI_COMM_SELF.
#include "firmware/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/mpi/agree.h"
#include "firmware/mpi/attribute.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/interrupted.h"
#include "firmware/mpi/topology.h"

static bglmpi_comm_t world, self;
bglmpi_comm_t* bglmpi_world = &world;
bglmpi_comm_t* bglmpi_self = &self;

int bglmpi_enter_comm(const char* function, MPI_Comm handle, bglmpi_comm_t** comm) {
  bglmpi_enter(function);
  *comm = bglmpi_object(handle, BGLMPI_COMM);
  if (*comm != NULL) return MPI_SUCCESS;
  if (handle == MPI_COMM_NULL) return bglmpi_fail(NULL, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  return bglmpi_fail(NULL, MPI_ERR_COMM, "0x%X is no communicator, or a freed one", (unsigned)handle);
}

bglmpi_group_t* bglmpi_group_new(int size) {
  bglmpi_group_t* group = bglmpi_allocate(sizeof *group);
  group->size = size;
  group->ranks = bglmpi_allocate((size_t)size * sizeof *group->ranks);
  group->object.references = 1;
  return group;
}

void bglmpi_group_complete(bglmpi_group_t* group) {
  group->rank = MPI_UNDEFINED;
  for (int rank = 0; rank < group->size; ++rank) {
    if (group->ranks[rank] == bglml_rank()) group->rank = rank;
  }
}

void bglmpi_group_release(bglmpi_group_t* group) {
  if (!bglmpi_release(group)) return;
  free(group->ranks);
  free(group);
}

/// Whether the members, who are all processes, are in the order of MPI_COMM_WORLD.
static bool is_in_order(const bglmpi_group_t* group) {
  for (int rank = 0; rank < group->size; ++rank) {
    if (group->ranks[rank] != (uint32_t)rank) return false;
  }
  return true;
}

static void fill(bglmpi_comm_t* comm, bglmpi_group_t* group, bglmpi_group_t* remote, uint32_t context) {
  comm->context = context;
  comm->group = group;
  comm->remote = remote;
  comm->rank = group->rank;
  comm->size = group->size;
  comm->complete = remote == group && (uint32_t)group->size == bglml_size();
  comm->whole = comm->complete && is_in_order(group);
}

/// Without a handle.
static bglmpi_comm_t* make(bglmpi_group_t* group, bglmpi_group_t* remote, uint32_t context,
                           const bglmpi_comm_t* parent) {
  bglmpi_comm_t* comm = bglmpi_allocate(sizeof *comm);
  fill(comm, group, remote, context);
  comm->errhandler = bglmpi_retain(parent->errhandler);
  comm->object.references = 1;
  return comm;
}

bglmpi_comm_t* bglmpi_comm_new(bglmpi_group_t* group, uint32_t context, const bglmpi_comm_t* parent) {
  bglmpi_comm_t* comm = make(group, group, context, parent);
  bglmpi_object_open(comm, BGLMPI_COMM);
  return comm;
}

bglmpi_comm_t* bglmpi_intercomm_new(bglmpi_group_t* group, bglmpi_group_t* remote, uint32_t context,
                                    const bglmpi_comm_t* parent) {
  bglmpi_comm_t* comm = make(group, remote, context, parent);
  // Both groups' have the same context: no member of one ever sends to one of the other under it.
  comm->local = make(bglmpi_retain(group), group, context + 2, parent);
  bglmpi_object_open(comm, BGLMPI_COMM);
  return comm;
}

static void destroy(void* object) {
  bglmpi_comm_t* comm = object;
  if (comm->remote != comm->group) bglmpi_group_release(comm->remote);
  bglmpi_group_release(comm->group);
  if (comm->local != NULL) bglmpi_comm_release(comm->local);
  bglmpi_errhandler_release(comm->errhandler);
  bglmpi_topology_free(comm->topology);
  bglmpi_info_free(comm->info);
  free(comm);
}

void bglmpi_comm_release(bglmpi_comm_t* comm) {
  if (!bglmpi_release(comm)) return;
  if (bglmpi_interrupted) {
    bglmpi_later(destroy, comm);
  } else {
    destroy(comm);
  }
}

int bglmpi_comm_close(bglmpi_comm_t* comm) {
  BGLMPI_TRY(bglmpi_attributes_delete(comm->object.handle, &comm->attributes));
  bglmpi_object_close(comm);
  bglmpi_comm_release(comm);
  return MPI_SUCCESS;
}

static void predefined(bglmpi_comm_t* comm, MPI_Comm handle, int size, uint32_t first, uint32_t context,
                       const char* name) {
  bglmpi_group_t* group = bglmpi_group_new(size);
  for (int rank = 0; rank < size; ++rank) group->ranks[rank] = first + (uint32_t)rank;
  bglmpi_group_complete(group);
  fill(comm, group, group, context);
  comm->errhandler = bglmpi_retain(bglmpi_object(MPI_ERRORS_ARE_FATAL, BGLMPI_ERRHANDLER));
  strcpy(comm->name, name);
  bglmpi_object_open_as(comm, handle);
}

/// Contexts in use are below it, at all members of any communicator of this process.
static uint32_t next_context;

void bglmpi_comm_init(void) {
  static bglmpi_group_t empty = {.rank = MPI_UNDEFINED};
  bglmpi_object_open_as(&empty, MPI_GROUP_EMPTY);
  predefined(&world, MPI_COMM_WORLD, (int)bglml_size(), 0, 0, "MPI_COMM_WORLD");
  predefined(&self, MPI_COMM_SELF, 1, bglml_rank(), 2, "MPI_COMM_SELF");
  next_context = 4;
}

void bglmpi_comm_finish(void) {
  bglmpi_attributes_delete(MPI_COMM_SELF, &self.attributes);
  bglmpi_attributes_delete(MPI_COMM_WORLD, &world.attributes);
}

uint32_t bglmpi_least_context(void) {
  return next_context;
}

void bglmpi_take_context(uint32_t context) {
  next_context = context + 4;  // contexts are not used again
}

uint32_t bglmpi_agree_context(bglmpi_comm_t* comm) {
  uint32_t agreed = bglmpi_agree_max(bglmpi_is_inter(comm) ? comm->local : comm, next_context);
  if (bglmpi_is_inter(comm)) {
    uint32_t theirs;
    bglmpi_swap(comm, &agreed, sizeof agreed, &theirs, sizeof theirs);
    if (theirs > agreed) agreed = theirs;
  }
  bglmpi_take_context(agreed);
  return agreed;
}

/// Those that the library made stay.
static int check_freeable(bglmpi_comm_t* comm) {
  if (comm != bglmpi_world && comm != bglmpi_self) return MPI_SUCCESS;
  return bglmpi_fail(comm, MPI_ERR_COMM, "%s cannot be freed", comm->name);
}

int PMPI_Comm_free(MPI_Comm* handle) {
  bglmpi_comm_t* comm;
  bglmpi_enter("MPI_Comm_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "comm"));
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_free", *handle, &comm));
  BGLMPI_TRY(check_freeable(comm));
  // Pending operations have references of their own.
  BGLMPI_TRY(bglmpi_comm_close(comm));
  *handle = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_free);

int PMPI_Comm_disconnect(MPI_Comm* handle) {
  bglmpi_comm_t* comm;
  bglmpi_enter("MPI_Comm_disconnect");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "comm"));
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_disconnect", *handle, &comm));
  BGLMPI_TRY(check_freeable(comm));
  // Unlike MPI_Comm_free(): first what is under way comes to its end.
  while (comm->object.references > 1) bglml_advance();
  BGLMPI_TRY(bglmpi_comm_close(comm));
  *handle = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_disconnect);
