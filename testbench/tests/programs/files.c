// SPDX-License-Identifier: Apache-2.0
//
// Calls that go to the I/O node: what is written is read back byte for byte, by every rank in a file of its own.
//   files pieces            odd sizes and offsets, by write, pwrite, lseek, read, pread
//   files large BYTES       one write and one read of that many bytes
//   files calls             the other calls, and a path that leads out of the job's directory
//   files directory ENTRIES opendir, readdir and their kin on a directory of that many files
//   files both BYTES        core 1 writes one file while core 0 writes another
//   files leave             core 0 ends the process in the middle of a call of core 1
//   files registers         the kernel's own registers cannot be set by programs
//   files window            a read of the kernel's virtual channel of the tree, which ends the program
//   files time              prints the cycles of a write of 1 byte and of one of 64,000
//   files print LINES       lines on standard output
#define _GNU_SOURCE  // for what is beyond C11
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drivers/bgl/kernel.h"
#include "drivers/bgl/second_core.h"
#include "drivers/bgl/tree.h"

static unsigned rank;

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      printf("rank %u, line %d: %s failed (errno %d)\n", rank, __LINE__, #condition, errno); \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)

static uint8_t byte_at(unsigned salt, uint32_t at) {
  uint32_t mixed = (at + 1u) * 2654435761u ^ (rank * 97u + salt) * 40503u;
  return (uint8_t)(mixed >> 13);
}

static void fill(uint8_t* to, unsigned salt, uint32_t from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) to[i] = byte_at(salt, from + i);
}

static int good(const uint8_t* bytes, unsigned salt, uint32_t from, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (bytes[i] != byte_at(salt, from + i)) return 0;
  }
  return 1;
}

static int own_file(const char* what) {
  char name[64];
  snprintf(name, sizeof name, "%s.%u", what, rank);
  const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(fd >= 3);
  return fd;
}

static void pieces(void) {
  static const uint32_t sizes[] = {1, 15, 207, 208, 209, 239, 240, 241, 447, 448, 449, 1023, 4097};
  enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 8192 };
  uint8_t* const buffer = malloc(LARGEST + 16);
  const int fd = own_file("pieces");
  uint32_t end = 0;
  for (unsigned i = 0; i < SIZES; ++i) {
    uint8_t* const odd = buffer + i % 5;
    fill(odd, 1, end, sizes[i]);
    CHECK(write(fd, odd, sizes[i]) == (ssize_t)sizes[i]);
    end += sizes[i];
  }
  CHECK(lseek(fd, 0, SEEK_CUR) == (off_t)end);
  CHECK(lseek(fd, 0, SEEK_SET) == 0);
  uint32_t at = 0;
  for (unsigned i = SIZES; i-- > 0; at += sizes[i]) {
    CHECK(read(fd, buffer + 3, sizes[i]) == (ssize_t)sizes[i]);
    CHECK(good(buffer + 3, 1, at, sizes[i]));
  }
  CHECK(at == end && read(fd, buffer, 10) == 0);
  for (unsigned i = 0; i < SIZES; ++i) {
    const uint32_t offset = 333u * i + 7u;
    CHECK(pread(fd, buffer + 1, 241, (off_t)offset) == 241);
    CHECK(good(buffer + 1, 1, offset, 241));
  }
  // A hole, and beyond it.
  fill(buffer, 1, end + 1001, 77);
  CHECK(pwrite(fd, buffer, 77, (off_t)end + 1001) == 77);
  memset(buffer, 1, LARGEST);
  CHECK(pread(fd, buffer, LARGEST, (off_t)end) == 1078);
  for (unsigned i = 0; i < 1001; ++i) CHECK(buffer[i] == 0);
  CHECK(good(buffer + 1001, 1, end + 1001, 77));
  struct stat status;
  CHECK(fstat(fd, &status) == 0 && status.st_size == (off_t)end + 1078);
  CHECK(close(fd) == 0);
  errno = 0;
  CHECK(read(fd, buffer, 1) == -1 && errno == EBADF);
}

static void large(uint32_t bytes) {
  uint8_t* const buffer = malloc(bytes);
  const int fd = own_file("large");
  fill(buffer, 2, 0, bytes);
  CHECK(write(fd, buffer, bytes) == (ssize_t)bytes);
  memset(buffer, 0, bytes);
  CHECK(lseek(fd, 0, SEEK_SET) == 0);
  CHECK(read(fd, buffer, bytes) == (ssize_t)bytes);
  CHECK(good(buffer, 2, 0, bytes));
  CHECK(close(fd) == 0);
}

