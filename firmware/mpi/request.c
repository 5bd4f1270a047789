// SPDX-License-Identifier: Apache-2.0
// The pool of requests, what a request is made of, and waiting for one.
#include "firmware/mpi/request.h"

#include <stdio.h>
#include <string.h>

#include "firmware/bgl/msglayer/activity.h"
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/schedule.h"

static bglmpi_request_t* spare;  ///< linked by `next`

bglmpi_request_t* bglmpi_request_new(bglmpi_request_kind_t kind) {
  bglmpi_request_t* request = spare;
  if (request != NULL) {
    spare = request->next;
  } else {
    request = bglmpi_allocate_aligned(sizeof *request);
  }
  memset(request, 0, offsetof(bglmpi_request_t, u));
  request->kind = (uint8_t)kind;
  request->object.references = 1;
  return request;
}

void bglmpi_request_release(bglmpi_request_t* request) {
  if (!bglmpi_release(request)) return;
  if (request->comm != NULL) bglmpi_comm_release(request->comm);
  if (request->datatype != NULL) bglmpi_datatype_release(request->datatype);
  request->next = spare;
  spare = request;
}

// ---------------------------------------------------------------------------------------------------------------
// Arguments

/// `from_any`: a receive, which may name no sender and no tag.
static int check_peer(bglmpi_comm_t* comm, int peer, int tag, bool from_any) {
  const int ranks = comm->remote->size;
  if ((peer < 0 || peer >= ranks) && peer != MPI_PROC_NULL && !(from_any && peer == MPI_ANY_SOURCE)) {
    return bglmpi_fail(comm, MPI_ERR_RANK, "%s is rank %d; there are ranks 0 to %d%s",
                       from_any ? "source" : "destination", peer, ranks - 1,
                       from_any ? ", MPI_ANY_SOURCE and MPI_PROC_NULL" : " and MPI_PROC_NULL");
  }
  if (tag < 0 && !(from_any && tag == MPI_ANY_TAG)) {
    return bglmpi_fail(comm, MPI_ERR_TAG, "tag is %d; it must be 0 to MPI_TAG_UB (%d)%s", tag, MPI_TAG_UB_VALUE_,
                       from_any ? " or MPI_ANY_TAG" : "");
  }
  return MPI_SUCCESS;
}

int bglmpi_check_source(bglmpi_comm_t* comm, int source, int tag) {
  return check_peer(comm, source, tag, true);
}

static int check(bglmpi_comm_t* comm, const bglmpi_arguments_t* arguments, bool from_any,
                 bglmpi_datatype_t** datatype) {
  BGLMPI_TRY(check_peer(comm, arguments->peer, arguments->tag, from_any));
  return bglmpi_check_buffer(comm, arguments->buffer, arguments->count, arguments->datatype, datatype);
}

int bglmpi_check_buffer(bglmpi_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                        bglmpi_datatype_t** datatype) {
  if (count < 0) return bglmpi_fail(comm, MPI_ERR_COUNT, "count is %d; it must be 0 or more", count);
  BGLMPI_TRY(bglmpi_datatype(comm, handle, datatype));
  const uint64_t bytes = (uint64_t)(uint32_t)count * (*datatype)->size;
  if (bytes > BGLML_EAGER_MAX) {
    return bglmpi_fail(comm, MPI_ERR_COUNT, "%d elements of %u bytes; a message may have %d bytes", count,
                       (*datatype)->size, BGLML_EAGER_MAX);
  }
  // A datatype of absolute addresses goes with MPI_BOTTOM.
  if (buffer == NULL && bytes != 0 && (*datatype)->true_lb == 0) {
    return bglmpi_fail(comm, MPI_ERR_BUFFER, "the buffer of %d elements is a null pointer", count);
  }
  return MPI_SUCCESS;
}

static bglmpi_request_t* fill(bglmpi_comm_t* comm, const void* buffer, uint32_t count, bglmpi_datatype_t* datatype,
                              int peer, int tag, bglmpi_request_kind_t kind) {
  bglmpi_request_t* request = bglmpi_request_new(kind);
  request->comm = bglmpi_retain(comm);
  request->datatype = bglmpi_retain(datatype);
  request->buffer = (void*)(uintptr_t)buffer;
  request->count = count;
  request->bytes = count * datatype->size;
  request->peer = peer;
  request->tag = tag;
  request->basic = datatype->basic;
  request->context = comm->context;
  return request;
}

