// SPDX-License-Identifier: Apache-2.0
// Waiting for requests, one, some or all; freeing and cancelling them.
#include "firmware/mpi/request.h"
#include "firmware/mpi/threads.h"

static const MPI_Status empty = {.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};

static void set_status(MPI_Status* status, const MPI_Status* value) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;  // only functions for many requests set it
  *status = *value;
  status->MPI_ERROR = error;
}

/// One turn for a request that is not complete. `function` as mpii_say_waiting() has it.
static void look_on(const char* function, const mpii_request_t* request) {
  mpii_say_waiting(function, request);
  mpit_advance();
  if (request->complete) mpit_stop_waiting();
}

/// An active request of a handle, or NULL if it is null or an inactive persistent one.
static int find(MPI_Request handle, mpii_request_t** request) {
  *request = NULL;
  if (handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  mpii_request_t* found = mpii_object(handle, MPII_REQUEST);
  if (found == NULL) return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request, or a freed one", (unsigned)handle);
  if (!found->persistent || found->active) *request = found;
  return MPI_SUCCESS;
}

/// A complete request's status is the user's now, and its handle null, or inactive if it is persistent. Returns its
/// error, not reported.
static int take(mpii_request_t* request, MPI_Request* handle, MPI_Status* status) {
  int error = request->status.MPI_ERROR;
  if (request->kind == MPII_GENERALISED) {
    error = request->generalised.query(request->generalised.extra, &request->status);
  }
  set_status(status, &request->status);
  if (request->persistent) {
    request->active = false;
    return error;
  }
  if (request->kind == MPII_GENERALISED) {
    const int freed = request->generalised.free(request->generalised.extra);
    if (error == MPI_SUCCESS) error = freed;
  }
  mpii_object_close(request);
  *handle = MPI_REQUEST_NULL;
  mpii_request_release(request);
  return error;
}

/// The same with the error reported.
static int take_alone(mpii_request_t* request, MPI_Request* handle, MPI_Status* status) {
  mpii_retain(request);
  int error = take(request, handle, status);
  if (error != MPI_SUCCESS) {
    request->status.MPI_ERROR = error;
    error = mpii_request_error(request);
  }
  mpii_request_release(request);
  return error;
}

/// Of several requests that were taken, the first with an error: kept, with its communicator, until it is reported.
typedef struct {
  mpii_request_t* request;  ///< NULL: no error
  int index;
} first_error_t;

static void forget(const first_error_t* first) {
  if (first->request != NULL) mpii_request_release(first->request);
}

/// One of several, whose status says its error.
static void take_one(int index, mpii_request_t* request, MPI_Request* handle, MPI_Status* status,
                     first_error_t* first) {
  mpii_retain(request);
  const int error = take(request, handle, status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  if (error == MPI_SUCCESS || first->request != NULL) {
    mpii_request_release(request);
    return;
  }
  request->status.MPI_ERROR = error;
  *first = (first_error_t){request, index};
}

/// Say to the first failed request's communicator which it was of `count`, and why.
static int report(const first_error_t* first, int count) {
  if (first->request == NULL) return MPI_SUCCESS;
  char text[MPII_REQUEST_TEXT];
  mpii_request_text(first->request, text);
  const int error = mpii_fail(first->request->comm, MPI_ERR_IN_STATUS, "request %d of %d, counted from 0: %s",
                              first->index, count, text);
  forget(first);
  return error;
}

int PMPI_Wait(MPI_Request* handle, MPI_Status* status) {
  mpii_request_t* request;
  mpii_enter("MPI_Wait");
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  MPII_TRY(find(*handle, &request));
  if (request == NULL) {
    set_status(status, &empty);
    return MPI_SUCCESS;
  }
  mpii_await(request);
  return take_alone(request, handle, status);
}
MPII_PUBLIC(Wait);

int PMPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
  mpii_request_t* request;
  mpii_enter("MPI_Test");
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  MPII_TRY(find(*handle, &request));
  *flag = 1;
  if (request == NULL) {
    set_status(status, &empty);
    return MPI_SUCCESS;
  }
  if (!request->complete) look_on("or after MPI_Test", request);
  *flag = request->complete != 0;
  return *flag ? take_alone(request, handle, status) : MPI_SUCCESS;
}
MPII_PUBLIC(Test);

/// The first request that is complete, or -1; up to there, how many are active, and the last of them.
static int look(int count, const MPI_Request* handles, int* active, mpii_request_t** last, int* complete) {
  *active = 0;
  *complete = -1;
  for (int i = 0; i < count && *complete < 0; ++i) {
    mpii_request_t* request;
    MPII_TRY(find(handles[i], &request));
    if (request == NULL) continue;
    *active += 1;
    *last = request;
    if (request->complete) *complete = i;
  }
  return MPI_SUCCESS;
}

/// Wait until a request, of any thread, has become complete since the requests were looked at.
static void await_any(uint32_t completed) {
  if (MPIT_THREADS) {
    while (mpii_completed == completed) mpii_turn();
  } else {
    mpit_wait(&mpii_completed);
  }
}

/// The same after a turn of the message layer where none is complete, or after as many as it takes. `function` as
/// mpii_say_waiting() has it.
static int find_complete(const char* function, int count, const MPI_Request* handles, bool wait, int* active,
                         int* complete) {
  mpii_request_t* last;
  MPII_TRY(look(count, handles, active, &last, complete));
  if (*active == 0 || *complete >= 0) return MPI_SUCCESS;
  if (*active == 1) {
    mpii_say_waiting(function, last);
  } else {
    mpit_start_waiting("%s, for any of %u requests", (uintptr_t)function, (uint32_t)*active, 0, 0);
  }
  if (!wait) {
    mpit_advance();
    MPII_TRY(look(count, handles, active, &last, complete));
    if (*complete >= 0) mpit_stop_waiting();
    return MPI_SUCCESS;
  }
  while (*complete < 0) {
    const uint32_t completed = MPIT_THREADS ? mpii_completed : (mpii_completed = 0);
    MPII_TRY(look(count, handles, active, &last, complete));
    if (*complete < 0) await_any(completed);
  }
  mpit_stop_waiting();
  return MPI_SUCCESS;
}

static int any(const char* function, int count, MPI_Request* handles, bool wait, int* index, int* flag,
               MPI_Status* status) {
  int active, complete;
  MPII_TRY(find_complete(function, count, handles, wait, &active, &complete));
  *flag = active == 0 || complete >= 0;
  *index = MPI_UNDEFINED;
  if (complete < 0) {
    if (*flag) set_status(status, &empty);
    return MPI_SUCCESS;
  }
  *index = complete;
  return take_alone(mpii_object(handles[complete], MPII_REQUEST), &handles[complete], status);
}

int PMPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  int flag;
  mpii_enter("MPI_Waitany");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  MPII_TRY(mpii_check_given(NULL, index, "index"));
  return any("MPI_Waitany", count, requests, true, index, &flag, status);
}
MPII_PUBLIC(Waitany);

int PMPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  mpii_enter("MPI_Testany");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  MPII_TRY(mpii_check_given(NULL, index, "index"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  return any("or after MPI_Testany", count, requests, false, index, flag, status);
}
MPII_PUBLIC(Testany);

/// Take all requests, which are complete or inactive. If one has an error, all statuses contain theirs.
static int take_all(int count, MPI_Request* handles, MPI_Status* statuses) {
  first_error_t first = {NULL, 0};
  for (int i = 0; i < count; ++i) {
    mpii_request_t* request;
    const int error = find(handles[i], &request);
    if (error != MPI_SUCCESS) {
      forget(&first);
      return error;
    }
    MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
    if (request != NULL) {
      take_one(i, request, &handles[i], status, &first);
    } else if (status != MPI_STATUS_IGNORE) {
      *status = empty;
    }
  }
  return report(&first, count);
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  mpii_enter("MPI_Waitall");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  for (int i = 0; i < count; ++i) {
    mpii_request_t* request;
    MPII_TRY(find(requests[i], &request));
    if (request != NULL) mpii_await(request);
  }
  return take_all(count, requests, statuses);
}
MPII_PUBLIC(Waitall);

int PMPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  mpii_enter("MPI_Testall");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  mpit_advance();
  for (int i = 0; i < count; ++i) {
    mpii_request_t* request;
    MPII_TRY(find(requests[i], &request));
    *flag = request == NULL || request->complete;
    if (*flag) continue;
    mpii_say_waiting("or after MPI_Testall", request);
    return MPI_SUCCESS;
  }
  *flag = 1;
  mpit_stop_waiting();
  return take_all(count, requests, statuses);
}
MPII_PUBLIC(Testall);

static int some(const char* function, int count, MPI_Request* handles, bool wait, int* done, int* indices,
                MPI_Status* statuses) {
  first_error_t first = {NULL, 0};
  int active, complete;
  MPII_TRY(find_complete(function, count, handles, wait, &active, &complete));
  *done = active != 0 ? 0 : MPI_UNDEFINED;
  if (complete < 0) return MPI_SUCCESS;
  for (int i = complete; i < count; ++i) {
    mpii_request_t* request;
    const int error = find(handles[i], &request);
    if (error != MPI_SUCCESS) {
      forget(&first);
      return error;
    }
    if (request == NULL || !request->complete) continue;
    take_one(i, request, &handles[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[*done], &first);
    indices[(*done)++] = i;
  }
  return report(&first, count);
}

int PMPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  mpii_enter("MPI_Waitsome");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  MPII_TRY(mpii_check_given(NULL, done, "done"));
  MPII_TRY(mpii_check_array(NULL, indices, count, "indices"));
  return some("MPI_Waitsome", count, requests, true, done, indices, statuses);
}
MPII_PUBLIC(Waitsome);

int PMPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  mpii_enter("MPI_Testsome");
  MPII_TRY(mpii_check_array(NULL, requests, count, "requests"));
  MPII_TRY(mpii_check_given(NULL, done, "done"));
  MPII_TRY(mpii_check_array(NULL, indices, count, "indices"));
  return some("or after MPI_Testsome", count, requests, false, done, indices, statuses);
}
MPII_PUBLIC(Testsome);

int PMPI_Request_free(MPI_Request* handle) {
  mpii_enter("MPI_Request_free");
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  mpii_request_t* request = mpii_object(*handle, MPII_REQUEST);
  if (request == NULL) return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request", (unsigned)*handle);
  // What is under way goes on: it has a reference of its own.
  mpii_object_close(request);
  mpii_request_release(request);
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Request_free);

int PMPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  mpii_request_t* request;
  mpii_enter("MPI_Request_get_status");
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  MPII_TRY(find(handle, &request));
  if (request == NULL) {
    *flag = 1;
    set_status(status, &empty);
    return MPI_SUCCESS;
  }
  if (!request->complete) look_on("or after MPI_Request_get_status", request);
  *flag = request->complete != 0;
  if (*flag) set_status(status, &request->status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Request_get_status);
