// SPDX-License-Identifier: Apache-2.0
/// The library's representation of groups and communicators. For its own files.
#ifndef TOROID_FIRMWARE_MPI_COMM_H
#define TOROID_FIRMWARE_MPI_COMM_H

#include "firmware/mpi/error.h"
#include "firmware/mpi/object.h"

/// An ordered set of processes.
typedef struct {
  mpii_object_t object;
  int size;
  int rank;         ///< this process's, or MPI_UNDEFINED
  uint32_t* ranks;  ///< each member's rank in MPI_COMM_WORLD
  uint32_t opened;  ///< how many times the program was given the handle, each to be freed
} mpii_group_t;

typedef struct {
  mpii_object_t object;
  MPI_Comm_errhandler_function* function;  ///< NULL: predefined
  uint32_t opened;                         ///< as a group's
} mpii_errhandler_t;

void mpii_errhandler_release(mpii_errhandler_t* handler);

struct mpii_attribute;
struct mpii_info;
struct mpii_topology;

/// What some processes have of the machine's networks.
typedef struct {
  struct mpit_part* of;
  uint32_t comms;  ///< communicators of this group, which share it
} mpii_part_t;

typedef struct mpii_comm {
  mpii_object_t object;
  // Two contexts keep the program's messages (this number) and those of the collective operations (the next) apart.
  uint32_t context;
  uint32_t collectives;  ///< calls of collective operations so far
  int rank, size;        ///< this process's, in `group`
  mpii_group_t* group;
  mpii_group_t* remote;  ///< the group that messages are sent to: the other group of an intercommunicator, else `group`
  struct mpii_comm* local;  ///< of an intercommunicator: one of the local group, for its collective operations
  bool whole;     ///< the members are those of MPI_COMM_WORLD in its order: the machine's collective networks serve it
  bool complete;  ///< the same in any order, as of a grid that fits the torus
  mpii_part_t* part;  ///< NULL: all of the networks if `complete`, else nothing
  mpii_errhandler_t* errhandler;
  int owner;  ///< of a window's or file's own communicator: its handle, which the error handler gets; 0: of none
  struct mpii_attribute* attributes;
  struct mpii_topology* topology;
  struct mpii_info* info;  ///< the program's hints; NULL: none
  char name[MPI_MAX_OBJECT_NAME];
} mpii_comm_t;

static inline bool mpii_is_inter(const mpii_comm_t* comm) {
  return comm->local != NULL;
}

/// The rank in MPI_COMM_WORLD of the process that receives messages to `rank`.
static inline uint32_t mpii_world_rank(const mpii_comm_t* comm, int rank) {
  return comm->remote->ranks[rank];
}

/// The group of a handle, or MPI_ERR_GROUP at `comm` (NULL: at MPI_COMM_WORLD).
int mpii_group(mpii_comm_t* comm, MPI_Group handle, mpii_group_t** group);

extern mpii_comm_t* mpii_world;
extern mpii_comm_t* mpii_self;

/// The communicator for errors of file calls without an open file: its error handler is MPI_FILE_NULL's.
mpii_comm_t* mpii_no_file(void);

/// Begin an MPI call on a communicator: MPII_TRY(mpii_enter_comm("MPI_Send", handle, &comm)).
int mpii_enter_comm(const char* function, MPI_Comm handle, mpii_comm_t** comm);

/// A group of `size` members; the caller fills `ranks` and calls mpii_group_complete(), which finds `rank`.
mpii_group_t* mpii_group_new(int size);
void mpii_group_complete(mpii_group_t* group);
void mpii_group_release(mpii_group_t* group);

/// As MPI_Group_compare().
int mpii_groups_compare(const mpii_group_t* first, const mpii_group_t* second);

/// A handle of it for the program, with a reference.
MPI_Group mpii_group_open(mpii_group_t* group);

/// A member's rank for every rank of MPI_COMM_WORLD, -1 for those that are not in it. To be freed.
int* mpii_group_table(const mpii_group_t* group);

/// A communicator of a group (whose reference it takes over) under a context that all its members have agreed on, with
/// the error handler of `parent`. Opened: it has a handle.
mpii_comm_t* mpii_comm_new(mpii_group_t* group, uint32_t context, const mpii_comm_t* parent);
void mpii_comm_release(mpii_comm_t* comm);

/// The same of two groups: an intercommunicator.
mpii_comm_t* mpii_intercomm_new(mpii_group_t* group, mpii_group_t* remote, uint32_t context, const mpii_comm_t* parent);

/// A context that no communicator of any member of `comm` uses, of both groups of an intercommunicator; the same at
/// all, who all call it. It and the next three are taken: two for the communicator, two for an intercommunicator's
/// `local`.
uint32_t mpii_agree_context(mpii_comm_t* comm);

/// The same if processes agree in another way (mpii_propose_context()): the least that this process can use, and taking
/// the one that they have agreed on.
uint32_t mpii_least_context(void);
void mpii_take_context(uint32_t context);

/// Close the program's handle of a communicator: its attributes are deleted.
int mpii_comm_close(mpii_comm_t* comm);

void mpii_comm_init(void);

/// At MPI_Finalize(), before all else: delete the attributes of MPI_COMM_SELF and MPI_COMM_WORLD.
void mpii_comm_finish(void);

#endif
