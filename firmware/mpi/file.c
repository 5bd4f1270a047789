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

mpii_comm_t* mpii_no_file(void) {
  static mpii_comm_t comm = {.owner = MPI_FILE_NULL};
  if (comm.errhandler == NULL) comm.errhandler = mpii_retain(mpii_object(MPI_ERRORS_RETURN, MPII_ERRHANDLER));
  return &comm;
}

int mpii_enter_file(const char* function, MPI_File handle, mpii_file_t** file) {
  mpii_enter(function);
  *file = mpii_object(handle, MPII_FILE);
  if (*file != NULL) return MPI_SUCCESS;
  if (handle == MPI_FILE_NULL) return mpii_fail(mpii_no_file(), MPI_ERR_FILE, "the file is MPI_FILE_NULL");
  return mpii_fail(mpii_no_file(), MPI_ERR_FILE, "0x%X is no file, or a closed one", (unsigned)handle);
}

int mpii_file_fail(mpii_comm_t* comm, int error, const char* path) {
  return mpii_fail(comm, mpii_storage_class(error), "%s: %s", path, strerror(error));
}

int mpii_file_agree(mpii_file_t* file, int error) {
  return (int)mpii_agree_max(file->comm, (uint32_t)error);
}

int mpii_file_same(mpii_file_t* file, MPI_Offset number, const char* what) {
  MPI_Offset* numbers = mpii_allocate((size_t)file->comm->size * sizeof *numbers);
  mpii_collect(file->comm, &number, sizeof number, numbers);
  bool same = true;
  for (int rank = 1; rank < file->comm->size; ++rank) same = same && numbers[rank] == numbers[0];
  free(numbers);
  if (same) return MPI_SUCCESS;
  return mpii_fail(file->comm, MPI_ERR_NOT_SAME, "%s must be the same at all processes", what);
}

int mpii_file_not_sequential(mpii_file_t* file) {
  if ((file->amode & MPI_MODE_SEQUENTIAL) == 0) return MPI_SUCCESS;
  return mpii_fail(file->comm, MPI_ERR_UNSUPPORTED_OPERATION,
                   "%s was opened with MPI_MODE_SEQUENTIAL: only the shared pointer's calls access it", file->path);
}

