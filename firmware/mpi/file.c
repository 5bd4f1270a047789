// SPDX-License-Identifier: Apache-2.0
// Files: how they are opened, closed and deleted.
#include "firmware/mpi/file.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/file_storage.h"

enum { ACCESS_MODES = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR, ALL_MODES = 2 * MPI_MODE_SEQUENTIAL - 1 };

bglmpi_comm_t* bglmpi_no_file(void) {
  static bglmpi_comm_t comm = {.owner = MPI_FILE_NULL};
  if (comm.errhandler == NULL) comm.errhandler = bglmpi_retain(bglmpi_object(MPI_ERRORS_RETURN, BGLMPI_ERRHANDLER));
  return &comm;
}

int bglmpi_enter_file(const char* function, MPI_File handle, bglmpi_file_t** file) {
  bglmpi_enter(function);
  *file = bglmpi_object(handle, BGLMPI_FILE);
  if (*file != NULL) return MPI_SUCCESS;
  if (handle == MPI_FILE_NULL) return bglmpi_fail(bglmpi_no_file(), MPI_ERR_FILE, "the file is MPI_FILE_NULL");
  return bglmpi_fail(bglmpi_no_file(), MPI_ERR_FILE, "0x%X is no file, or a closed one", (unsigned)handle);
}

int bglmpi_file_fail(bglmpi_comm_t* comm, int error, const char* path) {
  return bglmpi_fail(comm, bglmpi_storage_class(error), "%s: %s", path, strerror(error));
}

int bglmpi_file_agree(bglmpi_file_t* file, int error) {
  return (int)bglmpi_agree_max(file->comm, (uint32_t)error);
}

int bglmpi_file_same(bglmpi_file_t* file, MPI_Offset number, const char* what) {
  MPI_Offset* numbers = bglmpi_allocate((size_t)file->comm->size * sizeof *numbers);
  bglmpi_collect(file->comm, &number, sizeof number, numbers);
  bool same = true;
  for (int rank = 1; rank < file->comm->size; ++rank) same = same && numbers[rank] == numbers[0];
  free(numbers);
  if (same) return MPI_SUCCESS;
  return bglmpi_fail(file->comm, MPI_ERR_NOT_SAME, "%s must be the same at all processes", what);
}

int bglmpi_file_not_sequential(bglmpi_file_t* file) {
  if ((file->amode & MPI_MODE_SEQUENTIAL) == 0) return MPI_SUCCESS;
  return bglmpi_fail(file->comm, MPI_ERR_UNSUPPORTED_OPERATION,
                     "%s was opened with MPI_MODE_SEQUENTIAL: only the shared pointer's calls access it", file->path);
}

