// SPDX-License-Identifier: Apache-2.0
// Error handlers of communicators.
#include "firmware/mpi/errhandler.h"

#include <stdlib.h>

void bglmpi_errhandler_init(void) {
  static bglmpi_errhandler_t fatal, returning;
  bglmpi_object_open_as(&fatal, MPI_ERRORS_ARE_FATAL);
  bglmpi_object_open_as(&returning, MPI_ERRORS_RETURN);
}

void bglmpi_errhandler_release(bglmpi_errhandler_t* handler) {
  if (bglmpi_release(handler)) free(handler);
}

int bglmpi_errhandler(bglmpi_comm_t* comm, MPI_Errhandler handle, bglmpi_errhandler_t** handler) {
  *handler = bglmpi_object(handle, BGLMPI_ERRHANDLER);
  if (*handler != NULL) return MPI_SUCCESS;
  if (handle == MPI_ERRHANDLER_NULL) {
    return bglmpi_fail(comm, MPI_ERR_ARG, "the error handler is MPI_ERRHANDLER_NULL");
  }
  return bglmpi_fail(comm, MPI_ERR_ARG, "0x%X is no error handler, or a freed one", (unsigned)handle);
}

MPI_Errhandler bglmpi_errhandler_open(bglmpi_errhandler_t* handler) {
  if (handler->function == NULL) return handler->object.handle;  // the library's own stay
  bglmpi_retain(handler);
  if (handler->opened++ == 0) bglmpi_object_open(handler, BGLMPI_ERRHANDLER);
  return handler->object.handle;
}

MPI_Errhandler bglmpi_errhandler_new(MPI_Comm_errhandler_function* function) {
  bglmpi_errhandler_t* handler = bglmpi_allocate(sizeof *handler);
  handler->function = function;
  return bglmpi_errhandler_open(handler);
}

static int create(const char* function, MPI_Comm_errhandler_function* handler_function, MPI_Errhandler* handler) {
  bglmpi_enter(function);
  BGLMPI_TRY(bglmpi_check_given(NULL, (const void*)(uintptr_t)handler_function, "function"));
  BGLMPI_TRY(bglmpi_check_given(NULL, handler, "handler"));
  *handler = bglmpi_errhandler_new(handler_function);
  return MPI_SUCCESS;
}

static int set(const char* function, MPI_Comm comm_handle, MPI_Errhandler handle) {
  bglmpi_comm_t* comm;
  bglmpi_errhandler_t* handler;
  BGLMPI_TRY(bglmpi_enter_comm(function, comm_handle, &comm));
  BGLMPI_TRY(bglmpi_errhandler(comm, handle, &handler));
  for (bglmpi_comm_t* each = comm; each != NULL; each = each->local) {
    bglmpi_errhandler_t* old = each->errhandler;
    each->errhandler = bglmpi_retain(handler);
    bglmpi_errhandler_release(old);
  }
  return MPI_SUCCESS;
}

static int get(const char* function, MPI_Comm comm_handle, MPI_Errhandler* handler) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm(function, comm_handle, &comm));
  BGLMPI_TRY(bglmpi_check_given(comm, handler, "handler"));
  *handler = bglmpi_errhandler_open(comm->errhandler);
  return MPI_SUCCESS;
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Comm_create_errhandler", function, handler);
}
BGLMPI_PUBLIC(Comm_create_errhandler);

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Comm_set_errhandler", comm, handler);
}
BGLMPI_PUBLIC(Comm_set_errhandler);

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Comm_get_errhandler", comm, handler);
}
BGLMPI_PUBLIC(Comm_get_errhandler);

int PMPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Errhandler_create", function, handler);
}
BGLMPI_PUBLIC(Errhandler_create);

int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Errhandler_set", comm, handler);
}
BGLMPI_PUBLIC(Errhandler_set);

int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Errhandler_get", comm, handler);
}
BGLMPI_PUBLIC(Errhandler_get);

int PMPI_Errhandler_free(MPI_Errhandler* handle) {
  bglmpi_errhandler_t* handler;
  bglmpi_enter("MPI_Errhandler_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "handler"));
  BGLMPI_TRY(bglmpi_errhandler(NULL, *handle, &handler));
  if (handler->function != NULL) {
    if (--handler->opened == 0) bglmpi_object_close(handler);
    bglmpi_errhandler_release(handler);
  }
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Errhandler_free);

int PMPI_Comm_call_errhandler(MPI_Comm handle, int code) {
  bglmpi_comm_t* comm;
  BGLMPI_TRY(bglmpi_enter_comm("MPI_Comm_call_errhandler", handle, &comm));
  bglmpi_fail_class(comm, code);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Comm_call_errhandler);
