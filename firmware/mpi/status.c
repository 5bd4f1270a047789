// SPDX-License-Identifier: Apache-2.0
// What a status says; cancelling; generalised requests.
#include <string.h>

#include "firmware/mpi/request.h"

int PMPI_Get_count(const MPI_Status* status, MPI_Datatype handle, int* count) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Get_count");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  MPII_TRY(mpii_check_given(NULL, count, "count"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  const uint32_t bytes = (uint32_t)status->bytes_;
  if (datatype->size == 0) {
    *count = bytes == 0 ? 0 : MPI_UNDEFINED;
  } else {
    *count = bytes % datatype->size == 0 ? (int)(bytes / datatype->size) : MPI_UNDEFINED;
  }
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_count);

/// Bytes of the first of a pair's two elements; 0 where the kind is no pair.
static uint32_t first_of_pair(mpii_basic_t basic) {
  switch (basic) {
    case MPII_SHORT_INT:
      return sizeof(short);
    case MPII_LONG_INT:
      return sizeof(long);
    case MPII_FLOAT_INT:
    case MPII_2INT:
    case MPII_2REAL:
      return sizeof(float);
    case MPII_DOUBLE_INT:
    case MPII_2DOUBLE:
      return sizeof(double);
    case MPII_LONG_DOUBLE_INT:
      return sizeof(long double);
    default:
      return 0;
  }
}

/// Basic elements in the first `bytes` of one of a datatype, or MPI_UNDEFINED where that is within an element.
static int elements_in(const mpii_datatype_t* datatype, uint32_t bytes) {
  uint32_t elements = 0;
  for (uint32_t number = 0; bytes != 0; ++number) {
    const mpii_run_t* run = &datatype->runs[number];
    const uint32_t size = mpii_basic_size(run->basic), first = first_of_pair(run->basic);
    const uint32_t whole = bytes / size < run->count ? bytes / size : run->count;
    elements += first != 0 ? 2 * whole : whole;
    bytes -= whole * size;
    if (whole == run->count) continue;
    if (bytes != 0 && bytes != first) return MPI_UNDEFINED;
    return (int)(elements + (bytes != 0));
  }
  return (int)elements;
}

int PMPI_Get_elements(const MPI_Status* status, MPI_Datatype handle, int* count) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Get_elements");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  MPII_TRY(mpii_check_given(NULL, count, "count"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  const uint32_t bytes = (uint32_t)status->bytes_;
  *count = 0;
  if (bytes == 0) return MPI_SUCCESS;
  *count = MPI_UNDEFINED;
  if (datatype->size == 0) return MPI_SUCCESS;
  const int last = elements_in(datatype, bytes % datatype->size);
  if (last == MPI_UNDEFINED) return MPI_SUCCESS;
  *count = (int)(bytes / datatype->size) * elements_in(datatype, datatype->size) + last;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_elements);

int PMPI_Get_elements_x(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  int small;
  mpii_enter("MPI_Get_elements_x");
  MPII_TRY(mpii_check_given(NULL, count, "count"));
  MPII_TRY(PMPI_Get_elements(status, datatype, &small));
  *count = small;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_elements_x);

int PMPI_Status_set_elements(MPI_Status* status, MPI_Datatype handle, int count) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Status_set_elements");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  status->bytes_ = count * (int)datatype->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Status_set_elements);

int PMPI_Status_set_elements_x(MPI_Status* status, MPI_Datatype handle, MPI_Count count) {
  mpii_datatype_t* datatype;
  mpii_enter("MPI_Status_set_elements_x");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  MPII_TRY(mpii_datatype_any(NULL, handle, &datatype));
  if (count < 0 || (datatype->size != 0 && count > INT32_MAX / (MPI_Count)datatype->size)) {
    return mpii_fail(NULL, MPI_ERR_COUNT, "%lld elements of %zu bytes; a status holds 0 to 2^31 - 1 bytes", count,
                     datatype->size);
  }
  status->bytes_ = (int)count * (int)datatype->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Status_set_elements_x);

int PMPI_Test_cancelled(const MPI_Status* status, int* flag) {
  mpii_enter("MPI_Test_cancelled");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  *flag = status->cancelled_;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Test_cancelled);

int PMPI_Status_set_cancelled(MPI_Status* status, int flag) {
  mpii_enter("MPI_Status_set_cancelled");
  MPII_TRY(mpii_check_given(NULL, status, "status"));
  status->cancelled_ = flag != 0;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Status_set_cancelled);

int PMPI_Status_c2f(const MPI_Status* status, MPI_Fint* fortran) {
  MPII_TRY(mpii_check_anytime("MPI_Status_c2f", status, "status"));
  MPII_TRY(mpii_check_anytime("MPI_Status_c2f", fortran, "fortran"));
  memcpy(fortran, status, sizeof *status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Status_c2f);

int PMPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status) {
  MPII_TRY(mpii_check_anytime("MPI_Status_f2c", fortran, "fortran"));
  MPII_TRY(mpii_check_anytime("MPI_Status_f2c", status, "status"));
  memcpy(status, fortran, sizeof *status);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Status_f2c);

int PMPI_Cancel(MPI_Request* handle) {
  mpii_enter("MPI_Cancel");
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  mpii_request_t* request = mpii_object(*handle, MPII_REQUEST);
  if (request == NULL) return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no request", (unsigned)*handle);
  if (request->kind == MPII_GENERALISED) {
    return request->generalised.cancel(request->generalised.extra, request->complete != 0);
  }
  // A send cannot be taken back: the message layer has it. It completes as the standard allows, not cancelled.
  if (request->kind != MPII_RECEIVE || request->complete || !mpii_receive_withdraw(request)) return MPI_SUCCESS;
  request->status.cancelled_ = 1;
  mpii_set_complete(request);
  mpii_request_release(request);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Cancel);

int PMPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                        MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* handle) {
  mpii_enter("MPI_Grequest_start");
  MPII_TRY(mpii_check_given(NULL, (const void*)(uintptr_t)query, "query"));
  MPII_TRY(mpii_check_given(NULL, (const void*)(uintptr_t)free, "free"));
  MPII_TRY(mpii_check_given(NULL, (const void*)(uintptr_t)cancel, "cancel"));
  MPII_TRY(mpii_check_given(NULL, handle, "request"));
  mpii_request_t* request = mpii_request_new(MPII_GENERALISED);
  request->generalised.query = query;
  request->generalised.free = free;
  request->generalised.cancel = cancel;
  request->generalised.extra = extra;
  *handle = mpii_object_open(request, MPII_REQUEST);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Grequest_start);

int PMPI_Grequest_complete(MPI_Request handle) {
  mpii_enter("MPI_Grequest_complete");
  mpii_request_t* request = mpii_object(handle, MPII_REQUEST);
  if (request == NULL || request->kind != MPII_GENERALISED) {
    return mpii_fail(NULL, MPI_ERR_REQUEST, "0x%X is no generalised request", (unsigned)handle);
  }
  mpii_set_complete(request);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Grequest_complete);
