// SPDX-License-Identifier: Apache-2.0
// Memory for messages, and addresses.
#include <stdint.h>
#include <stdlib.h>

#include "firmware/mpi/info.h"

int PMPI_Alloc_mem(MPI_Aint size, MPI_Info handle, void* base) {
  struct mpii_info* info;
  mpii_enter("MPI_Alloc_mem");
  MPII_TRY(mpii_check_given(NULL, base, "base"));
  if (size < 0) return mpii_fail(NULL, MPI_ERR_ARG, "the size is %ld; it must be 0 or more", size);
  if (handle != MPI_INFO_NULL) MPII_TRY(mpii_info(NULL, handle, &info));
  // Whole cache lines: what lies so is sent and received without a copy, also by the coprocessor.
  enum { LINE = 32 };
  void* memory = (size_t)size <= SIZE_MAX - LINE ? aligned_alloc(LINE, ((size_t)size / LINE + 1) * LINE) : NULL;
  if (memory == NULL) return mpii_fail(NULL, MPI_ERR_NO_MEM, "there is no memory for %ld bytes", size);
  *(void**)base = memory;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Alloc_mem);

int PMPI_Free_mem(void* base) {
  mpii_enter("MPI_Free_mem");
  free(base);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Free_mem);

int PMPI_Get_address(const void* location, MPI_Aint* address) {
  mpii_enter("MPI_Get_address");
  MPII_TRY(mpii_check_given(NULL, address, "address"));
  *address = (MPI_Aint)(intptr_t)location;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_address);

int PMPI_Address(void* location, MPI_Aint* address) {
  mpii_enter("MPI_Address");
  MPII_TRY(mpii_check_given(NULL, address, "address"));
  *address = (MPI_Aint)(intptr_t)location;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Address);

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint displacement) {
  return (MPI_Aint)((uintptr_t)base + (uintptr_t)displacement);
}
MPII_PUBLIC(Aint_add);

MPI_Aint PMPI_Aint_diff(MPI_Aint first, MPI_Aint second) {
  return (MPI_Aint)((uintptr_t)first - (uintptr_t)second);
}
MPII_PUBLIC(Aint_diff);
