// SPDX-License-Identifier: Apache-2.0
// The pool of requests, what a request is made of, and waiting for one.
#include "firmware/mpi/request.h"

#include <stdio.h>
#include <string.h>

#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/schedule.h"

static mpii_request_t* spare;  ///< linked by `next`

mpii_request_t* mpii_request_new(mpii_request_kind_t kind) {
  mpii_request_t* request = spare;
  if (request != NULL) {
    spare = request->next;
  } else {
    request = mpii_allocate_aligned(sizeof *request + mpit_state_bytes);
  }
  // Every message comes this way: memset() of so few bytes takes longer than the assignments.
  request->object = (mpii_object_t){.references = 1};
  request->complete = 0;
  request->kind = (uint8_t)kind;
  request->mode = MPII_STANDARD;
  request->persistent = request->active = false;
  request->cut = request->in_network = false;
  request->comm = NULL;
  request->datatype = NULL;
  request->status = (MPI_Status){0};
  request->schedule = NULL;
  request->step = 0;
  request->packed = NULL;
  request->bytes = 0;
  return request;
}

void mpii_request_release(mpii_request_t* request) {
  if (!mpii_release(request)) return;
  if (request->comm != NULL) mpii_comm_release(request->comm);
  if (request->datatype != NULL) mpii_datatype_release(request->datatype);
  request->next = spare;
  spare = request;
}

// ---------------------------------------------------------------------------------------------------------------
// Arguments

/// `from_any`: a receive, which may name no sender and no tag.
static int check_peer(mpii_comm_t* comm, int peer, int tag, bool from_any) {
  const int ranks = comm->remote->size;
  if ((peer < 0 || peer >= ranks) && peer != MPI_PROC_NULL && !(from_any && peer == MPI_ANY_SOURCE)) {
    return mpii_fail(comm, MPI_ERR_RANK, "%s is rank %d; there are ranks 0 to %d%s",
                     from_any ? "source" : "destination", peer, ranks - 1,
                     from_any ? ", MPI_ANY_SOURCE and MPI_PROC_NULL" : " and MPI_PROC_NULL");
  }
  if (tag < 0 && !(from_any && tag == MPI_ANY_TAG)) {
    return mpii_fail(comm, MPI_ERR_TAG, "tag is %d; it must be 0 to MPI_TAG_UB (%d)%s", tag, MPI_TAG_UB_VALUE_,
                     from_any ? " or MPI_ANY_TAG" : "");
  }
  return MPI_SUCCESS;
}

int mpii_check_source(mpii_comm_t* comm, int source, int tag) {
  return check_peer(comm, source, tag, true);
}

static int check(mpii_comm_t* comm, const mpii_arguments_t* arguments, bool from_any, mpii_datatype_t** datatype) {
  MPII_TRY(check_peer(comm, arguments->peer, arguments->tag, from_any));
  return mpii_check_buffer(comm, arguments->buffer, arguments->count, arguments->datatype, datatype);
}

int mpii_check_buffer(mpii_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                      mpii_datatype_t** datatype) {
  if (count < 0) return mpii_fail(comm, MPI_ERR_COUNT, "count is %d; it must be 0 or more", count);
  MPII_TRY(mpii_datatype(comm, handle, datatype));
  const uint64_t bytes = (uint64_t)(uint32_t)count * (*datatype)->size;
  if (bytes > MPIT_MESSAGE_MAX || (*datatype)->size > UINT32_MAX) {
    return mpii_fail(comm, MPI_ERR_COUNT, "%d elements of %zu bytes; a message may have %d bytes", count,
                     (*datatype)->size, MPIT_MESSAGE_MAX);
  }
  // A datatype of absolute addresses goes with MPI_BOTTOM.
  if (buffer == NULL && bytes != 0 && (*datatype)->true_lb == 0) {
    return mpii_fail(comm, MPI_ERR_BUFFER, "the buffer of %d elements is a null pointer", count);
  }
  return MPI_SUCCESS;
}

