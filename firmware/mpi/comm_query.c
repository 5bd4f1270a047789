// SPDX-License-Identifier: Apache-2.0
// What is asked of a communicator; its name and hints.
#include <string.h>

#include "firmware/mpi/comm.h"
#include "firmware/mpi/info.h"

int PMPI_Comm_size(MPI_Comm handle, int* size) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_size", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, size, "size"));
  *size = comm->size;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_size);

int PMPI_Comm_rank(MPI_Comm handle, int* rank) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_rank", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, rank, "rank"));
  *rank = comm->rank;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_rank);

int PMPI_Comm_test_inter(MPI_Comm handle, int* flag) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_test_inter", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, flag, "flag"));
  *flag = bglmpi_is_inter(comm);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_test_inter);

int PMPI_Comm_remote_size(MPI_Comm handle, int* size) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_remote_size", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, size, "size"));
  if (!bglmpi_is_inter(comm)) return bglmpi_fail(comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
  *size = comm->remote->size;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_remote_size);

int PMPI_Comm_compare(MPI_Comm first_handle, MPI_Comm second_handle, int* result) {
  bglmpi_comm_t *first, *second;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_compare", first_handle, &first));
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_compare", second_handle, &second));
  BGLMPI_TRY(bglmpi_check_given(first, result, "result"));
  if (first == second) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  *result = MPI_UNEQUAL;
  if (bglmpi_is_inter(first) != bglmpi_is_inter(second)) return MPI_SUCCESS;
  *result = bglmpi_groups_compare(first->group, second->group);
  if (bglmpi_is_inter(first)) {
    const int remote = bglmpi_groups_compare(first->remote, second->remote);
    if (remote > *result) *result = remote;  // the less alike
  }
  if (*result == MPI_IDENT) *result = MPI_CONGRUENT;  // another context
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_compare);

int PMPI_Comm_get_parent(MPI_Comm* parent) {
  bglmpi_enter("MPI_Comm_get_parent");
  BGLMPI_TRY(bglmpi_check_given(NULL, parent, "parent"));
  *parent = MPI_COMM_NULL;  // nobody is spawned
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_get_parent);

int PMPI_Comm_set_name(MPI_Comm handle, const char* name) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_set_name", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, name, "name"));
  memset(comm->name, 0, sizeof comm->name);
  strncpy(comm->name, name, sizeof comm->name - 1);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_set_name);

int PMPI_Comm_get_name(MPI_Comm handle, char* name, int* length) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_get_name", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, name, "name"));
  BGLMPI_TRY(bglmpi_check_given(comm, length, "length"));
  *length = (int)strlen(comm->name);
  memcpy(name, comm->name, (size_t)*length + 1);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_get_name);

int PMPI_Comm_set_info(MPI_Comm handle, MPI_Info info_handle) {
  bglmpi_comm_t* comm;
  struct bglmpi_info* info;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_set_info", handle, &comm));
  BGLMPI_TRY(bglmpi_info(comm, info_handle, &info));
  struct bglmpi_info* copy = bglmpi_info_copy(info);
  bglmpi_info_free(comm->info);
  comm->info = copy;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_set_info);

int PMPI_Comm_get_info(MPI_Comm handle, MPI_Info* info) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_get_info", handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, info, "info"));
  *info = bglmpi_info_open(bglmpi_info_copy(comm->info));
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_get_info);
