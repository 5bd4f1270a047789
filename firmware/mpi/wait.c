// SPDX-License-Identifier: Apache-2.0
// Waiting for requests, one, some or all; freeing and cancelling them.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/mpi/request.h"

static const MPI_Status empty = {.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};

static void set_status(MPI_Status* status, const MPI_Status* value) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;  // only functions for many requests set it
  *status = *value;
  status->MPI_ERROR = error;
}

/// One turn for a request that is not complete. `function` as bglmpi_say_waiting() has it.
static void look_on(const char* function, const bglmpi_request_t* request) {
  bglmpi_say_waiting(function, request);
  bglml_advance();
  if (request->complete) bglml_say_done();
}

/// An active request of a handle, or NULL where it is null or an inactive persistent one.
static int find(MPI_Request handle, bglmpi_request_t** request) {
  *request = NULL;
  if (handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  bglmpi_request_t* found = bglmpi_object(handle, BGLMPI_REQUEST);
  if (found == NULL) return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request, or a freed one", (unsigned)handle);
  if (!found->persistent || found->active) *request = found;
  return MPI_SUCCESS;
}

/// A complete request's status is the user's now, and its handle null, or inactive where it is persistent. Returns its
/// error, not reported.
static int take(bglmpi_request_t* request, MPI_Request* handle, MPI_Status* status) {
  int error = request->status.MPI_ERROR;
  if (request->kind == BGLMPI_GENERALISED) {
    error = request->generalised.query(request->generalised.extra, &request->status);
  }
  set_status(status, &request->status);
  if (request->persistent) {
    request->active = false;
    return error;
  }
  if (request->kind == BGLMPI_GENERALISED) {
    const int freed = request->generalised.free(request->generalised.extra);
    if (error == MPI_SUCCESS) error = freed;
  }
  bglmpi_object_close(request);
  *handle = MPI_REQUEST_NULL;
  bglmpi_request_release(request);
  return error;
}

/// The same with the error reported.
static int take_alone(bglmpi_request_t* request, MPI_Request* handle, MPI_Status* status) {
  bglmpi_retain(request);
  int error = take(request, handle, status);
  if (error != MPI_SUCCESS) {
    request->status.MPI_ERROR = error;
    error = bglmpi_request_error(request);
  }
  bglmpi_request_release(request);
  return error;
}

/// Of several requests that were taken, the first with an error: kept, with its communicator, until it is reported.
typedef struct {
  bglmpi_request_t* request;  ///< NULL where all went well
  int index;
} first_error_t;

static void forget(const first_error_t* first) {
  if (first->request != NULL) bglmpi_request_release(first->request);
}

/// One of several, whose status says its error.
static void take_one(int index, bglmpi_request_t* request, MPI_Request* handle, MPI_Status* status,
                     first_error_t* first) {
  bglmpi_retain(request);
  const int error = take(request, handle, status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  if (error == MPI_SUCCESS || first->request != NULL) {
    bglmpi_request_release(request);
    return;
  }
  request->status.MPI_ERROR = error;
  *first = (first_error_t){request, index};
}

/// Say to the first failed request's communicator which it was of `count`, and why.
static int report(const first_error_t* first, int count) {
  if (first->request == NULL) return MPI_SUCCESS;
  char text[BGLMPI_REQUEST_TEXT];
  bglmpi_request_text(first->request, text);
  const int error = bglmpi_fail(first->request->comm, MPI_ERR_IN_STATUS, "request %d of %d, counted from 0: %s",
                                first->index, count, text);
  forget(first);
  return error;
}

int PMPI_Wait(MPI_Request* handle, MPI_Status* status) {
  bglmpi_request_t* request;
  bglmpi_enter("MPI_Wait");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "request"));
  BGLMPI_TRY(find(*handle, &request));
  if (request == NULL) {
    set_status(status, &empty);
    return MPI_SUCCESS;
  }
  bglmpi_await(request);
  return take_alone(request, handle, status);
}
BGLMPI_PUBLIC(Wait);

int PMPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
  bglmpi_request_t* request;
  bglmpi_enter("MPI_Test");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "request"));
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  BGLMPI_TRY(find(*handle, &request));
  *flag = 1;
  if (request == NULL) {
    set_status(status, &empty);
    return MPI_SUCCESS;
  }
  if (!request->complete) look_on("or after MPI_Test", request);
  *flag = request->complete != 0;
  return *flag ? take_alone(request, handle, status) : MPI_SUCCESS;
}
BGLMPI_PUBLIC(Test);

/// The first request that is complete, or -1; up to there, how many are active, and the last of them.
static int look(int count, const MPI_Request* handles, int* active, bglmpi_request_t** last, int* complete) {
  *active = 0;
  *complete = -1;
  for (int i = 0; i < count && *complete < 0; ++i) {
    bglmpi_request_t* request;
    BGLMPI_TRY(find(handles[i], &request));
    if (request == NULL) continue;
    *active += 1;
    *last = request;
    if (request->complete) *complete = i;
  }
  return MPI_SUCCESS;
}