static mpii_request_t* fill(mpii_comm_t* comm, const void* buffer, uint32_t count, mpii_datatype_t* datatype, int peer,
                            int tag, mpii_request_kind_t kind) {
  mpii_request_t* request = mpii_request_new(kind);
  request->comm = mpii_retain(comm);
  request->datatype = mpii_retain(datatype);
  request->buffer = (void*)(uintptr_t)buffer;
  request->count = count;
  request->bytes = (uint32_t)(count * datatype->size);
  request->peer = peer;
  request->tag = tag;
  request->basic = datatype->basic;
  request->context = comm->context;
  return request;
}

int mpii_send_new(const char* function, const mpii_arguments_t* arguments, mpii_mode_t mode, mpii_request_t** request) {
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  MPII_TRY(mpii_enter_comm(function, arguments->comm, &comm));
  MPII_TRY(check(comm, arguments, false, &datatype));
  *request =
      fill(comm, arguments->buffer, (uint32_t)arguments->count, datatype, arguments->peer, arguments->tag, MPII_SEND);
  (*request)->mode = (uint8_t)mode;
  return MPI_SUCCESS;
}

int mpii_receive_new(const char* function, const mpii_arguments_t* arguments, mpii_request_t** request) {
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  MPII_TRY(mpii_enter_comm(function, arguments->comm, &comm));
  MPII_TRY(check(comm, arguments, true, &datatype));
  *request = fill(comm, arguments->buffer, (uint32_t)arguments->count, datatype, arguments->peer, arguments->tag,
                  MPII_RECEIVE);
  return MPI_SUCCESS;
}

int mpii_request_open(mpii_request_t* request, MPI_Request* handle) {
  const int error = mpii_check_given(request->comm, handle, "request");
  if (error == MPI_SUCCESS) {
    *handle = mpii_object_open(request, MPII_REQUEST);
  } else {
    mpii_request_release(request);
  }
  return error;
}

mpii_request_t* mpii_request_internal(mpii_request_kind_t kind, const void* buffer, uint32_t count,
                                      mpii_datatype_t* datatype, int peer, int tag, mpii_comm_t* comm) {
  mpii_request_t* request = fill(comm, buffer, count, datatype, peer, tag, kind);
  request->context += 1;
  return request;
}

mpii_request_t* mpii_isend(const void* buffer, uint32_t count, mpii_datatype_t* datatype, int peer, int tag,
                           mpii_comm_t* comm) {
  mpii_request_t* request = mpii_request_internal(MPII_SEND, buffer, count, datatype, peer, tag, comm);
  mpii_start(request);
  return request;
}

mpii_request_t* mpii_irecv(void* buffer, uint32_t count, mpii_datatype_t* datatype, int peer, int tag,
                           mpii_comm_t* comm) {
  mpii_request_t* request = mpii_request_internal(MPII_RECEIVE, buffer, count, datatype, peer, tag, comm);
  mpii_start(request);
  return request;
}

// ---------------------------------------------------------------------------------------------------------------
// The end

static const char* name_of(const mpii_comm_t* comm) {
  return comm->name[0] == '\0' ? "a communicator without a name" : comm->name;
}

void mpii_say_receiving(const char* function, const mpii_comm_t* comm, int source, int number) {
  const uintptr_t call = (uintptr_t)function, where = (uintptr_t)name_of(comm);
  const uint32_t peer = (uint32_t)source, tag = (uint32_t)number;
  if (source == MPI_ANY_SOURCE) {
    mpit_start_waiting(number == MPI_ANY_TAG ? "%s on %s, receiving from any rank, any tag"
                                             : "%s on %s, receiving from any rank, tag %d",
                       call, where, tag, 0);
  } else {
    mpit_start_waiting(number == MPI_ANY_TAG ? "%s on %s, receiving from rank %d, any tag"
                                             : "%s on %s, receiving from rank %d, tag %d",
                       call, where, peer, tag);
  }
}

