// SPDX-License-Identifier: Apache-2.0
/// Views of files. The bytes that a view shows are numbered from 0 on, in the order of the filetype: a position. A
/// cursor goes through the pieces of the file that they are. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_FILE_VIEW_H
#define TOROID_FIRMWARE_MPI_FILE_VIEW_H

#include "firmware/mpi/comm.h"
#include "firmware/mpi/datatype.h"

typedef struct {
  MPI_Offset displacement;
  mpii_datatype_t* etype;
  mpii_datatype_t* filetype;
  const char* datarep;
  MPI_Offset* before;  ///< bytes that the filetype shows before each of its blocks, and last of all of it
  bool rising;         ///< a greater position is further behind in the file
} mpii_view_t;

/// Check a view of a file, which is open for writing or not, and make it of datatypes, which it retains.
int mpii_view_make(mpii_comm_t* comm, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                   const char* datarep, bool written, mpii_view_t* view);
void mpii_view_free(mpii_view_t* view);

/// The place in the file of a position; and the bytes that a view shows before a place of the file.
MPI_Offset mpii_view_place(const mpii_view_t* view, MPI_Offset position);
MPI_Offset mpii_view_position(const mpii_view_t* view, MPI_Offset place);

typedef struct {
  const mpii_view_t* view;
  MPI_Offset tile;  ///< where the filetype begins this time
  uint32_t number;  ///< of its block
  size_t within;    ///< bytes of the block that are behind
  MPI_Offset left;  ///< bytes to come
} mpii_cursor_t;

/// From `position` on, `bytes` bytes.
void mpii_cursor_begin(mpii_cursor_t* cursor, const mpii_view_t* view, MPI_Offset position, MPI_Offset bytes);
/// The bytes that are contiguous from here on, no more than `most`, and where; 0 at the end. Goes on behind them.
MPI_Offset mpii_cursor_next(mpii_cursor_t* cursor, MPI_Offset most, MPI_Offset* place);

#endif
