// SPDX-License-Identifier: Apache-2.0
// Reading and writing as programs call it: each call says where, by which pointer, and whether all processes take part.
#include "firmware/mpi/file.h"

typedef enum { EXPLICIT, OWN, SHARED } pointer_t;

typedef struct {
  const char* function;
  bool write;
  pointer_t pointer;
  bool together;
  MPI_Offset offset;  ///< EXPLICIT, in etypes
  const void* buffer;
  int count;
  MPI_Datatype datatype;
} call_t;

/// Whether the file's mode has such an access.
static int check_mode(mpii_file_t* file, const call_t* call) {
  if (call->pointer != SHARED) MPII_TRY(mpii_file_not_sequential(file));
  if (call->write && (file->amode & MPI_MODE_RDONLY) != 0) {
    return mpii_fail(file->comm, MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY", file->path);
  }
  if (!call->write && (file->amode & MPI_MODE_WRONLY) != 0) {
    return mpii_fail(file->comm, MPI_ERR_ACCESS, "%s was opened with MPI_MODE_WRONLY", file->path);
  }
  return MPI_SUCCESS;
}

static int check(mpii_file_t* file, const call_t* call, mpii_access_range_t* range) {
  MPII_TRY(check_mode(file, call));
  MPII_TRY(mpii_check_buffer(file->comm, call->buffer, call->count, call->datatype, &range->datatype));
  range->write = call->write;
  range->buffer = (void*)(uintptr_t)call->buffer;
  range->count = (uint32_t)call->count;
  range->bytes = range->count * range->datatype->size;
  if (call->pointer == EXPLICIT && call->offset < 0) {
    return mpii_fail(file->comm, MPI_ERR_ARG, "the offset is %lld; it must be 0 or more", call->offset);
  }
  const uint32_t etype = file->view.etype->size;
  if (range->bytes % etype != 0) {
    return mpii_fail(file->comm, MPI_ERR_ARG, "%u bytes are not whole etypes of %u", range->bytes, etype);
  }
  if (range->bytes != 0 && file->view.filetype->size == 0) {
    return mpii_fail(file->comm, MPI_ERR_ARG, "%u bytes in a view that shows none", range->bytes);
  }
  return MPI_SUCCESS;
}

/// Where the access begins, in etypes; the shared pointer then points behind it.
static MPI_Offset begin_of(mpii_file_t* file, const call_t* call, MPI_Offset etypes) {
  if (call->pointer == EXPLICIT) return call->offset;
  if (call->pointer == OWN) return file->position;
  return call->together ? mpii_shared_add_ordered(file, etypes) : mpii_shared_add(file, etypes);
}

static int run(mpii_file_t* file, const call_t* call, uint32_t* done) {
  mpii_access_range_t range;
  *done = 0;
  MPII_TRY(check(file, call, &range));
  const MPI_Offset etype = file->view.etype->size, begin = begin_of(file, call, range.bytes / etype);
  range.position = begin * etype;
  const int error =
      call->together ? mpii_file_transfer_all(file, &range, done) : mpii_file_transfer(file, &range, done);
  // What has been accessed counts, also before the end of the file and before an error.
  if (call->pointer == OWN) file->position = begin + (*done + etype - 1) / etype;
  return error != 0 ? mpii_file_fail(file->comm, error, file->path) : MPI_SUCCESS;
}

static MPI_Status status_of(uint32_t bytes) {
  return (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .bytes_ = (int)bytes};
}

static void set_status(MPI_Status* status, uint32_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;  // only functions for many requests set it
  *status = status_of(bytes);
  status->MPI_ERROR = error;
}

/// A call that blocks.
static int blocking(MPI_File handle, call_t call, MPI_Status* status) {
  mpii_file_t* file;
  uint32_t done;
  MPII_TRY(mpii_enter_file(call.function, handle, &file));
  const int error = run(file, &call, &done);
  set_status(status, done);
  return error;
}

/// One that need not wait for its end, and has come to it nevertheless: the kernel knows no other calls. One for all
/// processes must not wait for them, so that each does its part by itself.
static int nonblocking(MPI_File handle, call_t call, MPI_Request* request_handle) {
  mpii_file_t* file;
  uint32_t done;
  MPII_TRY(mpii_enter_file(call.function, handle, &file));
  MPII_TRY(mpii_check_given(file->comm, request_handle, "request"));
  *request_handle = MPI_REQUEST_NULL;
  MPII_TRY(run(file, &call, &done));
  mpii_request_t* request = mpii_request_new(MPII_FILE_ACCESS);
  request->comm = mpii_retain(file->comm);
  request->status = status_of(done);
  request->complete = 1;
  *request_handle = mpii_object_open(request, MPII_REQUEST);
  return MPI_SUCCESS;
}

/// A split call's first half does all of it.
static int begin(MPI_File handle, call_t call, mpii_split_t split) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file(call.function, handle, &file));
  if (file->split != MPII_NO_SPLIT) {
    return mpii_fail(file->comm, MPI_ERR_OTHER, "another split collective access of %s has not ended", file->path);
  }
  MPII_TRY(run(file, &call, &file->split_bytes));
  file->split = split;
  return MPI_SUCCESS;
}

