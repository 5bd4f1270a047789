// SPDX-License-Identifier: Apache-2.0
// Groups' and communicators' lives; MPI_COMM_WORLD and MPI_COMM_SELF.
#include "firmware/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/collective.h"
#include "firmware/mpi/topology.h"
#include "firmware/msglayer/msglayer.h"

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

static bool is_whole(const bglmpi_group_t* group) {
  if ((uint32_t)group->size != bglml_size()) return false;
  for (int rank = 0; rank < group->size; ++rank) {
    if (group->ranks[rank] != (uint32_t)rank) return false;
  }
  return true;
}

static void fill(bglmpi_comm_t* comm, bglmpi_group_t* group, uint32_t context) {
  comm->context = context;
  comm->group = comm->remote = group;
  comm->rank = group->rank;
  comm->size = group->size;
  comm->whole = is_whole(group);
}

bglmpi_comm_t* bglmpi_comm_new(bglmpi_group_t* group, uint32_t context, const bglmpi_comm_t* parent) {
  bglmpi_comm_t* comm = bglmpi_allocate(sizeof *comm);
  fill(comm, group, context);
  comm->errhandler = bglmpi_retain(parent->errhandler);
  comm->object.references = 1;
  bglmpi_object_open(comm, BGLMPI_COMM);
  return comm;
}

void bglmpi_comm_release(bglmpi_comm_t* comm) {
  if (!bglmpi_release(comm)) return;
  if (comm->remote != comm->group) bglmpi_group_release(comm->remote);
  bglmpi_group_release(comm->group);
  if (comm->local != NULL) bglmpi_comm_release(comm->local);
  bglmpi_errhandler_release(comm->errhandler);
  bglmpi_topology_free(comm->topology);
  free(comm);
}

static void predefined(bglmpi_comm_t* comm, MPI_Comm handle, int size, uint32_t first, uint32_t context,
                       const char* name) {
  bglmpi_group_t* group = bglmpi_group_new(size);
  for (int rank = 0; rank < size; ++rank) group->ranks[rank] = first + (uint32_t)rank;
  bglmpi_group_complete(group);
  fill(comm, group, context);
  comm->errhandler = bglmpi_retain(bglmpi_object(MPI_ERRORS_ARE_FATAL, BGLMPI_ERRHANDLER));
  strcpy(comm->name, name);
  bglmpi_object_open_as(comm, handle);
}

/// Contexts in use are below it, at all members of any communicator of this process.
static uint32_t next_context;

void bglmpi_comm_init(void) {
  predefined(&world, MPI_COMM_WORLD, (int)bglml_size(), 0, 0, "MPI_COMM_WORLD");
  predefined(&self, MPI_COMM_SELF, 1, bglml_rank(), 2, "MPI_COMM_SELF");
  next_context = 4;
}

uint32_t bglmpi_agree_context(bglmpi_comm_t* comm) {
  // The greatest of all members' next ones; contexts are not used again.
  const uint32_t agreed = bglmpi_agree_max(comm, next_context);
  next_context = agreed + 2;
  return agreed;
}

int PMPI_Comm_size(MPI_Comm handle, int* size) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_size", handle, &comm));
  *size = comm->size;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_size);

int PMPI_Comm_rank(MPI_Comm handle, int* rank) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_rank", handle, &comm));
  *rank = comm->rank;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_rank);
