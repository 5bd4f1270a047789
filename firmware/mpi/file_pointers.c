// SPDX-License-Identifier: Apache-2.0
// Views and file pointers as programs set and ask for them.
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/file.h"
#include "firmware/mpi/file_storage.h"

/// With MPI_MODE_SEQUENTIAL a view begins where the shared pointer is, else where the program says.
static int find_displacement(mpii_file_t* file, MPI_Offset* displacement) {
  const bool current = *displacement == MPI_DISPLACEMENT_CURRENT;
  if ((file->amode & MPI_MODE_SEQUENTIAL) == 0) {
    if (!current) return MPI_SUCCESS;
    return mpii_fail(file->comm, MPI_ERR_ARG, "MPI_DISPLACEMENT_CURRENT is for files of MPI_MODE_SEQUENTIAL");
  }
  if (!current) {
    return mpii_fail(file->comm, MPI_ERR_ARG,
                     "the displacement in a file of MPI_MODE_SEQUENTIAL must be "
                     "MPI_DISPLACEMENT_CURRENT");
  }
  mpii_agree_max(file->comm, 0);  // until all have done what comes before
  if (file->comm->rank == 0) {
    *displacement = mpii_view_place(&file->view, mpii_shared_add(file, 0) * file->view.etype->size);
  }
  mpii_spread(file->comm, 0, displacement, sizeof *displacement);
  return MPI_SUCCESS;
}

int PMPI_File_set_view(MPI_File handle, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                       const char* datarep, MPI_Info info_handle) {
  mpii_file_t* file;
  mpii_view_t view;
  struct mpii_info* info = NULL;
  MPII_TRY(mpii_enter_file("MPI_File_set_view", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, datarep, "datarep"));
  if (info_handle != MPI_INFO_NULL) MPII_TRY(mpii_info(file->comm, info_handle, &info));
  MPII_TRY(find_displacement(file, &displacement));
  const bool written = (file->amode & MPI_MODE_RDONLY) == 0;
  MPII_TRY(mpii_view_make(file->comm, displacement, etype, filetype, datarep, written, &view));
  mpii_view_free(&file->view);
  file->view = view;
  file->position = 0;
  mpii_aggregators_choose(file, info);
  mpii_shared_set(file, 0);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_set_view);

int PMPI_File_get_view(MPI_File handle, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                       char* datarep) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_view", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, displacement, "displacement"));
  MPII_TRY(mpii_check_given(file->comm, etype, "etype"));
  MPII_TRY(mpii_check_given(file->comm, filetype, "filetype"));
  MPII_TRY(mpii_check_given(file->comm, datarep, "datarep"));
  *displacement = file->view.displacement;
  *etype = mpii_datatype_open(file->view.etype);
  *filetype = mpii_datatype_open(file->view.filetype);
  strcpy(datarep, file->view.datarep);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_view);

// ---------------------------------------------------------------------------------------------------------------

static int check_whence(const mpii_file_t* file, int whence) {
  if (whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END) return MPI_SUCCESS;
  return mpii_fail(file->comm, MPI_ERR_ARG, "whence is %d; it is MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence);
}

/// Where a seek goes to, in etypes.
static int find_target(mpii_file_t* file, MPI_Offset offset, int whence, MPI_Offset current, MPI_Offset* target) {
  *target = offset;
  if (whence == MPI_SEEK_CUR) {
    *target += current;
  } else if (whence == MPI_SEEK_END) {
    MPI_Offset size;
    const int error = mpii_storage_size(file->descriptor, &size);
    if (error != 0) return mpii_file_fail(file->comm, error, file->path);
    const MPI_Offset etype = file->view.etype->size;
    *target += (mpii_view_position(&file->view, size) + etype - 1) / etype;
  }
  if (*target >= 0) return MPI_SUCCESS;
  return mpii_fail(file->comm, MPI_ERR_ARG, "a seek to %lld, before the beginning of the view", *target);
}

int PMPI_File_seek(MPI_File handle, MPI_Offset offset, int whence) {
  mpii_file_t* file;
  MPI_Offset target;
  MPII_TRY(mpii_enter_file("MPI_File_seek", handle, &file));
  MPII_TRY(mpii_file_not_sequential(file));
  MPII_TRY(check_whence(file, whence));
  MPII_TRY(find_target(file, offset, whence, file->position, &target));
  file->position = target;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_seek);

int PMPI_File_get_position(MPI_File handle, MPI_Offset* offset) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_position", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, offset, "offset"));
  MPII_TRY(mpii_file_not_sequential(file));
  *offset = file->position;
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_position);

int PMPI_File_get_byte_offset(MPI_File handle, MPI_Offset offset, MPI_Offset* byte) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_byte_offset", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, byte, "byte"));
  MPII_TRY(mpii_file_not_sequential(file));
  if (offset < 0) return mpii_fail(file->comm, MPI_ERR_ARG, "the offset is %lld; it must be 0 or more", offset);
  *byte = mpii_view_place(&file->view, offset * file->view.etype->size);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_byte_offset);

int PMPI_File_seek_shared(MPI_File handle, MPI_Offset offset, int whence) {
  mpii_file_t* file;
  MPI_Offset target;
  MPII_TRY(mpii_enter_file("MPI_File_seek_shared", handle, &file));
  MPII_TRY(mpii_file_not_sequential(file));
  // What is wrong by itself is refused before the others are asked.
  MPII_TRY(check_whence(file, whence));
  if (whence == MPI_SEEK_SET) MPII_TRY(find_target(file, offset, whence, 0, &target));
  MPII_TRY(mpii_file_same(file, offset, "the offset"));
  MPII_TRY(mpii_file_same(file, whence, "whence"));
  // No process moves the pointer now: all are in this call.
  const MPI_Offset current = whence == MPI_SEEK_CUR ? mpii_shared_add(file, 0) : 0;
  MPII_TRY(find_target(file, offset, whence, current, &target));
  mpii_shared_set(file, target);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_seek_shared);

int PMPI_File_get_position_shared(MPI_File handle, MPI_Offset* offset) {
  mpii_file_t* file;
  MPII_TRY(mpii_enter_file("MPI_File_get_position_shared", handle, &file));
  MPII_TRY(mpii_check_given(file->comm, offset, "offset"));
  MPII_TRY(mpii_file_not_sequential(file));
  *offset = mpii_shared_add(file, 0);
  return MPI_SUCCESS;
}
MPII_PUBLIC(File_get_position_shared);
