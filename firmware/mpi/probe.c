// SPDX-License-Identifier: Apache-2.0
// Looking for messages before they are received; MPI_Mprobe() takes the one it finds for one receive alone.
#include "firmware/mpi/request.h"
#include "firmware/mpi/threads.h"

/// Find a message, waiting for it if asked to. MPI_PROC_NULL is found at once: `*found` is NULL and `*none` true.
/// `report` is the function as mpii_say_receiving() has it.
static int find(const char* function, const char* report, int source, int tag, MPI_Comm handle, bool wait,
                mpii_unexpected_t** found, bool* none, mpii_comm_t** comm) {
  MPII_TRY(mpii_enter_comm(function, handle, comm));
  MPII_TRY(mpii_check_source(*comm, source, tag));
  *found = NULL;
  *none = source == MPI_PROC_NULL;
  if (*none) return MPI_SUCCESS;
  *found = mpii_unexpected_find(*comm, source, tag);
  if (*found != NULL) return MPI_SUCCESS;
  mpii_say_receiving(report, *comm, source, tag);
  do {
    mpii_turn();
    *found = mpii_unexpected_find(*comm, source, tag);
  } while (wait && *found == NULL);
  if (*found != NULL) mpit_stop_waiting();
  return MPI_SUCCESS;
}

static void set_status(const mpii_unexpected_t* message, MPI_Status* status) {
  if (message != NULL) {
    mpii_unexpected_status(message, status);
  } else if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = MPI_ANY_TAG;
    status->bytes_ = status->cancelled_ = 0;
  }
}

int PMPI_Probe(int source, int tag, MPI_Comm handle, MPI_Status* status) {
  mpii_unexpected_t* message;
  mpii_comm_t* comm;
  bool none;
  MPII_TRY(find("MPI_Probe", "MPI_Probe", source, tag, handle, true, &message, &none, &comm));
  set_status(message, status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Probe);

int PMPI_Iprobe(int source, int tag, MPI_Comm handle, int* flag, MPI_Status* status) {
  mpii_unexpected_t* message;
  mpii_comm_t* comm;
  bool none;
  mpii_enter("MPI_Iprobe");
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  MPII_TRY(find("MPI_Iprobe", "or after MPI_Iprobe", source, tag, handle, false, &message, &none, &comm));
  *flag = none || message != NULL;
  if (*flag) set_status(message, status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Iprobe);

static void take(mpii_unexpected_t* message, mpii_comm_t* comm, MPI_Message* handle, MPI_Status* status) {
  set_status(message, status);
  *handle = MPI_MESSAGE_NO_PROC;
  if (message == NULL) return;
  mpii_unexpected_take(message);
  message->comm = mpii_retain(comm);
  *handle = mpii_object_open(message, MPII_MESSAGE);
}

int PMPI_Mprobe(int source, int tag, MPI_Comm handle, MPI_Message* message, MPI_Status* status) {
  mpii_unexpected_t* found;
  mpii_comm_t* comm;
  bool none;
  mpii_enter("MPI_Mprobe");
  MPII_TRY(mpii_check_given(NULL, message, "message"));
  MPII_TRY(find("MPI_Mprobe", "MPI_Mprobe", source, tag, handle, true, &found, &none, &comm));
  take(found, comm, message, status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Mprobe);

int PMPI_Improbe(int source, int tag, MPI_Comm handle, int* flag, MPI_Message* message, MPI_Status* status) {
  mpii_unexpected_t* found;
  mpii_comm_t* comm;
  bool none;
  mpii_enter("MPI_Improbe");
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  MPII_TRY(mpii_check_given(NULL, message, "message"));
  MPII_TRY(find("MPI_Improbe", "or after MPI_Improbe", source, tag, handle, false, &found, &none, &comm));
  *flag = none || found != NULL;
  if (*flag) take(found, comm, message, status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Improbe);

/// Begin the receive of a message that MPI_Mprobe() has taken.
static int start(const char* function, void* buffer, int count, MPI_Datatype datatype, MPI_Message* handle,
                 mpii_request_t** request) {
  mpii_enter(function);
  MPII_TRY(mpii_check_given(NULL, handle, "message"));
  if (*handle == MPI_MESSAGE_NO_PROC) {
    MPII_TRY(mpii_receive_new(
        function, &(mpii_arguments_t){buffer, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF}, request));
    *handle = MPI_MESSAGE_NULL;
    mpii_start(*request);
    return MPI_SUCCESS;
  }
  mpii_unexpected_t* message = mpii_object(*handle, MPII_MESSAGE);
  if (message == NULL) {
    return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no message of MPI_Mprobe() or MPI_Improbe()", (unsigned)*handle);
  }
  const mpii_arguments_t arguments = {
      buffer, count, datatype, (int)message->envelope.source, message->envelope.tag, message->comm->object.handle};
  MPII_TRY(mpii_receive_new(function, &arguments, request));
  mpii_comm_t* comm = message->comm;
  mpii_object_close(message);
  *handle = MPI_MESSAGE_NULL;
  mpii_start_taken(*request, message);
  mpii_comm_release(comm);
  return MPI_SUCCESS;
}

int PMPI_Mrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  mpii_request_t* request;
  MPII_TRY(start("MPI_Mrecv", buffer, count, datatype, message, &request));
  return mpii_finish(request, status);
}
MPII_PUBLIC(Mrecv);

int PMPI_Imrecv(void* buffer, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* handle) {
  mpii_request_t* request;
  mpii_enter("MPI_Imrecv");
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  MPII_TRY(start("MPI_Imrecv", buffer, count, datatype, message, &request));
  *handle = mpii_object_open(request, MPII_REQUEST);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Imrecv);