static int end(const char* function, MPI_File handle, mpii_split_t split, MPI_Status* status) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file(function, handle, &file));
  if (file->split != split) {
    return mpii_fail(file->comm, MPI_ERR_OTHER, "the split collective access of %s that this ends has not begun",
                     file->path);
  }
  file->split = MPII_NO_SPLIT;
  set_status(status, file->split_bytes);
  return MPI_SUCCESS;
}

#define CALL(name, writes, by, all, at) ((call_t){"MPI_File_" name, writes, by, all, at, buffer, count, datatype})

// ---------------------------------------------------------------------------------------------------------------
// By explicit offsets

int PMPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                      MPI_Status* status) {
  return blocking(file, CALL("read_at", false, EXPLICIT, false, offset), status);
}
MPII_PUBLIC(File_read_at);

int PMPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                          MPI_Status* status) {
  return blocking(file, CALL("read_at_all", false, EXPLICIT, true, offset), status);
}
MPII_PUBLIC(File_read_at_all);

int PMPI_File_iread_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                       MPI_Request* request) {
  return nonblocking(file, CALL("iread_at", false, EXPLICIT, false, offset), request);
}
MPII_PUBLIC(File_iread_at);

int PMPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype,
                           MPI_Request* request) {
  return nonblocking(file, CALL("iread_at_all", false, EXPLICIT, false, offset), request);
}
MPII_PUBLIC(File_iread_at_all);

int PMPI_File_read_at_all_begin(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype datatype) {
  return begin(file, CALL("read_at_all_begin", false, EXPLICIT, true, offset), MPII_SPLIT_READ_AT);
}
MPII_PUBLIC(File_read_at_all_begin);

int PMPI_File_read_at_all_end(MPI_File file, void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_read_at_all_end", file, MPII_SPLIT_READ_AT, status);
}
MPII_PUBLIC(File_read_at_all_end);

int PMPI_File_write_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                       MPI_Status* status) {
  return blocking(file, CALL("write_at", true, EXPLICIT, false, offset), status);
}
MPII_PUBLIC(File_write_at);

int PMPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                           MPI_Status* status) {
  return blocking(file, CALL("write_at_all", true, EXPLICIT, true, offset), status);
}
MPII_PUBLIC(File_write_at_all);

int PMPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                        MPI_Request* request) {
  return nonblocking(file, CALL("iwrite_at", true, EXPLICIT, false, offset), request);
}
MPII_PUBLIC(File_iwrite_at);

int PMPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count, MPI_Datatype datatype,
                            MPI_Request* request) {
  return nonblocking(file, CALL("iwrite_at_all", true, EXPLICIT, false, offset), request);
}
MPII_PUBLIC(File_iwrite_at_all);

int PMPI_File_write_at_all_begin(MPI_File file, MPI_Offset offset, const void* buffer, int count,
                                 MPI_Datatype datatype) {
  return begin(file, CALL("write_at_all_begin", true, EXPLICIT, true, offset), MPII_SPLIT_WRITE_AT);
}
MPII_PUBLIC(File_write_at_all_begin);

int PMPI_File_write_at_all_end(MPI_File file, const void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_write_at_all_end", file, MPII_SPLIT_WRITE_AT, status);
}
MPII_PUBLIC(File_write_at_all_end);

// ---------------------------------------------------------------------------------------------------------------
// By this process's pointer

int PMPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("read", false, OWN, false, 0), status);
}
MPII_PUBLIC(File_read);

int PMPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("read_all", false, OWN, true, 0), status);
}
MPII_PUBLIC(File_read_all);

int PMPI_File_iread(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iread", false, OWN, false, 0), request);
}
MPII_PUBLIC(File_iread);

int PMPI_File_iread_all(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iread_all", false, OWN, false, 0), request);
}
MPII_PUBLIC(File_iread_all);

int PMPI_File_read_all_begin(MPI_File file, void* buffer, int count, MPI_Datatype datatype) {
  return begin(file, CALL("read_all_begin", false, OWN, true, 0), MPII_SPLIT_READ);
}
MPII_PUBLIC(File_read_all_begin);

int PMPI_File_read_all_end(MPI_File file, void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_read_all_end", file, MPII_SPLIT_READ, status);
}
MPII_PUBLIC(File_read_all_end);

int PMPI_File_write(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("write", true, OWN, false, 0), status);
}
MPII_PUBLIC(File_write);

int PMPI_File_write_all(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("write_all", true, OWN, true, 0), status);
}
MPII_PUBLIC(File_write_all);

int PMPI_File_iwrite(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iwrite", true, OWN, false, 0), request);
}
MPII_PUBLIC(File_iwrite);

int PMPI_File_iwrite_all(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iwrite_all", true, OWN, false, 0), request);
}
MPII_PUBLIC(File_iwrite_all);

int PMPI_File_write_all_begin(MPI_File file, const void* buffer, int count, MPI_Datatype datatype) {
  return begin(file, CALL("write_all_begin", true, OWN, true, 0), MPII_SPLIT_WRITE);
}
MPII_PUBLIC(File_write_all_begin);

int PMPI_File_write_all_end(MPI_File file, const void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_write_all_end", file, MPII_SPLIT_WRITE, status);
}
MPII_PUBLIC(File_write_all_end);

// ---------------------------------------------------------------------------------------------------------------
// By the shared pointer

int PMPI_File_read_shared(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("read_shared", false, SHARED, false, 0), status);
}
MPII_PUBLIC(File_read_shared);

int PMPI_File_read_ordered(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("read_ordered", false, SHARED, true, 0), status);
}
MPII_PUBLIC(File_read_ordered);

int PMPI_File_iread_shared(MPI_File file, void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iread_shared", false, SHARED, false, 0), request);
}
MPII_PUBLIC(File_iread_shared);

int PMPI_File_read_ordered_begin(MPI_File file, void* buffer, int count, MPI_Datatype datatype) {
  return begin(file, CALL("read_ordered_begin", false, SHARED, true, 0), MPII_SPLIT_READ_ORDERED);
}
MPII_PUBLIC(File_read_ordered_begin);

int PMPI_File_read_ordered_end(MPI_File file, void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_read_ordered_end", file, MPII_SPLIT_READ_ORDERED, status);
}
MPII_PUBLIC(File_read_ordered_end);

int PMPI_File_write_shared(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("write_shared", true, SHARED, false, 0), status);
}
MPII_PUBLIC(File_write_shared);

int PMPI_File_write_ordered(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Status* status) {
  return blocking(file, CALL("write_ordered", true, SHARED, true, 0), status);
}
MPII_PUBLIC(File_write_ordered);

int PMPI_File_iwrite_shared(MPI_File file, const void* buffer, int count, MPI_Datatype datatype, MPI_Request* request) {
  return nonblocking(file, CALL("iwrite_shared", true, SHARED, false, 0), request);
}
MPII_PUBLIC(File_iwrite_shared);

int PMPI_File_write_ordered_begin(MPI_File file, const void* buffer, int count, MPI_Datatype datatype) {
  return begin(file, CALL("write_ordered_begin", true, SHARED, true, 0), MPII_SPLIT_WRITE_ORDERED);
}
MPII_PUBLIC(File_write_ordered_begin);

int PMPI_File_write_ordered_end(MPI_File file, const void* buffer, MPI_Status* status) {
  (void)buffer;
  return end("MPI_File_write_ordered_end", file, MPII_SPLIT_WRITE_ORDERED, status);
}
MPII_PUBLIC(File_write_ordered_end);
