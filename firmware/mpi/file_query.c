// SPDX-License-Identifier: Apache-2.0
// What a file is and how it is to be treated: size, group, mode, hints, atomicity.
#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/errhandler.h"
#include "firmware/mpi/file.h"
#include "firmware/mpi/file_storage.h"

static int check_resize(mpii_file_t* file, MPI_Offset size) {
  MPII_TRY(mpii_file_not_sequential(file));
  if ((file->amode & MPI_MODE_RDONLY) != 0) {
    return mpii_fail(file->comm, MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY", file->path);
  }
  if (size < 0) return mpii_fail(file->comm, MPI_ERR_ARG, "the size is %lld; it must be 0 or more", size);
  return mpii_file_same(file, size, "the size");
}

/// Rank 0 does it for all; `shrink`: as well where the file is longer.
static int resize(const char* function, MPI_File handle, MPI_Offset size, bool shrink) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file(function, handle, &file));
  MPII_TRY(check_resize(file, size));
  int error = 0;
  if (file->comm->rank == 0) {
    MPI_Offset now = 0;
    if (!shrink) error = mpii_storage_size(file->descriptor, &now);
    if (error == 0 && (shrink || now < size)) error = mpii_storage_truncate(file->descriptor, size);
  }
  mpii_spread(file->comm, 0, &error, sizeof error);
  return error != 0 ? mpii_file_fail(file->comm, error, file->path) : MPI_SUCCESS;
}

int PMPI_File_set_size(MPI_File file, MPI_Offset size) {
  return resize("MPI_File_set_size", file, size, true);
}
MPII_PUBLIC(File_set_size);

int PMPI_File_preallocate(MPI_File file, MPI_Offset size) {
  return resize("MPI_File_preallocate", file, size, false);
}
MPII_PUBLIC(File_preallocate);

int PMPI_File_get_size(MPI_File handle, MPI_Offset* size) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_size", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, size, "size"));
  const int error = mpii_storage_size(file->descriptor, size);
  return error != 0 ? mpii_file_fail(file->comm, error, file->path) : MPI_SUCCESS;
}
MPII_PUBLIC(File_get_size);

int PMPI_File_get_group(MPI_File handle, MPI_Group* group) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_group", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, group, "group"));
  *group = mpii_group_open(file->comm->group);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_group);

int PMPI_File_get_amode(MPI_File handle, int* amode) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_amode", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, amode, "amode"));
  *amode = file->amode;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_amode);

int PMPI_File_set_info(MPI_File handle, MPI_Info info_handle) {
  mpii_file_t* file;
  struct mpii_info* info;
  MPII_TRY(mpii_enter_file("MPI_File_set_info", handle, &file));
  MPII_TRY(mpii_info(file->comm, info_handle, &info));
  mpii_aggregators_choose(file, info);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_set_info);

int PMPI_File_get_info(MPI_File handle, MPI_Info* info) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_info", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, info, "info"));
  *info = mpii_info_open(mpii_hints_tell(&file->hints));
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_info);

int PMPI_File_set_atomicity(MPI_File handle, int flag) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_set_atomicity", handle, &file));
  MPII_TRY(mpii_file_same(file, flag != 0, "the flag"));
  file->atomic = flag != 0;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_set_atomicity);

int PMPI_File_get_atomicity(MPI_File handle, int* flag) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_atomicity", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, flag, "flag"));
  *flag = file->atomic;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_atomicity);

int PMPI_File_sync(MPI_File handle) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_sync", handle, &file));
  // Nothing is kept back: a call that has returned has been done by the I/O node.
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_sync);

int PMPI_File_get_type_extent(MPI_File handle, MPI_Datatype datatype_handle, MPI_Aint* extent) {
  mpii_file_t* file;
  mpii_datatype_t* datatype;
  MPII_TRY(mpii_enter_file("MPI_File_get_type_extent", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, extent, "extent"));
  MPII_TRY(mpii_datatype_any(file->comm, datatype_handle, &datatype));
  *extent = datatype->extent;  // in files as in memory, in every representation there is
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_type_extent);
