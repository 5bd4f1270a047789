// SPDX-License-Identifier: Apache-2.0
/// The storage of files: the C library's calls, which the kernel ships to the I/O nodes. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_FILE_STORAGE_H
#define TOROID_FIRMWARE_MPI_FILE_STORAGE_H

#include "firmware/mpi/mpi.h"

/// Functions return 0 or an errno unless documented otherwise.

/// `flags` are those of MPI_File_open(), of which the access mode counts; `create` creates the file if there is none,
/// `exclusive` fails if there is one.
int mpii_storage_open(const char* path, int amode, int create, int exclusive, int* descriptor);
int mpii_storage_close(int descriptor);
int mpii_storage_delete(const char* path);
int mpii_storage_size(int descriptor, MPI_Offset* size);
int mpii_storage_truncate(int descriptor, MPI_Offset size);

/// All of it, or up to the end of the file; *done says how many bytes, after an error as well.
int mpii_storage_read(int descriptor, MPI_Offset at, void* to, size_t bytes, size_t* done);
int mpii_storage_write(int descriptor, MPI_Offset at, const void* from, size_t bytes, size_t* done);

/// The error class of an errno.
int mpii_storage_class(int error);

/// The number of this process's processing set: the processes whose I/O node is the same.
int mpii_storage_set(void);

#endif