static int check_amode(bglmpi_comm_t* comm, int amode) {
  const int access = amode & ACCESS_MODES;
  if ((amode & ~ALL_MODES) != 0) {
    return bglmpi_fail(comm, MPI_ERR_AMODE, "access mode 0x%X has bits that mean nothing", (unsigned)amode);
  }
  if (access != MPI_MODE_RDONLY && access != MPI_MODE_WRONLY && access != MPI_MODE_RDWR) {
    return bglmpi_fail(comm, MPI_ERR_AMODE,
                       "the access mode must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
  }
  if (access == MPI_MODE_RDONLY && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0) {
    return bglmpi_fail(comm, MPI_ERR_AMODE, "MPI_MODE_CREATE and MPI_MODE_EXCL do not go with MPI_MODE_RDONLY");
  }
  if (access == MPI_MODE_RDWR && (amode & MPI_MODE_SEQUENTIAL) != 0) {
    return bglmpi_fail(comm, MPI_ERR_AMODE, "MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR");
  }
  return MPI_SUCCESS;
}

static void destroy(bglmpi_file_t* file) {
  bglmpi_view_free(&file->view);
  bglmpi_comm_close(file->comm);
  free(file->sets);
  free(file->aggregators);
  free(file->path);
  free(file);
}

/// A file that is not open yet. Errors of opening it are not its own.
static bglmpi_file_t* make(bglmpi_comm_t* comm, const char* path, int amode) {
  bglmpi_file_t* file = bglmpi_allocate(sizeof *file);
  const uint32_t context = bglmpi_agree_context(comm);
  file->object.references = 1;
  file->comm = bglmpi_comm_new(bglmpi_retain(comm->group), context, bglmpi_no_file());
  file->comm->owner = MPI_FILE_NULL;
  strncpy(file->comm->name, path, sizeof file->comm->name - 1);
  file->amode = amode;
  file->path = strcpy(bglmpi_allocate(strlen(path) + 1), path);
  file->window = MPI_WIN_NULL;
  bglmpi_view_make(file->comm, 0, MPI_BYTE, MPI_BYTE, "native", true, &file->view);
  return file;
}

/// What a process tells the others.
typedef struct {
  int amode, set;
} part_t;

static int check_parts(bglmpi_file_t* file) {
  const int ranks = file->comm->size;
  const part_t mine = {file->amode, bglmpi_storage_set()};
  part_t* parts = bglmpi_allocate((size_t)ranks * sizeof *parts);
  bglmpi_collect(file->comm, &mine, sizeof mine, parts);
  bool same = true;
  file->sets = bglmpi_allocate((size_t)ranks * sizeof *file->sets);
  for (int rank = 0; rank < ranks; ++rank) {
    same = same && parts[rank].amode == parts[0].amode;
    file->sets[rank] = parts[rank].set;
  }
  free(parts);
  if (same) return MPI_SUCCESS;
  return bglmpi_fail(file->comm, MPI_ERR_NOT_SAME, "the access mode must be the same at all processes");
}

/// Rank 0 is first, so that a file is made once; then the others. Returns an errno, the same at all.
static int open_at_all(bglmpi_file_t* file) {
  const int amode = file->amode;
  int error = 0;
  if (file->comm->rank == 0) {
    error = bglmpi_storage_open(file->path, amode, (amode & MPI_MODE_CREATE) != 0, (amode & MPI_MODE_EXCL) != 0,
                                &file->descriptor);
  }
  bglmpi_spread(file->comm, 0, &error, sizeof error);
  if (error != 0) return error;
  if (file->comm->rank != 0) error = bglmpi_storage_open(file->path, amode, 0, 0, &file->descriptor);
  const int agreed = bglmpi_file_agree(file, error);
  if (agreed != 0 && error == 0) bglmpi_storage_close(file->descriptor);
  return agreed;
}

/// Both pointers to the end of the file.
static void append(bglmpi_file_t* file) {
  MPI_Offset size = 0;
  if (file->comm->rank == 0) bglmpi_storage_size(file->descriptor, &size);
  bglmpi_spread(file->comm, 0, &size, sizeof size);
  file->position = size;
  bglmpi_shared_set(file, size);
}

int PMPI_File_open(MPI_Comm comm_handle, const char* filename, int amode, MPI_Info info_handle, MPI_File* handle) {
  bglmpi_comm_t* none = bglmpi_no_file();  // whose error handler is that of all that is wrong here
  struct bglmpi_info* info = NULL;
  bglmpi_enter("MPI_File_open");
  bglmpi_comm_t* comm = bglmpi_object(comm_handle, BGLMPI_COMM);
  if (comm == NULL) return bglmpi_fail(none, MPI_ERR_COMM, "0x%X is no communicator", (unsigned)comm_handle);
  BGLMPI_TRY(bglmpi_check_given(none, handle, "file"));
  *handle = MPI_FILE_NULL;
  if (bglmpi_is_inter(comm)) return bglmpi_fail(none, MPI_ERR_COMM, "files need an intracommunicator");
  if (filename == NULL) return bglmpi_fail(none, MPI_ERR_BAD_FILE, "the name is a null pointer");
  if (info_handle != MPI_INFO_NULL) BGLMPI_TRY(bglmpi_info(none, info_handle, &info));
  BGLMPI_TRY(check_amode(none, amode));
  bglmpi_file_t* file = make(comm, filename, amode);
  int failed = check_parts(file);
  if (failed == MPI_SUCCESS) {
    const int error = open_at_all(file);
    if (error != 0) failed = bglmpi_file_fail(file->comm, error, file->path);
  }
  if (failed != MPI_SUCCESS) {
    destroy(file);
    return failed;
  }
  bglmpi_aggregators_choose(file, info);
  bglmpi_shared_open(file, info);
  if ((amode & MPI_MODE_APPEND) != 0) append(file);
  file->comm->owner = bglmpi_object_open(file, BGLMPI_FILE);
  *handle = file->object.handle;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_open);

int PMPI_File_close(MPI_File* handle) {
  bglmpi_file_t* file;
  bglmpi_enter("MPI_File_close");
  BGLMPI_TRY(bglmpi_check_given(bglmpi_no_file(), handle, "file"));
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_close", *handle, &file));
  if (file->split != BGLMPI_NO_SPLIT) {
    return bglmpi_fail(file->comm, MPI_ERR_OTHER, "a split collective access has not ended");
  }
  bglmpi_shared_close(file);
  int error = bglmpi_file_agree(file, bglmpi_storage_close(file->descriptor));
  if ((file->amode & MPI_MODE_DELETE_ON_CLOSE) != 0) {
    if (file->comm->rank == 0 && error == 0) error = bglmpi_storage_delete(file->path);
    bglmpi_spread(file->comm, 0, &error, sizeof error);
  }
  const int failed = error != 0 ? bglmpi_file_fail(file->comm, error, file->path) : MPI_SUCCESS;
  bglmpi_object_close(file);
  destroy(file);
  *handle = MPI_FILE_NULL;
  return failed;
}
BGLMPI_PUBLIC(File_close);

int PMPI_File_delete(const char* filename, MPI_Info info_handle) {
  struct bglmpi_info* info;
  bglmpi_enter("MPI_File_delete");
  if (filename == NULL) return bglmpi_fail(bglmpi_no_file(), MPI_ERR_BAD_FILE, "the name is a null pointer");
  if (info_handle != MPI_INFO_NULL) BGLMPI_TRY(bglmpi_info(bglmpi_no_file(), info_handle, &info));
  const int error = bglmpi_storage_delete(filename);
  return error != 0 ? bglmpi_file_fail(bglmpi_no_file(), error, filename) : MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_delete);
