// SPDX-License-Identifier: Apache-2.0
// Error classes and what happens when a call finds an error.
#include "firmware/mpi/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/init.h"
#include "firmware/mpi/transport.h"

const char* mpii_running = "MPI";
mpii_phase_t mpii_phase = MPII_BEFORE;

static const char* const class_texts[MPI_ERR_LASTCODE + 1] = {
    [MPI_SUCCESS] = "no error",
    [MPI_ERR_BUFFER] = "invalid buffer",
    [MPI_ERR_COUNT] = "invalid count",
    [MPI_ERR_TYPE] = "invalid datatype",
    [MPI_ERR_TAG] = "invalid tag",
    [MPI_ERR_COMM] = "invalid communicator",
    [MPI_ERR_RANK] = "invalid rank",
    [MPI_ERR_REQUEST] = "invalid request",
    [MPI_ERR_ROOT] = "invalid root",
    [MPI_ERR_GROUP] = "invalid group",
    [MPI_ERR_OP] = "invalid reduction operation",
    [MPI_ERR_TOPOLOGY] = "invalid topology",
    [MPI_ERR_DIMS] = "invalid dimensions",
    [MPI_ERR_ARG] = "invalid argument",
    [MPI_ERR_UNKNOWN] = "unknown error",
    [MPI_ERR_TRUNCATE] = "message longer than the receive",
    [MPI_ERR_OTHER] = "another error",
    [MPI_ERR_INTERN] = "internal error",
    [MPI_ERR_PENDING] = "request not complete",
    [MPI_ERR_IN_STATUS] = "error in a status",
    [MPI_ERR_KEYVAL] = "invalid attribute key",
    [MPI_ERR_NO_MEM] = "no memory",
    [MPI_ERR_INFO] = "invalid info object",
    [MPI_ERR_INFO_KEY] = "info key too long",
    [MPI_ERR_INFO_VALUE] = "info value too long",
    [MPI_ERR_INFO_NOKEY] = "no such info key",
    [MPI_ERR_WIN] = "invalid window",
    [MPI_ERR_BASE] = "invalid base address",
    [MPI_ERR_SIZE] = "invalid size",
    [MPI_ERR_DISP] = "invalid displacement",
    [MPI_ERR_LOCKTYPE] = "invalid lock type",
    [MPI_ERR_ASSERT] = "invalid assertion",
    [MPI_ERR_RMA_CONFLICT] = "conflicting accesses to a window",
    [MPI_ERR_RMA_SYNC] = "wrong synchronisation of a window",
    [MPI_ERR_RMA_RANGE] = "access outside a window",
    [MPI_ERR_RMA_ATTACH] = "memory that cannot be attached",
    [MPI_ERR_NAME] = "no such service name",
    [MPI_ERR_PORT] = "invalid port name",
    [MPI_ERR_SERVICE] = "service name that exists already",
    [MPI_ERR_SPAWN] = "processes cannot be spawned",
    [MPI_ERR_UNSUPPORTED_OPERATION] = "unsupported operation",
    [MPI_ERR_RMA_SHARED] = "memory that cannot be shared",
    [MPI_ERR_RMA_FLAVOR] = "another flavour of window",
    [MPI_ERR_FILE] = "invalid file handle",
    [MPI_ERR_NOT_SAME] = "arguments that differ between processes",
    [MPI_ERR_AMODE] = "invalid access mode",
    [MPI_ERR_UNSUPPORTED_DATAREP] = "unsupported data representation",
    [MPI_ERR_NO_SUCH_FILE] = "no such file",
    [MPI_ERR_FILE_EXISTS] = "file that exists already",
    [MPI_ERR_BAD_FILE] = "invalid file name",
    [MPI_ERR_ACCESS] = "permission denied",
    [MPI_ERR_NO_SPACE] = "no space left",
    [MPI_ERR_QUOTA] = "quota exceeded",
    [MPI_ERR_READ_ONLY] = "file that can only be read",
    [MPI_ERR_FILE_IN_USE] = "file in use",
    [MPI_ERR_DUP_DATAREP] = "data representation that exists already",
    [MPI_ERR_CONVERSION] = "data conversion that is not supported",
    [MPI_ERR_IO] = "input or output failed",
};

const char* mpii_class_text(int code) {
  return code < 0 || code > MPI_ERR_LASTCODE ? NULL : class_texts[code];
}

static void say(const char* text) {
  // One write: standard error is not buffered, and other ranks write to it as well.
  char line[512];
  if (mpii_phase == MPII_BEFORE) {  // the rank is not known yet
    snprintf(line, sizeof line, "%s: %s\n", mpii_running, text);
  } else {
    snprintf(line, sizeof line, "MPI rank %u: %s: %s\n", mpit_rank(), mpii_running, text);
  }
  fflush(stdout);
  fputs(line, stderr);
}

void mpii_warn(const char* format, ...) {
  char text[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  say(text);
}

static void end(const char* format, va_list arguments) __attribute__((noreturn, format(printf, 1, 0)));
static void end(const char* format, va_list arguments) {
  char text[384];
  vsnprintf(text, sizeof text, format, arguments);
  say(text);
  mpii_end_job(MPII_EXIT_ERROR);
}

void mpii_end(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end(format, arguments);
}

void (*mpii_served)(void);

void mpii_come_in(void) {
  if (mpii_phase == MPII_SERVED) {
    mpii_served();
    return;
  }
  mpii_end(mpii_phase == MPII_BEFORE ? "called before MPI_Init()" : "called after MPI_Finalize()");
}

int mpii_fail(mpii_comm_t* comm, int code, const char* format, ...) {
  if (comm == NULL) comm = mpii_world;
  mpii_errhandler_t* handler = comm->errhandler;
  if (handler->function != NULL) {
    // One that the program has freed has no handle any more.
    MPI_Comm handle = comm->object.handle != 0 ? comm->object.handle : MPI_COMM_NULL;
    if (comm->owner != 0) handle = comm->owner;
    handler->function(&handle, &code);
    return code;
  }
  if (handler->object.handle == MPI_ERRORS_RETURN) return code;
  va_list arguments;
  va_start(arguments, format);
  end(format, arguments);
}

int mpii_check_anytime(const char* function, const void* pointer, const char* name) {
  if (pointer != NULL) return MPI_SUCCESS;
  mpii_running = function;
  if (mpii_phase == MPII_BEFORE) mpii_end("%s is a null pointer", name);  // there is no error handler yet
  return mpii_check_given(NULL, pointer, name);
}

int mpii_fail_class(mpii_comm_t* comm, int code) {
  const char* text = mpii_code_text(code);
  if (text == NULL || text[0] == '\0') return mpii_fail(comm, code, "error %d", code);
  return mpii_fail(comm, code, "%s", text);
}
