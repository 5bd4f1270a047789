// SPDX-License-Identifier: Apache-2.0
// Data representations. On big-endian machines their own is what "external32" asks for, as pack_external.c says; others
// do not have it for files.
#include "firmware/mpi/datarep.h"

#include <stdlib.h>
#include <string.h>

/// One of MPI_Register_datarep().
typedef struct registered {
  struct registered* next;
  bool converts;
  char name[];
} registered_t;

static registered_t* registered;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define KNOWN "\"native\", \"internal\" and \"external32\""
static const char* const names[] = {"native", "internal", "external32"};
#else
#define KNOWN "\"native\" and \"internal\""
static const char* const names[] = {"native", "internal"};
#endif

static const char* find_own(const char* name) {
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(name, names[i]) == 0) return names[i];
  }
  return NULL;
}

static const registered_t* find_registered(const char* name) {
  const registered_t* at = registered;
  while (at != NULL && strcmp(at->name, name) != 0) at = at->next;
  return at;
}

int mpii_datarep(mpii_comm_t* comm, const char* name, const char** known) {
  *known = find_own(name);
  if (*known != NULL) return MPI_SUCCESS;
  const registered_t* own = find_registered(name);
  if (own == NULL) {
    return mpii_fail(comm, MPI_ERR_UNSUPPORTED_DATAREP, "the data representation is '%s'; " KNOWN " are known", name);
  }
  if (own->converts) {
    return mpii_fail(comm, MPI_ERR_CONVERSION,
                     "the data representation '%s' has conversion functions of its own, "
                     "which files do not support; " KNOWN " are supported",
                     name);
  }
  *known = own->name;
  return MPI_SUCCESS;
}

int PMPI_Register_datarep(const char* name, MPI_Datarep_conversion_function* read_conversion,
                          MPI_Datarep_conversion_function* write_conversion, MPI_Datarep_extent_function* file_extent,
                          void* extra) {
  (void)extra;
  mpii_enter("MPI_Register_datarep");
  MPII_TRY(mpii_check_given(mpii_no_file(), name, "datarep"));
  MPII_TRY(mpii_check_given(mpii_no_file(), (const void*)(uintptr_t)file_extent, "file_extent"));
  if (name[0] == '\0' || strlen(name) >= MPI_MAX_DATAREP_STRING) {
    return mpii_fail(mpii_no_file(), MPI_ERR_ARG, "the name must have 1 to %d characters", MPI_MAX_DATAREP_STRING - 1);
  }
  if (find_own(name) != NULL || find_registered(name) != NULL) {
    return mpii_fail(mpii_no_file(), MPI_ERR_DUP_DATAREP, "there is a data representation '%s' already", name);
  }
  registered_t* made = mpii_allocate(sizeof *made + strlen(name) + 1);
  strcpy(made->name, name);
  made->converts = read_conversion != MPI_CONVERSION_FN_NULL || write_conversion != MPI_CONVERSION_FN_NULL;
  made->next = registered;
  registered = made;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Register_datarep);