/// The same after a turn of the message layer where none is complete, or after as many as it takes. `function` as
/// bglmpi_say_waiting() has it.
static int find_complete(const char* function, int count, const MPI_Request* handles, bool wait, int* active,
                         int* complete) {
  bglmpi_request_t* last;
  BGLMPI_TRY(look(count, handles, active, &last, complete));
  if (*active == 0 || *complete >= 0) return MPI_SUCCESS;
  if (*active == 1) {
    bglmpi_say_waiting(function, last);
  } else {
    bglml_say_waiting("%s, for any of %u requests", (uint32_t)(uintptr_t)function, (uint32_t)*active, 0, 0);
  }
  if (!wait) {
    bglml_advance();
    BGLMPI_TRY(look(count, handles, active, &last, complete));
    if (*complete >= 0) bglml_say_done();
    return MPI_SUCCESS;
  }
  while (*complete < 0) {
    bglmpi_completed = 0;
    BGLMPI_TRY(look(count, handles, active, &last, complete));
    if (*complete < 0) bglml_wait(&bglmpi_completed);
  }
  bglml_say_done();
  return MPI_SUCCESS;
}

static int any(const char* function, int count, MPI_Request* handles, bool wait, int* index, int* flag,
               MPI_Status* status) {
  int active, complete;
  BGLMPI_TRY(find_complete(function, count, handles, wait, &active, &complete));
  *flag = active == 0 || complete >= 0;
  *index = MPI_UNDEFINED;
  if (complete < 0) {
    if (*flag) set_status(status, &empty);
    return MPI_SUCCESS;
  }
  *index = complete;
  return take_alone(bglmpi_object(handles[complete], BGLMPI_REQUEST), &handles[complete], status);
}

int PMPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  int flag;
  bglmpi_enter("MPI_Waitany");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  BGLMPI_TRY(bglmpi_check_given(NULL, index, "index"));
  return any("MPI_Waitany", count, requests, true, index, &flag, status);
}
BGLMPI_PUBLIC(Waitany);

int PMPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  bglmpi_enter("MPI_Testany");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  BGLMPI_TRY(bglmpi_check_given(NULL, index, "index"));
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  return any("or after MPI_Testany", count, requests, false, index, flag, status);
}
BGLMPI_PUBLIC(Testany);

/// Take all requests, which are complete or inactive. Where one has an error, all statuses say theirs.
static int take_all(int count, MPI_Request* handles, MPI_Status* statuses) {
  first_error_t first = {NULL, 0};
  for (int i = 0; i < count; ++i) {
    bglmpi_request_t* request;
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
  bglmpi_enter("MPI_Waitall");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  for (int i = 0; i < count; ++i) {
    bglmpi_request_t* request;
    BGLMPI_TRY(find(requests[i], &request));
    if (request != NULL) bglmpi_await(request);
  }
  return take_all(count, requests, statuses);
}
BGLMPI_PUBLIC(Waitall);

int PMPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  bglmpi_enter("MPI_Testall");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  bglml_advance();
  for (int i = 0; i < count; ++i) {
    bglmpi_request_t* request;
    BGLMPI_TRY(find(requests[i], &request));
    *flag = request == NULL || request->complete;
    if (*flag) continue;
    bglmpi_say_waiting("or after MPI_Testall", request);
    return MPI_SUCCESS;
  }
  *flag = 1;
  bglml_say_done();
  return take_all(count, requests, statuses);
}
BGLMPI_PUBLIC(Testall);

static int some(const char* function, int count, MPI_Request* handles, bool wait, int* done, int* indices,
                MPI_Status* statuses) {
  first_error_t first = {NULL, 0};
  int active, complete;
  BGLMPI_TRY(find_complete(function, count, handles, wait, &active, &complete));
  *done = active != 0 ? 0 : MPI_UNDEFINED;
  if (complete < 0) return MPI_SUCCESS;
  for (int i = complete; i < count; ++i) {
    bglmpi_request_t* request;
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
  bglmpi_enter("MPI_Waitsome");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  BGLMPI_TRY(bglmpi_check_given(NULL, done, "done"));
  BGLMPI_TRY(bglmpi_check_array(NULL, indices, count, "indices"));
  return some("MPI_Waitsome", count, requests, true, done, indices, statuses);
}
BGLMPI_PUBLIC(Waitsome);

int PMPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  bglmpi_enter("MPI_Testsome");
  BGLMPI_TRY(bglmpi_check_array(NULL, requests, count, "requests"));
  BGLMPI_TRY(bglmpi_check_given(NULL, done, "done"));
  BGLMPI_TRY(bglmpi_check_array(NULL, indices, count, "indices"));
  return some("or after MPI_Testsome", count, requests, false, done, indices, statuses);
}
BGLMPI_PUBLIC(Testsome);

int PMPI_Request_free(MPI_Request* handle) {
  bglmpi_enter("MPI_Request_free");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "request"));
  bglmpi_request_t* request = bglmpi_object(*handle, BGLMPI_REQUEST);
  if (request == NULL) return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request", (unsigned)*handle);
  // What is under way goes on: it has a reference of its own.
  bglmpi_object_close(request);
  bglmpi_request_release(request);
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Request_free);

int PMPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  bglmpi_request_t* request;
  bglmpi_enter("MPI_Request_get_status");
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  BGLMPI_TRY(find(handle, &request));
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
BGLMPI_PUBLIC(Request_get_status);