void mpii_say_waiting(const char* function, const mpii_request_t* request) {
  const mpii_comm_t* comm = request->comm;
  const uintptr_t call = (uintptr_t)function;
  const uintptr_t where = comm == NULL ? 0 : (uintptr_t)name_of(comm);
  const uint32_t peer = (uint32_t)request->peer, tag = (uint32_t)request->tag;
  if (comm == NULL) {
    mpit_start_waiting("%s, for a generalised request", call, 0, 0, 0);
  } else if (request->kind == MPII_ONE_SIDED) {
    mpit_start_waiting("%s on %s, for rank %d's part of the window", call, where, peer, 0);
  } else if (request->kind == MPII_SCHEDULE) {
    mpii_schedule_describe(request->schedule, function, name_of(comm));
  } else if ((request->context & 1u) != 0) {  // of a collective operation, whose tags are the library's own
    mpit_start_waiting(request->kind == MPII_SEND ? "%s on %s, sending to rank %d" : "%s on %s, receiving from rank %d",
                       call, where, peer, 0);
  } else if (request->kind == MPII_SEND) {
    mpit_start_waiting("%s on %s, sending to rank %d, tag %d", call, where, peer, tag);
  } else {
    mpii_say_receiving(function, comm, request->peer, request->tag);
  }
}

volatile uint32_t mpii_completed;

void mpii_await(mpii_request_t* request) {
  if (request->complete) return;
  mpii_say_waiting(mpii_running, request);
  mpit_wait(&request->complete);
  mpit_stop_waiting();
}

/// Of an error that only its class tells.
static void class_text(const mpii_request_t* request, char text[MPII_REQUEST_TEXT]) {
  const int code = request->status.MPI_ERROR;
  const char* of_class = mpii_code_text(code);
  if (of_class == NULL || of_class[0] == '\0') {
    snprintf(text, MPII_REQUEST_TEXT, "error %d", code);
  } else {
    snprintf(text, MPII_REQUEST_TEXT, "%s", of_class);
  }
}

/// The ranks of a collective operation do not agree.
static void collective_text(const mpii_request_t* request, char text[MPII_REQUEST_TEXT]) {
  const MPI_Status* status = &request->status;
  switch (status->MPI_ERROR) {
    case MPI_ERR_COUNT:
      snprintf(text, MPII_REQUEST_TEXT,
               "rank %d sends %d bytes where %u are expected; counts and datatypes must match at all ranks",
               status->MPI_SOURCE, status->bytes_, request->bytes);
      break;
    case MPI_ERR_TRUNCATE:
      snprintf(text, MPII_REQUEST_TEXT,
               "rank %d sends more than the %u bytes that are expected; counts and datatypes must match at all ranks",
               status->MPI_SOURCE, request->bytes);
      break;
    case MPI_ERR_TYPE:
      snprintf(text, MPII_REQUEST_TEXT, "rank %d sends another datatype than is expected", status->MPI_SOURCE);
      break;
    default:
      class_text(request, text);
  }
}

void mpii_request_text(const mpii_request_t* request, char text[MPII_REQUEST_TEXT]) {
  const MPI_Status* status = &request->status;
  if (request->kind == MPII_SCHEDULE) {
    collective_text(request, text);
  } else if (status->MPI_ERROR == MPI_ERR_TRUNCATE) {
    snprintf(text, MPII_REQUEST_TEXT, "a message from rank %d with tag %d is longer than the %u bytes of the receive",
             status->MPI_SOURCE, status->MPI_TAG, request->bytes);
  } else if (status->MPI_ERROR == MPI_ERR_TYPE) {
    snprintf(text, MPII_REQUEST_TEXT,
             "a message from rank %d with tag %d was sent as another datatype than it is received as",
             status->MPI_SOURCE, status->MPI_TAG);
  } else {
    class_text(request, text);
  }
}

int mpii_request_error(const mpii_request_t* request) {
  if (request->status.MPI_ERROR == MPI_SUCCESS) return MPI_SUCCESS;
  char text[MPII_REQUEST_TEXT];
  mpii_request_text(request, text);
  return mpii_fail(request->comm, request->status.MPI_ERROR, "%s", text);
}

int mpii_finish(mpii_request_t* request, MPI_Status* status) {
  mpii_await(request);
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = request->status.MPI_SOURCE;
    status->MPI_TAG = request->status.MPI_TAG;
    status->bytes_ = request->status.bytes_;
    status->cancelled_ = request->status.cancelled_;
  }
  const int error = mpii_request_error(request);
  mpii_request_release(request);
  return error;
}
