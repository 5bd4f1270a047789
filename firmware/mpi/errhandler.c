// SPDX-License-Identifier: Apache-2.0
// Error handlers of communicators.
#include "firmware/mpi/errhandler.h"

#include <stdlib.h>

void mpii_errhandler_init(void) {
  static mpii_errhandler_t fatal, returning;
  mpii_object_open_as(&fatal, MPI_ERRORS_ARE_FATAL);
  mpii_object_open_as(&returning, MPI_ERRORS_RETURN);
}

void mpii_errhandler_release(mpii_errhandler_t* handler) {
  if (mpii_release(handler)) free(handler);
}

int mpii_errhandler(mpii_comm_t* comm, MPI_Errhandler handle, mpii_errhandler_t** handler) {
  *handler = mpii_object(handle, MPII_ERRHANDLER);
  if (*handler != NULL) return MPI_SUCCESS;
  if (handle == MPI_ERRHANDLER_NULL) {
    return mpii_fail(comm, MPI_ERR_ARG, "the error handler is MPI_ERRHANDLER_NULL");
  }
  return mpii_fail(comm, MPI_ERR_ARG, "0x%X is no error handler, or a freed one", (unsigned)handle);
}

MPI_Errhandler mpii_errhandler_open(mpii_errhandler_t* handler) {
  if (handler->function == NULL) return handler->object.handle;  // the library's own stay
  mpii_retain(handler);
  if (handler->opened++ == 0) mpii_object_open(handler, MPII_ERRHANDLER);
  return handler->object.handle;
}

MPI_Errhandler mpii_errhandler_new(MPI_Comm_errhandler_function* function) {
  mpii_errhandler_t* handler = mpii_allocate(sizeof *handler);
  handler->function = function;
  return mpii_errhandler_open(handler);
}

static int create(const char* function, MPI_Comm_errhandler_function* handler_function, MPI_Errhandler* handler) {
  mpii_enter(function);
  MPII_TRY(mpii_check_given(NULL, (const void*)(uintptr_t)handler_function, "function"));
  MPII_TRY(mpii_check_given(NULL, handler, "handler"));
  *handler = mpii_errhandler_new(handler_function);
  return MPI_SUCCESS;
}

static int set(const char* function, MPI_Comm comm_handle, MPI_Errhandler handle) {
  mpii_comm_t* comm;
  mpii_errhandler_t* handler;
  MPII_TRY(mpii_enter_comm(function, comm_handle, &comm));
  MPII_TRY(mpii_errhandler(comm, handle, &handler));
  for (mpii_comm_t* each = comm; each != NULL; each = each->local) {
    mpii_errhandler_t* old = each->errhandler;
    each->errhandler = mpii_retain(handler);
    mpii_errhandler_release(old);
  }
  return MPI_SUCCESS;
}

static int get(const char* function, MPI_Comm comm_handle, MPI_Errhandler* handler) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm(function, comm_handle, &comm));
  MPII_TRY(mpii_check_given(comm, handler, "handler"));
  *handler = mpii_errhandler_open(comm->errhandler);
  return MPI_SUCCESS;
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Comm_create_errhandler", function, handler);
}
MPII_PUBLIC(Comm_create_errhandler);

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Comm_set_errhandler", comm, handler);
}
MPII_PUBLIC(Comm_set_errhandler);

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Comm_get_errhandler", comm, handler);
}
MPII_PUBLIC(Comm_get_errhandler);

int PMPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Errhandler_create", function, handler);
}
MPII_PUBLIC(Errhandler_create);

int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Errhandler_set", comm, handler);
}
MPII_PUBLIC(Errhandler_set);

int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Errhandler_get", comm, handler);
}
MPII_PUBLIC(Errhandler_get);

int PMPI_Errhandler_free(MPI_Errhandler* handle) {
  mpii_errhandler_t* handler;
  mpii_enter("MPI_Errhandler_free");
  MPII_TRY(mpii_check_given(NULL, handle, "handler"));
  MPII_TRY(mpii_errhandler(NULL, *handle, &handler));
  if (handler->function != NULL) {
    if (--handler->opened == 0) mpii_object_close(handler);
    mpii_errhandler_release(handler);
  }
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Errhandler_free);

int PMPI_Comm_call_errhandler(MPI_Comm handle, int code) {
  mpii_comm_t* comm;
  MPII_TRY(mpii_enter_comm("MPI_Comm_call_errhandler", handle, &comm));
  mpii_fail_class(comm, code);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Comm_call_errhandler);