/// Paths that begin in an open directory, in dir.RANK, which holds "file".
static void relative_to_a_directory(void) {
  char name[64];
  struct stat status;
  snprintf(name, sizeof name, "dir.%u", rank);
  const int directory = open(name, O_RDONLY | O_DIRECTORY);
  CHECK(fstatat(directory, "file", &status, 0) == 0 && status.st_size == 5);
  CHECK(mkdirat(directory, "below", 0755) == 0);
  const int below = openat(directory, "below", O_RDONLY | O_DIRECTORY);
  CHECK(faccessat(below, "../file", R_OK, 0) == 0);
  const int fd = openat(below, "new", O_WRONLY | O_CREAT, 0644);
  CHECK(fd > below && openat(fd, "file", O_RDONLY) == -1 && errno == ENOTDIR && close(fd) == 0);
  snprintf(name, sizeof name, "/dir.%u/below/new", rank);
  CHECK(stat(name, &status) == 0 && fstatat(below, name, &status, 0) == 0);
  CHECK(openat(below, "../../../outside", O_RDONLY) == -1 && errno == EACCES);
  CHECK(unlinkat(below, "new", 0) == 0 && unlinkat(directory, "below", AT_REMOVEDIR) == 0);
  CHECK(openat(999, "file", O_RDONLY) == -1 && errno == EBADF);
  CHECK(openat(1, "file", O_RDONLY) == -1 && errno == ENOTDIR);
  CHECK(close(below) == 0 && close(directory) == 0);
}

/// A directory that is open stays the same one where its removal was refused and its name has changed.
static void renamed_while_open(void) {
  char name[64], other[64], file[80];
  snprintf(name, sizeof name, "open.%u", rank);
  snprintf(other, sizeof other, "then.%u", rank);
  snprintf(file, sizeof file, "%s/file", name);
  CHECK(mkdir(name, 0755) == 0);
  CHECK(close(open(file, O_WRONLY | O_CREAT, 0600)) == 0);
  const int directory = open(name, O_RDONLY | O_DIRECTORY);
  CHECK(rmdir(name) == -1 && errno == ENOTEMPTY);
  CHECK(rename(name, other) == 0);
  CHECK(faccessat(directory, "file", F_OK, 0) == 0 && unlinkat(directory, "file", 0) == 0);
  CHECK(rmdir(other) == 0 && close(directory) == 0);
}

static void calls(void) {
  char name[64], other[64];
  struct stat status;
  snprintf(name, sizeof name, "dir.%u", rank);
  CHECK(mkdir(name, 0755) == 0 && stat(name, &status) == 0 && S_ISDIR(status.st_mode));
  snprintf(other, sizeof other, "dir.%u/file", rank);
  int fd = open(other, O_WRONLY | O_CREAT, 0600);
  CHECK(fd >= 3 && write(fd, "12345", 5) == 5 && ftruncate(fd, 3) == 0 && close(fd) == 0);
  CHECK(stat(other, &status) == 0 && status.st_size == 3 && access(other, R_OK) == 0);
  fd = open(other, O_WRONLY | O_APPEND);
  CHECK(fcntl(fd, F_GETFL) == (O_WRONLY | O_APPEND));
  const int copy = dup(fd);
  CHECK(copy > fd && write(copy, "67", 2) == 2 && close(copy) == 0 && close(fd) == 0);
  // To the end from now on, and no more.
  fd = open(other, O_RDWR);
  CHECK(fcntl(fd, F_SETFL, O_APPEND) == 0 && fcntl(fd, F_GETFL) == (O_RDWR | O_APPEND) && write(fd, "8", 1) == 1);
  CHECK(fcntl(fd, F_SETFL, 0) == 0 && fcntl(fd, F_GETFL) == O_RDWR);
  char back[8] = "";
  CHECK(pread(fd, back, sizeof back, 0) == 6 && memcmp(back, "123678", 6) == 0);
  CHECK(lseek(fd, 5, SEEK_SET) == 5 && ftruncate(fd, 5) == 0 && close(fd) == 0);
  relative_to_a_directory();
  snprintf(name, sizeof name, "moved.%u", rank);
  CHECK(rename(other, name) == 0 && stat(name, &status) == 0 && status.st_size == 5 && unlink(name) == 0);
  snprintf(name, sizeof name, "dir.%u", rank);
  CHECK(rmdir(name) == 0);
  renamed_while_open();
  errno = 0;
  CHECK(open("../outside", O_RDONLY) == -1 && errno == EACCES);
  CHECK(mkdir("../outside.d", 0755) == -1 && errno == EACCES);
  CHECK(open("/etc/passwd", O_RDONLY) == -1 && errno == ENOENT);
  static char path[5000];
  memset(path, 'x', sizeof path - 1);
  CHECK(open(path, O_RDONLY) == -1 && errno == ENAMETOOLONG);
}

