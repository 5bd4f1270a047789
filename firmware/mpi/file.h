// SPDX-License-Identifier: Apache-2.0
/// The library's representation of files. Each has a communicator of its own, for the messages of collective access and
/// for the file's error handler. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_FILE_H
#define TOROID_FIRMWARE_MPI_FILE_H

#include "firmware/mpi/file_hints.h"
#include "firmware/mpi/file_view.h"
#include "firmware/mpi/request.h"

/// A split collective access that has begun.
typedef enum {
  MPII_NO_SPLIT,
  MPII_SPLIT_READ_AT,
  MPII_SPLIT_READ,
  MPII_SPLIT_READ_ORDERED,
  MPII_SPLIT_WRITE_AT,
  MPII_SPLIT_WRITE,
  MPII_SPLIT_WRITE_ORDERED
} mpii_split_t;

typedef struct {
  mpii_object_t object;
  mpii_comm_t* comm;  ///< its errors are the file's, its name the file's path
  int descriptor;
  int amode;
  char* path;
  int* sets;  ///< the processing set of each rank
  mpii_hints_t hints;
  int* aggregators;  ///< ranks, as many as the hints say
  mpii_view_t view;
  MPI_Offset position;  ///< this process's pointer, in etypes
  bool atomic;
  mpii_split_t split;
  uint32_t split_bytes;  ///< what the split access has read or written
  // The shared pointer, in etypes, is rank 0's part of a window. A process alone has no window.
  MPI_Win window;
  MPI_Offset* shared;
  MPI_Offset alone;
#if MPIT_THREADS
  bool locked;  ///< a thread has locked the window, or wants to
#endif
} mpii_file_t;

/// Begin a call on a file: MPII_TRY(mpii_enter_file("MPI_File_read", handle, &file)).
int mpii_enter_file(const char* function, MPI_File handle, mpii_file_t** file);

/// Report an errno of the file system, about a file.
int mpii_file_fail(mpii_comm_t* comm, int error, const char* path);

/// In a collective call: an errno that some process has found, the same at all; 0 if there is none. All wait for
/// all.
int mpii_file_agree(mpii_file_t* file, int error);

/// MPI_ERR_NOT_SAME at all processes if a number is not the same at all. All wait for all.
int mpii_file_same(mpii_file_t* file, MPI_Offset number, const char* what);

/// MPI_ERR_UNSUPPORTED_OPERATION if a file was opened with MPI_MODE_SEQUENTIAL.
int mpii_file_not_sequential(mpii_file_t* file);

// Accesses. -----------------------------------------------------------------------------------------------------------

typedef struct {
  bool write;
  void* buffer;
  uint32_t count;
  mpii_datatype_t* datatype;
  uint32_t bytes;
  MPI_Offset position;  ///< in the view, in bytes
} mpii_access_range_t;

/// By this process alone. Returns an errno; *done: bytes that were read or written, from the beginning on.
int mpii_file_transfer(mpii_file_t* file, const mpii_access_range_t* range, uint32_t* done);
/// By all processes together. Collective, as is all that follows here.
int mpii_file_transfer_all(mpii_file_t* file, const mpii_access_range_t* range, uint32_t* done);

/// Take over hints, which are rank 0's, and choose who accesses the file for the others.
void mpii_aggregators_choose(mpii_file_t* file, const struct mpii_info* info);

// The shared pointer. -------------------------------------------------------------------------------------------------

/// Make it, and give it back; collective.
void mpii_shared_open(mpii_file_t* file, const struct mpii_info* info);
void mpii_shared_close(mpii_file_t* file);
/// Advance it by this number of etypes; returns its former value.
MPI_Offset mpii_shared_add(mpii_file_t* file, MPI_Offset etypes);
/// The same by all processes, in the order of their ranks.
MPI_Offset mpii_shared_add_ordered(mpii_file_t* file, MPI_Offset etypes);
/// Set it, when all processes have called this; all return when it is set.
void mpii_shared_set(mpii_file_t* file, MPI_Offset etypes);

/// Exclude all other accesses to an atomic file; those that only read do not exclude each other.
void mpii_file_lock(mpii_file_t* file, bool write);
void mpii_file_unlock(mpii_file_t* file);

#endif
