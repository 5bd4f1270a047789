// SPDX-License-Identifier: Apache-2.0
// What a status says; cancelling; generalised requests.
#include <string.h>

#include "firmware/mpi/request.h"

int PMPI_Get_count(const MPI_Status* status, MPI_Datatype handle, int* count) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Get_count");
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  const uint32_t bytes = (uint32_t)status->bytes_;
  if (datatype->size == 0) {
    *count = bytes == 0 ? 0 : MPI_UNDEFINED;
  } else {
    *count = bytes % datatype->size == 0 ? (int)(bytes / datatype->size) : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Get_count);

int PMPI_Get_elements(const MPI_Status* status, MPI_Datatype handle, int* count) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Get_elements");
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  uint32_t bytes = (uint32_t)status->bytes_;
  *count = 0;
  if (bytes == 0) return MPI_SUCCESS;
  *count = MPI_UNDEFINED;
  if (datatype->size == 0) return MPI_SUCCESS;
  uint32_t elements = bytes / datatype->size * datatype->elements;
  bytes %= datatype->size;
  for (uint32_t number = 0; bytes != 0; ++number) {  // the last one is not complete
    const bglmpi_run_t* run = &datatype->runs[number];
    const uint32_t size = bglmpi_basic_size(run->basic);
    const uint32_t whole = bytes / size < run->count ? bytes / size : run->count;
    elements += whole;
    bytes -= whole * size;
    if (whole != run->count) break;
  }
  if (bytes == 0) *count = (int)elements;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Get_elements);

int PMPI_Status_set_elements(MPI_Status* status, MPI_Datatype handle, int count) {
  bglmpi_datatype_t* datatype;
  bglmpi_enter("MPI_Status_set_elements");
  BGLMPI_TRY(bglmpi_datatype_any(NULL, handle, &datatype));
  status->bytes_ = count * (int)datatype->size;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Status_set_elements);

int PMPI_Test_cancelled(const MPI_Status* status, int* flag) {
  bglmpi_enter("MPI_Test_cancelled");
  *flag = status->cancelled_;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Test_cancelled);

int PMPI_Status_set_cancelled(MPI_Status* status, int flag) {
  bglmpi_enter("MPI_Status_set_cancelled");
  status->cancelled_ = flag != 0;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Status_set_cancelled);

int PMPI_Status_c2f(const MPI_Status* status, MPI_Fint* fortran) {
  memcpy(fortran, status, sizeof *status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Status_c2f);

int PMPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status) {
  memcpy(status, fortran, sizeof *status);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Status_f2c);

int PMPI_Cancel(MPI_Request* handle) {
  bglmpi_enter("MPI_Cancel");
  bglmpi_request_t* request = bglmpi_object(*handle, BGLMPI_REQUEST);
  if (request == NULL) return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request", (unsigned)*handle);
  if (request->kind == BGLMPI_GENERALISED) {
    return request->generalised.cancel(request->generalised.extra, request->complete != 0);
  }
  // A send cannot be taken back: the message layer has it. It completes as the standard allows, not cancelled.
  if (request->kind != BGLMPI_RECEIVE || request->complete || !bglmpi_receive_withdraw(request)) return MPI_SUCCESS;
  request->status.cancelled_ = 1;
  bglmpi_set_complete(request);
  bglmpi_request_release(request);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Cancel);

int PMPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                        MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* handle) {
  bglmpi_enter("MPI_Grequest_start");
  bglmpi_request_t* request = bglmpi_request_new(BGLMPI_GENERALISED);
  request->generalised.query = query;
  request->generalised.free = free;
  request->generalised.cancel = cancel;
  request->generalised.extra = extra;
  *handle = bglmpi_object_open(request, BGLMPI_REQUEST);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Grequest_start);

int PMPI_Grequest_complete(MPI_Request handle) {
  bglmpi_enter("MPI_Grequest_complete");
  bglmpi_request_t* request = bglmpi_object(handle, BGLMPI_REQUEST);
  if (request == NULL || request->kind != BGLMPI_GENERALISED) {
    return bglmpi_fail(NULL, MPI_ERR_REQUEST, "0x%X is no generalised request", (unsigned)handle);
  }
  bglmpi_set_complete(request);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Grequest_complete);
