// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "firmware/mpi/file_storage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "firmware/mpi/transport.h"

_Static_assert(sizeof(off_t) == sizeof(MPI_Offset), "files of any size");

int mpii_storage_open(const char* path, int amode, int create, int exclusive, int* descriptor) {
  int flags = O_RDWR;
  if ((amode & MPI_MODE_RDONLY) != 0) flags = O_RDONLY;
  if ((amode & MPI_MODE_WRONLY) != 0) flags = O_WRONLY;
  if (create) flags |= O_CREAT;
  if (exclusive) flags |= O_EXCL;
  *descriptor = open(path, flags, 0666);
  if (*descriptor < 0) return errno;
  struct stat status;  // a directory may be opened for reading
  int error = fstat(*descriptor, &status) != 0 ? errno : 0;
  if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
  if (error != 0) close(*descriptor);
  return error;
}

int mpii_storage_close(int descriptor) {
  return close(descriptor) == 0 ? 0 : errno;
}

int mpii_storage_delete(const char* path) {
  return unlink(path) == 0 ? 0 : errno;
}

int mpii_storage_size(int descriptor, MPI_Offset* size) {
  struct stat status;
  *size = 0;
  if (fstat(descriptor, &status) != 0) return errno;
  *size = status.st_size;
  return 0;
}

int mpii_storage_truncate(int descriptor, MPI_Offset size) {
  return ftruncate(descriptor, size) == 0 ? 0 : errno;
}

int mpii_storage_read(int descriptor, MPI_Offset at, void* to, size_t bytes, size_t* done) {
  *done = 0;
  while (*done < bytes) {
    const ssize_t got = pread(descriptor, (char*)to + *done, bytes - *done, at + (MPI_Offset)*done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    *done += (size_t)got;
  }
  return 0;
}

int mpii_storage_write(int descriptor, MPI_Offset at, const void* from, size_t bytes, size_t* done) {
  *done = 0;
  while (*done < bytes) {
    const ssize_t put = pwrite(descriptor, (const char*)from + *done, bytes - *done, at + (MPI_Offset)*done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    if (put == 0) return ENOSPC;
    *done += (size_t)put;
  }
  return 0;
}

int mpii_storage_class(int error) {
  switch (error) {
    case 0:
      return MPI_SUCCESS;
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case ENOSPC:
    case EFBIG:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case ETXTBSY:
    case EBUSY:
      return MPI_ERR_FILE_IN_USE;
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOTDIR:
      return MPI_ERR_BAD_FILE;
    default:
      return MPI_ERR_IO;
  }
}

int mpii_storage_set(void) {
  return (int)mpit_io_set();
}