int bglmpi_send_new(const char* function, const bglmpi_arguments_t* arguments, bglmpi_mode_t mode,
                    bglmpi_request_t** request) {
  bglmpi_comm_t* comm;
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bglmpi_enter_comm(function, arguments->comm, &comm));
  BGLMPI_TRY(check(comm, arguments, false, &datatype));
  *request =
      fill(comm, arguments->buffer, (uint32_t)arguments->count, datatype, arguments->peer, arguments->tag, BGLMPI_SEND);
  (*request)->mode = (uint8_t)mode;
  return MPI_SUCCESS;
}

int bglmpi_receive_new(const char* function, const bglmpi_arguments_t* arguments, bglmpi_request_t** request) {
  bglmpi_comm_t* comm;
  bglmpi_datatype_t* datatype;
  BGLMPI_TRY(bglmpi_enter_comm(function, arguments->comm, &comm));
  BGLMPI_TRY(check(comm, arguments, true, &datatype));
  *request = fill(comm, arguments->buffer, (uint32_t)arguments->count, datatype, arguments->peer, arguments->tag,
                  BGLMPI_RECEIVE);
  return MPI_SUCCESS;
}

int bglmpi_request_open(bglmpi_request_t* request, MPI_Request* handle) {
  const int error = bglmpi_check_given(request->comm, handle, "request");
  if (error == MPI_SUCCESS) {
    *handle = bglmpi_object_open(request, BGLMPI_REQUEST);
  } else {
    bglmpi_request_release(request);
  }
  return error;
}

bglmpi_request_t* bglmpi_request_internal(bglmpi_request_kind_t kind, const void* buffer, uint32_t count,
                                          bglmpi_datatype_t* datatype, int peer, int tag, bglmpi_comm_t* comm) {
  bglmpi_request_t* request = fill(comm, buffer, count, datatype, peer, tag, kind);
  request->context += 1;
  return request;
}

bglmpi_request_t* bglmpi_isend(const void* buffer, uint32_t count, bglmpi_datatype_t* datatype, int peer, int tag,
                               bglmpi_comm_t* comm) {
  bglmpi_request_t* request = bglmpi_request_internal(BGLMPI_SEND, buffer, count, datatype, peer, tag, comm);
  bglmpi_start(request);
  return request;
}

bglmpi_request_t* bglmpi_irecv(void* buffer, uint32_t count, bglmpi_datatype_t* datatype, int peer, int tag,
                               bglmpi_comm_t* comm) {
  bglmpi_request_t* request = bglmpi_request_internal(BGLMPI_RECEIVE, buffer, count, datatype, peer, tag, comm);
  bglmpi_start(request);
  return request;
}

// ---------------------------------------------------------------------------------------------------------------
// The end

static const char* name_of(const bglmpi_comm_t* comm) {
  return comm->name[0] == '\0' ? "a communicator without a name" : comm->name;
}

void bglmpi_say_receiving(const char* function, const bglmpi_comm_t* comm, int source, int number) {
  const uint32_t call = (uint32_t)(uintptr_t)function, where = (uint32_t)(uintptr_t)name_of(comm);
  const uint32_t peer = (uint32_t)source, tag = (uint32_t)number;
  if (source == MPI_ANY_SOURCE) {
    bglml_say_waiting(number == MPI_ANY_TAG ? "%s on %s, receiving from any rank, any tag"
                                            : "%s on %s, receiving from any rank, tag %d",
                      call, where, tag, 0);
  } else {
    bglml_say_waiting(number == MPI_ANY_TAG ? "%s on %s, receiving from rank %d, any tag"
                                            : "%s on %s, receiving from rank %d, tag %d",
                      call, where, peer, tag);
  }
}