static int check_amode(mpii_comm_t* comm, int amode) {
  const int access = amode & ACCESS_MODES;
  if ((amode & ~ALL_MODES) != 0) {
    return mpii_fail(comm, MPI_ERR_AMODE, "access mode 0x%X has bits that mean nothing", (unsigned)amode);
  }
  if (access != MPI_MODE_RDONLY && access != MPI_MODE_WRONLY && access != MPI_MODE_RDWR) {
    return mpii_fail(comm, MPI_ERR_AMODE,
                     "the access mode must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
  }
  if (access == MPI_MODE_RDONLY && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0) {
    return mpii_fail(comm, MPI_ERR_AMODE, "MPI_MODE_CREATE and MPI_MODE_EXCL do not go with MPI_MODE_RDONLY");
  }
  if (access == MPI_MODE_RDWR && (amode & MPI_MODE_SEQUENTIAL) != 0) {
    return mpii_fail(comm, MPI_ERR_AMODE, "MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR");
  }
  return MPI_SUCCESS;
}

static void destroy(mpii_file_t* file) {
  mpii_view_free(&file->view);
  mpii_comm_close(file->comm);
  free(file->sets);
  free(file->aggregators);
  free(file->path);
  free(file);
}

/// A file that is not open yet. Errors of opening it are not its own.
static mpii_file_t* make(mpii_comm_t* comm, const char* path, int amode) {
  mpii_file_t* file = mpii_allocate(sizeof *file);
  const uint32_t context = mpii_agree_context(comm);
  file->object.references = 1;
  file->comm = mpii_comm_new(mpii_retain(comm->group), context, mpii_no_file());
  file->comm->owner = MPI_FILE_NULL;
  strncpy(file->comm->name, path, sizeof file->comm->name - 1);
  file->amode = amode;
  file->path = strcpy(mpii_allocate(strlen(path) + 1), path);
  file->window = MPI_WIN_NULL;
  mpii_view_make(file->comm, 0, MPI_BYTE, MPI_BYTE, "native", true, &file->view);
  return file;
}

/// What a process tells the others.
typedef struct {
  int amode, set;
} part_t;

static int check_parts(mpii_file_t* file) {
  const int ranks = file->comm->size;
  const part_t mine = {file->amode, mpii_storage_set()};
  part_t* parts = mpii_allocate((size_t)ranks * sizeof *parts);
  mpii_collect(file->comm, &mine, sizeof mine, parts);
  bool same = true;
  file->sets = mpii_allocate((size_t)ranks * sizeof *file->sets);
  for (int rank = 0; rank < ranks; ++rank) {
    same = same && parts[rank].amode == parts[0].amode;
    file->sets[rank] = parts[rank].set;
  }
  free(parts);
  if (same) return MPI_SUCCESS;
  return mpii_fail(file->comm, MPI_ERR_NOT_SAME, "the access mode must be the same at all processes");
}

/// Rank 0 is first, so that a file is made once; then the others. Returns an errno, the same at all.
static int open_at_all(mpii_file_t* file) {
  const int amode = file->amode;
  int error = 0;
  if (file->comm->rank == 0) {
    error = mpii_storage_open(file->path, amode, (amode & MPI_MODE_CREATE) != 0, (amode & MPI_MODE_EXCL) != 0,
                              &file->descriptor);
  }
  mpii_spread(file->comm, 0, &error, sizeof error);
  if (error != 0) return error;
  if (file->comm->rank != 0) error = mpii_storage_open(file->path, amode, 0, 0, &file->descriptor);
  const int agreed = mpii_file_agree(file, error);
  if (agreed != 0 && error == 0) mpii_storage_close(file->descriptor);
  return agreed;
}

/// Both pointers to the end of the file.
static void append(mpii_file_t* file) {
  MPI_Offset size = 0;
  if (file->comm->rank == 0) mpii_storage_size(file->descriptor, &size);
  mpii_spread(file->comm, 0, &size, sizeof size);
  file->position = size;
  mpii_shared_set(file, size);
}

int PMPI_File_open(MPI_Comm comm_handle, const char* filename, int amode, MPI_Info info_handle, MPI_File* handle) {
  mpii_comm_t* none = mpii_no_file();  // whose error handler is that of all that is wrong here
  struct mpii_info* info = NULL;
  mpii_enter("MPI_File_open");
  mpii_comm_t* comm = mpii_object(comm_handle, MPII_COMM);
  if (comm == NULL) return mpii_fail(none, MPI_ERR_COMM, "0x%X is no communicator", (unsigned)comm_handle);
  MPII_TRY(mpii_check_given(none, handle, "file"));
  *handle = MPI_FILE_NULL;
  if (mpii_is_inter(comm)) return mpii_fail(none, MPI_ERR_COMM, "files need an intracommunicator");
  if (filename == NULL) return mpii_fail(none, MPI_ERR_BAD_FILE, "the name is a null pointer");
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(none, info_handle, &info));
  MPII_TRY(check_amode(none, amode));
  mpii_file_t* file = make(comm, filename, amode);
  int failed = check_parts(file);
  if (failed == MPI_SUCCESS) {
    const int error = open_at_all(file);
    if (error != 0) failed = mpii_file_fail(file->comm, error, file->path);
  }
  if (failed != MPI_SUCCESS) {
    destroy(file);
    return failed;
  }
  mpii_aggregators_choose(file, info);
  mpii_shared_open(file, info);
  if ((amode & MPI_MODE_APPEND) != 0) append(file);
  file->comm->owner = mpii_object_open(file, MPII_FILE);
  *handle = file->object.handle;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_open);

int PMPI_File_close(MPI_File* handle) {
  mpii_file_t* file;
  mpii_enter("MPI_File_close");
  MPII_TRY(mpii_check_given(mpii_no_file(), handle, "file"));
  MPII_TRY(mpii_enter_file("MPI_File_close", *handle, &file));
  if (file->split != MPII_NO_SPLIT) {
    return mpii_fail(file->comm, MPI_ERR_OTHER, "a split collective access has not ended");
  }
  mpii_shared_close(file);
  int error = mpii_file_agree(file, mpii_storage_close(file->descriptor));
  if ((file->amode & MPI_MODE_DELETE_ON_CLOSE) != 0) {
    if (file->comm->rank == 0 && error == 0) error = mpii_storage_delete(file->path);
    mpii_spread(file->comm, 0, &error, sizeof error);
  }
  const int failed = error != 0 ? mpii_file_fail(file->comm, error, file->path) : MPI_SUCCESS;
  mpii_object_close(file);
  destroy(file);
  *handle = MPI_FILE_NULL;
  return failed;
}
MPII_PUBLIC(File_close);

int PMPI_File_delete(const char* filename, MPI_Info info_handle) {
  struct mpii_info* info;
  mpii_enter("MPI_File_delete");
  if (filename == NULL) return mpii_fail(mpii_no_file(), MPI_ERR_BAD_FILE, "the name is a null pointer");
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(mpii_no_file(), info_handle, &info));
  const int error = mpii_storage_delete(filename);
  return error != 0 ? mpii_file_fail(mpii_no_file(), error, filename) : MPI_SUCCESS;
}
MPII_PUBLIC(File_delete);
