// SPDX-License-Identifier: Apache-2.0
// Looking for messages before they are received; MPI_Mprobe() takes the one it finds for one receive alone.
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/mpi/request.h"

/// Find a message, waiting for it if asked to. MPI_PROC_NULL is found at once: `*found` is NULL and `*none` true.
/// `report` is the function as bglmpi_say_receiving() has it.
static int find(const char* function, const char* report, int source, int tag, MPI_Comm handle, bool wait,
                bglmpi_unexpected_t** found, bool* none, bglmpi_comm_t** comm) {
  BGLMPI_TRY(bglmpi_enter_comm(function, handle, comm));
  BGLMPI_TRY(bglmpi_check_source(*comm, source, tag));
  *found = NULL;
  *none = source == MPI_PROC_NULL;
  if (*none) return MPI_SUCCESS;
  *found = bglmpi_unexpected_find(*comm, source, tag);
  if (*found != NULL) return MPI_SUCCESS;
  bglmpi_say_receiving(report, *comm, source, tag);
  do {
    bglml_advance();
    *found = bglmpi_unexpected_find(*comm, source, tag);
  } while (wait && *found == NULL);
  if (*found != NULL) bglml_say_done();
  return MPI_SUCCESS;
}

static void set_status(const bglmpi_unexpected_t* message, MPI_Status* status) {
  if (message != NULL) {
    bglmpi_unexpected_status(message, status);
  } else if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = MPI_ANY_TAG;
    status->bytes_ = status->cancelled_ = 0;
  }
}

int PMPI_Probe(int source, int tag, MPI_Comm handle, MPI_Status* status) {
  bglmpi_unexpected_t* message;
  bglmpi_comm_t* comm;
  bool none;
  BGLMPI_TRY(find("MPI_Probe", "MPI_Probe", source, tag, handle, true, &message, &none, &comm));
  set_status(message, status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Probe);

int PMPI_Iprobe(int source, int tag, MPI_Comm handle, int* flag, MPI_Status* status) {
  bglmpi_unexpected_t* message;
  bglmpi_comm_t* comm;
  bool none;
  bglmpi_enter("MPI_Iprobe");
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  BGLMPI_TRY(find("MPI_Iprobe", "or after MPI_Iprobe", source, tag, handle, false, &message, &none, &comm));
  *flag = none || message != NULL;
  if (*flag) set_status(message, status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Iprobe);

static void take(bglmpi_unexpected_t* message, bglmpi_comm_t* comm, MPI_Message* handle, MPI_Status* status) {
  set_status(message, status);
  *handle = MPI_MESSAGE_NO_PROC;
  if (message == NULL) return;
  bglmpi_unexpected_take(message);
  message->comm = bglmpi_retain(comm);
  *handle = bglmpi_object_open(message, BGLMPI_MESSAGE);
}

int PMPI_Mprobe(int source, int tag, MPI_Comm handle, MPI_Message* message, MPI_Status* status) {
  bglmpi_unexpected_t* found;
  bglmpi_comm_t* comm;
  bool none;
  bglmpi_enter("MPI_Mprobe");
  BGLMPI_TRY(bglmpi_check_given(NULL, message, "message"));
  BGLMPI_TRY(find("MPI_Mprobe", "MPI_Mprobe", source, tag, handle, true, &found, &none, &comm));
  take(found, comm, message, status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Mprobe);

int PMPI_Improbe(int source, int tag, MPI_Comm handle, int* flag, MPI_Message* message, MPI_Status* status) {
  bglmpi_unexpected_t* found;
  bglmpi_comm_t* comm;
  bool none;
  bglmpi_enter("MPI_Improbe");
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  BGLMPI_TRY(bglmpi_check_given(NULL, message, "message"));
  BGLMPI_TRY(find("MPI_Improbe", "or after MPI_Improbe", source, tag, handle, false, &found, &none, &comm));
  *flag = none || found != NULL;
  if (*flag) take(found, comm, message, status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Improbe);

/// Begin the receive of a message that MPI_Mprobe() has taken.
static int start(const char* function, void* buffer, int count, MPI_Datatype datatype, MPI_Message* handle,
                 bglmpi_request_t** request) {
  bglmpi_enter(function);
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "message"));
  if (*handle == MPI_MESSAGE_NO_PROC) {
    BGLMPI_TRY(bglmpi_receive_new(
        function, &(bglmpi_arguments_t){buffer, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF}, request));
    *handle = MPI_MESSAGE_NULL;
    bglmpi_start(*request);
    return MPI_SUCCESS;
  }
  bglmpi_unexpected_t* message = bglmpi_object(*handle, BGLMPI_MESSAGE);
  if (message == NULL) {
    return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no message of MPI_Mprobe() or MPI_Improbe()", (unsigned)*handle);
  }
  const bglmpi_arguments_t arguments = {
      buffer, count, datatype, (int)message->envelope.source, message->envelope.tag, message->comm->object.handle};
  BGLMPI_TRY(bglmpi_receive_new(function, &arguments, request));
  bglmpi_comm_t* comm = message->comm;
  bglmpi_object_close(message);
  *handle = MPI_MESSAGE_NULL;
  bglmpi_start_taken(*request, message);
  bglmpi_comm_release(comm);
  return MPI_SUCCESS;
}

int PMPI_Mrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  bglmpi_request_t* request;
  BGLMPI_TRY(start("MPI_Mrecv", buffer, count, datatype, message, &request));
  return bglmpi_finish(request, status);
}
BGLMPI_PUBLIC(Mrecv);

int PMPI_Imrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* handle) {
  bglmpi_request_t* request;
  bglmpi_enter("MPI_Imrecv");
  BGLMPI_TRY(bglmpi_check_given(NULL, handle, "request"));
  BGLMPI_TRY(start("MPI_Imrecv", buffer, count, datatype, message, &request));
  *handle = bglmpi_object_open(request, BGLMPI_REQUEST);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Imrecv);