void bglmpi_say_waiting(const char* function, const bglmpi_request_t* request) {
  const bglmpi_comm_t* comm = request->comm;
  const uint32_t call = (uint32_t)(uintptr_t)function;
  const uint32_t where = comm == NULL ? 0 : (uint32_t)(uintptr_t)name_of(comm);
  const uint32_t peer = (uint32_t)request->peer, tag = (uint32_t)request->tag;
  if (comm == NULL) {
    bglml_say_waiting("%s, for a generalised request", call, 0, 0, 0);
  } else if (request->kind == BGLMPI_ONE_SIDED) {
    bglml_say_waiting("%s on %s, for rank %d's part of the window", call, where, peer, 0);
  } else if (request->kind == BGLMPI_SCHEDULE) {
    bglmpi_schedule_describe(request->schedule, function, name_of(comm));
  } else if ((request->context & 1u) != 0) {  // of a collective operation, whose tags are the library's own
    bglml_say_waiting(
        request->kind == BGLMPI_SEND ? "%s on %s, sending to rank %d" : "%s on %s, receiving from rank %d", call, where,
        peer, 0);
  } else if (request->kind == BGLMPI_SEND) {
    bglml_say_waiting("%s on %s, sending to rank %d, tag %d", call, where, peer, tag);
  } else {
    bglmpi_say_receiving(function, comm, request->peer, request->tag);
  }
}

volatile uint32_t bglmpi_completed;

void bglmpi_await(bglmpi_request_t* request) {
  if (request->complete) return;
  bglmpi_say_waiting(bglmpi_running, request);
  bglml_wait(&request->complete);
  bglml_say_done();
}

/// Of an error that only its class tells.
static void class_text(const bglmpi_request_t* request, char text[BGLMPI_REQUEST_TEXT]) {
  const int code = request->status.MPI_ERROR;
  const char* of_class = bglmpi_code_text(code);
  if (of_class == NULL || of_class[0] == '\0') {
    snprintf(text, BGLMPI_REQUEST_TEXT, "error %d", code);
  } else {
    snprintf(text, BGLMPI_REQUEST_TEXT, "%s", of_class);
  }
}

/// The ranks of a collective operation do not agree.
static void collective_text(const bglmpi_request_t* request, char text[BGLMPI_REQUEST_TEXT]) {
  const MPI_Status* status = &request->status;
  switch (status->MPI_ERROR) {
    case MPI_ERR_COUNT:
      snprintf(text, BGLMPI_REQUEST_TEXT,
               "rank %d sends %d bytes where %u are expected; counts and datatypes must match at all ranks",
               status->MPI_SOURCE, status->bytes_, request->bytes);
      break;
    case MPI_ERR_TRUNCATE:
      snprintf(text, BGLMPI_REQUEST_TEXT,
               "rank %d sends more than the %u bytes that are expected; counts and datatypes must match at all ranks",
               status->MPI_SOURCE, request->bytes);
      break;
    case MPI_ERR_TYPE:
      snprintf(text, BGLMPI_REQUEST_TEXT, "rank %d sends another datatype than is expected", status->MPI_SOURCE);
      break;
    default:
      class_text(request, text);
  }
}

void bglmpi_request_text(const bglmpi_request_t* request, char text[BGLMPI_REQUEST_TEXT]) {
  const MPI_Status* status = &request->status;
  if (request->kind == BGLMPI_SCHEDULE) {
    collective_text(request, text);
  } else if (status->MPI_ERROR == MPI_ERR_TRUNCATE) {
    snprintf(text, BGLMPI_REQUEST_TEXT, "a message from rank %d with tag %d is longer than the %u bytes of the receive",
             status->MPI_SOURCE, status->MPI_TAG, request->bytes);
  } else if (status->MPI_ERROR == MPI_ERR_TYPE) {
    snprintf(text, BGLMPI_REQUEST_TEXT,
             "a message from rank %d with tag %d was sent as another datatype than it is received as",
             status->MPI_SOURCE, status->MPI_TAG);
  } else {
    class_text(request, text);
  }
}

int bglmpi_request_error(const bglmpi_request_t* request) {
  if (request->status.MPI_ERROR == MPI_SUCCESS) return MPI_SUCCESS;
  char text[BGLMPI_REQUEST_TEXT];
  bglmpi_request_text(request, text);
  return bglmpi_fail(request->comm, request->status.MPI_ERROR, "%s", text);
}

int bglmpi_finish(bglmpi_request_t* request, MPI_Status* status) {
  bglmpi_await(request);
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = request->status.MPI_SOURCE;
    status->MPI_TAG = request->status.MPI_TAG;
    status->bytes_ = request->status.bytes_;
    status->cancelled_ = request->status.cancelled_;
  }
  const int error = bglmpi_request_error(request);
  bglmpi_request_release(request);
  return error;
}