/// The names and kinds that a fresh directory must show, in order.
static void expect_entries(DIR* directory, uint32_t files) {
  char name[64];
  for (uint32_t at = 0; at < files + 3; ++at) {
    const struct dirent* entry = readdir(directory);
    CHECK(entry != NULL);
    snprintf(name, sizeof name, "file number %04u", at - 2);
    const char* right = at == 0 ? "." : at == 1 ? ".." : at == files + 2 ? "zone" : name;
    CHECK(strcmp(entry->d_name, right) == 0);
    CHECK(entry->d_type == (at < 2 || at == files + 2 ? DT_DIR : DT_REG));
    CHECK(entry->d_ino != 0);
  }
  errno = 0;
  CHECK(readdir(directory) == NULL && errno == 0);
}

static void directories(uint32_t files) {
  char name[300];
  snprintf(name, sizeof name, "list.%u", rank);
  CHECK(mkdir(name, 0755) == 0);
  snprintf(name, sizeof name, "list.%u/zone", rank);
  CHECK(mkdir(name, 0755) == 0);
  for (uint32_t i = files; i-- > 0;) {  // the last name first
    snprintf(name, sizeof name, "list.%u/file number %04u", rank, i);
    const int fd = open(name, O_WRONLY | O_CREAT, 0644);
    CHECK(fd >= 3 && close(fd) == 0);
  }
  snprintf(name, sizeof name, "list.%u", rank);
  DIR* directory = opendir(name);
  CHECK(directory != NULL);
  expect_entries(directory, files);
  rewinddir(directory);
  CHECK(readdir(directory) != NULL && readdir(directory) != NULL);
  const long third = telldir(directory);
  const struct dirent* entry = readdir(directory);
  CHECK(entry != NULL && strcmp(entry->d_name, files != 0 ? "file number 0000" : "zone") == 0);
  struct stat status;
  snprintf(name, sizeof name, "list.%u/%s", rank, entry->d_name);
  CHECK(stat(name, &status) == 0 && status.st_ino == entry->d_ino);
  while (readdir(directory) != NULL) {
  }
  seekdir(directory, third);
  entry = readdir(directory);
  CHECK(entry != NULL && strcmp(entry->d_name, files != 0 ? "file number 0000" : "zone") == 0);
  // What is new shows from the beginning on.
  snprintf(name, sizeof name, "list.%u/file number %04u", rank, files);
  const int fd = open(name, O_WRONLY | O_CREAT, 0644);
  rewinddir(directory);
  expect_entries(directory, files + 1);
  CHECK(closedir(directory) == 0);

  // By the call itself: pieces, of which none has room for two entries; too small for one; no directory.
  static _Alignas(8) uint8_t piece[40];
  snprintf(name, sizeof name, "list.%u", rank);
  const int listed = open(name, O_RDONLY | O_DIRECTORY);
  CHECK(listed >= 3);
  uint32_t found = 0;
  while (syscall(SYS_getdents64, listed, piece, sizeof piece) > 0) ++found;
  CHECK(found == files + 4);
  CHECK(lseek(listed, 0, SEEK_SET) == 0);
  CHECK(syscall(SYS_getdents64, listed, piece, 23) == -1 && errno == EINVAL);
  CHECK(syscall(SYS_getdents64, fd, piece, sizeof piece) == -1 && errno == ENOTDIR);
  CHECK(syscall(SYS_getdents64, 1, piece, sizeof piece) == -1 && errno == ENOTDIR);
  CHECK(syscall(SYS_getdents64, 999, piece, sizeof piece) == -1 && errno == EBADF);
  CHECK(syscall(SYS_getdents64, listed, 16, sizeof piece) == -1 && errno == EFAULT);
  CHECK(close(listed) == 0 && close(fd) == 0);

  // Nothing is above the job's directory.
  directory = opendir("/");
  CHECK(directory != NULL);
  entry = readdir(directory);
  CHECK(entry != NULL && strcmp(entry->d_name, ".") == 0);
  const ino_t here = entry->d_ino;
  entry = readdir(directory);
  CHECK(entry != NULL && strcmp(entry->d_name, "..") == 0 && entry->d_ino == here);
  CHECK(closedir(directory) == 0);
  CHECK(opendir("/..") == NULL && errno == EACCES);
}

