// SPDX-License-Identifier: Apache-2.0
// What is asked of a communicator; its name and hints.
#include <string.h>

#include "firmware/mpi/comm.h"
#include "firmware/mpi/info.h"

int PMPI_Comm_size(MPI_Comm handle, int* size) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_size", handle, &comm));
  MPII_TRY(mpii_check_given(comm, size, "size"));
  *size = comm->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_size);

int PMPI_Comm_rank(MPI_Comm handle, int* rank) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_rank", handle, &comm));
  MPII_TRY(mpii_check_given(comm, rank, "rank"));
  *rank = comm->rank;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_rank);

int PMPI_Comm_test_inter(MPI_Comm handle, int* flag) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_test_inter", handle, &comm));
  MPII_TRY(mpii_check_given(comm, flag, "flag"));
  *flag = mpii_is_inter(comm);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_test_inter);

int PMPI_Comm_remote_size(MPI_Comm handle, int* size) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_remote_size", handle, &comm));
  MPII_TRY(mpii_check_given(comm, size, "size"));
  if (!mpii_is_inter(comm)) return mpii_fail(comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
  *size = comm->remote->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_remote_size);

int PMPI_Comm_compare(MPI_Comm first_handle, MPI_Comm second_handle, int* result) {
  mpii_comm_t *first, *second;
  MPII_TRY(mpii_enter_comm("MPI_Comm_compare", first_handle, &first));
  MPII_TRY(mpii_enter_comm("MPI_Comm_compare", second_handle, &second));
  MPII_TRY(mpii_check_given(first, result, "result"));
  if (first == second) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  *result = MPI_UNEQUAL;
  if (mpii_is_inter(first) != mpii_is_inter(second)) return MPI_SUCCESS;
  *result = mpii_groups_compare(first->group, second->group);
  if (mpii_is_inter(first)) {
    const int remote = mpii_groups_compare(first->remote, second->remote);
    if (remote > *result) *result = remote;  // the less alike
  }
  if (*result == MPI_IDENT) *result = MPI_CONGRUENT;  // another context
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_compare);

int PMPI_Comm_get_parent(MPI_Comm* parent) {
  mpii_enter("MPI_Comm_get_parent");
  MPII_TRY(mpii_check_given(NULL, parent, "parent"));
  *parent = MPI_COMM_NULL;  // no process is spawned
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_get_parent);

int PMPI_Comm_set_name(MPI_Comm handle, const char* name) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_set_name", handle, &comm));
  MPII_TRY(mpii_check_given(comm, name, "name"));
  memset(comm->name, 0, sizeof comm->name);
  strncpy(comm->name, name, sizeof comm->name - 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_set_name);

int PMPI_Comm_get_name(MPI_Comm handle, char* name, int* length) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_get_name", handle, &comm));
  MPII_TRY(mpii_check_given(comm, name, "name"));
  MPII_TRY(mpii_check_given(comm, length, "length"));
  *length = (int)strlen(comm->name);
  memcpy(name, comm->name, (size_t)*length + 1);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_get_name);

int PMPI_Comm_set_info(MPI_Comm handle, MPI_Info info_handle) {
  mpii_comm_t* comm;
  struct mpii_info* info;
  MPII_TRY(mpii_enter_comm("MPI_Comm_set_info", handle, &comm));
  MPII_TRY(mpii_info(comm, info_handle, &info));
  struct mpii_info* copy = mpii_info_copy(info);
  mpii_info_free(comm->info);
  comm->info = copy;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_set_info);

int PMPI_Comm_get_info(MPI_Comm handle, MPI_Info* info) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_get_info", handle, &comm));
  MPII_TRY(mpii_check_given(comm, info, "info"));
  *info = mpii_info_open(mpii_info_copy(comm->info));
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_get_info);
