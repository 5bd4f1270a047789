// SPDX-License-Identifier: Apache-2.0
// Views and file pointers as programs set and ask for them.
#include <string.h>

#include "firmware/mpi/agree.h"
#include "firmware/mpi/collective.h"
#include "firmware/mpi/file.h"
#include "firmware/mpi/file_storage.h"

/// With MPI_MODE_SEQUENTIAL a view begins where the shared pointer is, else where the program says.
static int find_displacement(bglmpi_file_t* file, MPI_Offset* displacement) {
  const bool current = *displacement == MPI_DISPLACEMENT_CURRENT;
  if ((file->amode & MPI_MODE_SEQUENTIAL) == 0) {
    if (!current) return MPI_SUCCESS;
    return bglmpi_fail(file->comm, MPI_ERR_ARG, "MPI_DISPLACEMENT_CURRENT is for files of MPI_MODE_SEQUENTIAL");
  }
  if (!current) {
    return bglmpi_fail(file->comm, MPI_ERR_ARG,
                       "the displacement in a file of MPI_MODE_SEQUENTIAL must be "
                       "MPI_DISPLACEMENT_CURRENT");
  }
  bglmpi_agree_max(file->comm, 0);  // until all have done what comes before
  if (file->comm->rank == 0) {
    *displacement = bglmpi_view_place(&file->view, bglmpi_shared_add(file, 0) * file->view.etype->size);
  }
  bglmpi_spread(file->comm, 0, displacement, sizeof *displacement);
  return MPI_SUCCESS;
}

int PMPI_File_set_view(MPI_File handle, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                       const char* datarep, MPI_Info info_handle) {
  bglmpi_file_t* file;
  bglmpi_view_t view;
  struct bglmpi_info* info = NULL;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_set_view", handle, &file));
  BGLMPI_TRY(bglmpi_check_given(file->comm, datarep, "datarep"));
  if (info_handle != MPI_INFO_NULL) BGLMPI_TRY(bglmpi_info(file->comm, info_handle, &info));
  BGLMPI_TRY(find_displacement(file, &displacement));
  const bool written = (file->amode & MPI_MODE_RDONLY) == 0;
  BGLMPI_TRY(bglmpi_view_make(file->comm, displacement, etype, filetype, datarep, written, &view));
  bglmpi_view_free(&file->view);
  file->view = view;
  file->position = 0;
  bglmpi_aggregators_choose(file, info);
  bglmpi_shared_set(file, 0);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_set_view);

int PMPI_File_get_view(MPI_File handle, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                       char* datarep) {
  bglmpi_file_t* file;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_get_view", handle, &file));
  BGLMPI_TRY(bglmpi_check_given(file->comm, displacement, "displacement"));
  BGLMPI_TRY(bglmpi_check_given(file->comm, etype, "etype"));
  BGLMPI_TRY(bglmpi_check_given(file->comm, filetype, "filetype"));
  BGLMPI_TRY(bglmpi_check_given(file->comm, datarep, "datarep"));
  *displacement = file->view.displacement;
  *etype = bglmpi_datatype_open(file->view.etype);
  *filetype = bglmpi_datatype_open(file->view.filetype);
  strcpy(datarep, file->view.datarep);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_get_view);

// ---------------------------------------------------------------------------------------------------------------

static int check_whence(const bglmpi_file_t* file, int whence) {
  if (whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END) return MPI_SUCCESS;
  return bglmpi_fail(file->comm, MPI_ERR_ARG, "whence is %d; it is MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence);
}

/// Where a seek goes to, in etypes.
static int find_target(bglmpi_file_t* file, MPI_Offset offset, int whence, MPI_Offset current, MPI_Offset* target) {
  *target = offset;
  if (whence == MPI_SEEK_CUR) {
    *target += current;
  } else if (whence == MPI_SEEK_END) {
    MPI_Offset size;
    const int error = bglmpi_storage_size(file->descriptor, &size);
    if (error != 0) return bglmpi_file_fail(file->comm, error, file->path);
    const MPI_Offset etype = file->view.etype->size;
    *target += (bglmpi_view_position(&file->view, size) + etype - 1) / etype;
  }
  if (*target >= 0) return MPI_SUCCESS;
  return bglmpi_fail(file->comm, MPI_ERR_ARG, "a seek to %lld, before the beginning of the view", *target);
}

int PMPI_File_seek(MPI_File handle, MPI_Offset offset, int whence) {
  bglmpi_file_t* file;
  MPI_Offset target;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_seek", handle, &file));
  BGLMPI_TRY(bglmpi_file_not_sequential(file));
  BGLMPI_TRY(check_whence(file, whence));
  BGLMPI_TRY(find_target(file, offset, whence, file->position, &target));
  file->position = target;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_seek);

int PMPI_File_get_position(MPI_File handle, MPI_Offset* offset) {
  bglmpi_file_t* file;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_get_position", handle, &file));
  BGLMPI_TRY(bglmpi_check_given(file->comm, offset, "offset"));
  BGLMPI_TRY(bglmpi_file_not_sequential(file));
  *offset = file->position;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_get_position);

int PMPI_File_get_byte_offset(MPI_File handle, MPI_Offset offset, MPI_Offset* byte) {
  bglmpi_file_t* file;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_get_byte_offset", handle, &file));
  BGLMPI_TRY(bglmpi_check_given(file->comm, byte, "byte"));
  BGLMPI_TRY(bglmpi_file_not_sequential(file));
  if (offset < 0) return bglmpi_fail(file->comm, MPI_ERR_ARG, "the offset is %lld; it must be 0 or more", offset);
  *byte = bglmpi_view_place(&file->view, offset * file->view.etype->size);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_get_byte_offset);

int PMPI_File_seek_shared(MPI_File handle, MPI_Offset offset, int whence) {
  bglmpi_file_t* file;
  MPI_Offset target;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_seek_shared", handle, &file));
  BGLMPI_TRY(bglmpi_file_not_sequential(file));
  // What is wrong by itself is refused before the others are asked.
  BGLMPI_TRY(check_whence(file, whence));
  if (whence == MPI_SEEK_SET) BGLMPI_TRY(find_target(file, offset, whence, 0, &target));
  BGLMPI_TRY(bglmpi_file_same(file, offset, "the offset"));
  BGLMPI_TRY(bglmpi_file_same(file, whence, "whence"));
  // Nobody moves the pointer now: all are here.
  const MPI_Offset current = whence == MPI_SEEK_CUR ? bglmpi_shared_add(file, 0) : 0;
  BGLMPI_TRY(find_target(file, offset, whence, current, &target));
  bglmpi_shared_set(file, target);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_seek_shared);

int PMPI_File_get_position_shared(MPI_File handle, MPI_Offset* offset) {
  bglmpi_file_t* file;
  BGLMPI_TRY(bglmpi_enter_file("MPI_File_get_position_shared", handle, &file));
  BGLMPI_TRY(bglmpi_check_given(file->comm, offset, "offset"));
  BGLMPI_TRY(bglmpi_file_not_sequential(file));
  *offset = bglmpi_shared_add(file, 0);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(File_get_position_shared);