static uint32_t both_bytes;

static void second_writes(void* unused) {
  (void)unused;
  // The C library is the first core's: system calls alone here.
  static uint8_t block[1000];
  for (uint32_t at = 0; at < both_bytes; at += sizeof block) {
    fill(block, 3, at, sizeof block);
    if (write(4, block, sizeof block) != (ssize_t)sizeof block) break;
  }
}

static void both(uint32_t bytes) {
  static char stack[16384] __attribute__((aligned(128)));
  uint8_t* const block = malloc(777);
  const int mine = own_file("mine");
  const int theirs = own_file("theirs");
  CHECK(mine == 3 && theirs == 4);
  both_bytes = bytes / 1000 * 1000;
  CHECK(bgl_second_core_start(second_writes, NULL, stack, sizeof stack) == 0);
  for (uint32_t at = 0; at < bytes; at += 777) {
    fill(block, 4, at, 777);
    CHECK(write(mine, block, 777) == 777);
  }
  while (lseek(theirs, 0, SEEK_END) != (off_t)both_bytes) {
  }
  uint8_t* const back = malloc(bytes + 777);
  CHECK(pread(mine, back, bytes, 0) == (ssize_t)bytes && good(back, 4, 0, bytes));
  CHECK(pread(theirs, back, both_bytes, 0) == (ssize_t)both_bytes && good(back, 3, 0, both_bytes));
}

static void second_writes_large(void* unused) {
  (void)unused;
  static uint8_t block[100000];
  fill(block, 5, 0, sizeof block);
  while (write(3, block, sizeof block) > 0) {
  }
}

static void leave(void) {
  static char stack[16384] __attribute__((aligned(128)));
  CHECK(own_file("left") == 3);
  CHECK(bgl_second_core_start(second_writes_large, NULL, stack, sizeof stack) == 0);
  const uint64_t begin = bgl_timebase();
  while (bgl_timebase() < begin + 3000000 + 1000 * rank) {
  }
}

static void registers(void) {
  static const uint32_t kernels[] = {TREE_DCR_CLASSES_OFFSET + 6, TREE_DCR_CLASSES_OFFSET + 7,
                                     TREE_DCR_NODE_ADDRESS_OFFSET, TREE_DCR_VC_CONFIGURATION_OFFSET + 1};
  uint32_t value = 0;
  for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; ++i) {
    CHECK(bgl_system_call(TOROID_SYS_DCR_READ, BGL_TREE_DCR_BASE + kernels[i], 0, 0, &value) == 0);
    CHECK(bgl_system_call(TOROID_SYS_DCR_WRITE, BGL_TREE_DCR_BASE + kernels[i], 0, 0, &value) == EINVAL);
  }
  CHECK(bgl_system_call(TOROID_SYS_DCR_WRITE, BGL_TREE_DCR_BASE + TREE_DCR_CLASSES_OFFSET + 5, 0, 0, &value) == 0);
  printf("good\n");
}

static void times(void) {
  static uint8_t block[64000];
  const int fd = own_file("time");
  uint64_t begin = bgl_timebase();
  CHECK(write(fd, block, 1) == 1);
  const uint64_t one = bgl_timebase() - begin;
  begin = bgl_timebase();
  CHECK(write(fd, block, sizeof block) == (ssize_t)sizeof block);
  printf("%llu %llu\n", (unsigned long long)one, (unsigned long long)(bgl_timebase() - begin));
}

int main(int argc, char** argv) {
  struct toroid_personality me;
  if (argc < 2 || bgl_get_personality(&me) != 0) return 2;
  rank = me.rank;
  const uint32_t number = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 1000;
  if (strcmp(argv[1], "pieces") == 0) {
    pieces();
  } else if (strcmp(argv[1], "large") == 0) {
    large(number);
  } else if (strcmp(argv[1], "calls") == 0) {
    calls();
  } else if (strcmp(argv[1], "directory") == 0) {
    directories(number);
  } else if (strcmp(argv[1], "both") == 0) {
    both(number);
  } else if (strcmp(argv[1], "leave") == 0) {
    leave();
  } else if (strcmp(argv[1], "registers") == 0) {
    registers();
  } else if (strcmp(argv[1], "window") == 0) {
    bgl_tree_status(1);
  } else if (strcmp(argv[1], "time") == 0) {
    times();
  } else if (strcmp(argv[1], "print") == 0) {
    for (uint32_t line = 0; line < number; ++line) {
      printf("line %u of rank %u\n", line, rank);
      fflush(stdout);
    }
  } else {
    return 2;
  }
  return 0;
}
