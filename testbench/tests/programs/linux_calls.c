// SPDX-License-Identifier: Apache-2.0
// Directories, sizes of files by name, and memory that grows, moves and is not needed any more: what Linux answers.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int wrong;
#define CHECK(what)                                           \
  do {                                                        \
    if (!(what)) wrong = printf("%d: %s\n", __LINE__, #what); \
  } while (0)

// Linked into a segment that can be written and executed, as some C libraries' own data is.
__asm__(".section .both,\"awx\"\n.globl in_both\n.balign 4\nin_both: .long 7\n.previous");
extern int in_both;

static int names_in(const char* path) {
  DIR* const directory = opendir(path);
  if (directory == NULL) return -1;
  int found = 0;
  for (const struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    if (entry->d_name[0] != '.') found = 10 * found + (entry->d_type == DT_DIR ? 2 : 1);
  }
  closedir(directory);
  return found;
}

static void files(void) {
  char text[64];
  struct stat status;
  CHECK(mkdir("outer", 0700) == 0 && mkdir("outer/inner", 0700) == 0);
  CHECK(getcwd(text, sizeof text) == text && strcmp(text, "/") == 0);
  CHECK(chdir("outer") == 0 && getcwd(text, sizeof text) == text && strcmp(text, "/outer") == 0);
  CHECK(getcwd(text, 6) == NULL && errno == ERANGE);
  const int file = open("file", O_CREAT | O_RDWR, 0600);
  CHECK(file >= 0 && write(file, "12345678", 8) == 8);
  CHECK(truncate("file", 3) == 0 && fstat(file, &status) == 0 && status.st_size == 3);
  CHECK(truncate("none", 3) == -1 && errno == ENOENT);
  CHECK(truncate("file", -1) == -1 && errno == EINVAL);
  CHECK(close(file) == 0 && stat("/outer/file", &status) == 0);
  CHECK(chdir("file") == -1 && errno == ENOTDIR);
  CHECK(chdir("none") == -1 && errno == ENOENT);
  CHECK(chdir((char*)16) == -1 && errno == EFAULT);
  CHECK(names_in(".") == 12 && names_in("inner") == 0 && names_in("/outer") == 12);
  CHECK(chdir("inner/.././inner//") == 0 && getcwd(text, sizeof text) == text && strcmp(text, "/outer/inner") == 0);
  CHECK(rename("../file", "file") == 0 && unlink("file") == 0);
  CHECK(chdir("..") == 0 && rmdir("inner") == 0 && chdir("/") == 0 && rmdir("outer") == 0);
}

static void memory(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 4 * page;
  char* const first = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(first != MAP_FAILED);
  memset(first, 7, size);
  CHECK(madvise(first + page, page, MADV_DONTNEED) == 0);
  CHECK(first[page - 1] == 7 && first[page] == 0 && first[2 * page - 1] == 0 && first[2 * page] == 7);
  CHECK(madvise(first + 1, page, MADV_DONTNEED) == -1 && errno == EINVAL);
  CHECK(mremap(first, size, 2 * page, 0) == first && first[0] == 7);
  CHECK(mremap(first, 2 * page, size, MREMAP_MAYMOVE) == first && first[2 * page] == 0);
  char* const moved = mremap(first, size, 64 * page, MREMAP_MAYMOVE);
  CHECK(moved != MAP_FAILED && moved[0] == 7 && moved[page] == 0 && moved[size] == 0 && moved[64 * page - 1] == 0);
  CHECK(munmap(moved, 64 * page) == 0);
  CHECK(mremap((char*)16, page, 2 * page, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
  CHECK(mremap(moved, page, 2 * page, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT);

  // Memory keeps its protection, and goes where it is told to.
  char* const several = mmap(NULL, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int fixed = MREMAP_MAYMOVE | MREMAP_FIXED;
  char* const there = several + 4 * page;
  memset(several, 9, 8 * page);
  CHECK(mprotect(several, page, PROT_READ) == 0);
  CHECK(mremap(several, 2 * page, 3 * page, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT);
  CHECK(mremap(several, page, 2 * page, fixed, there) == there);
  CHECK(there[0] == 9 && there[page - 1] == 9 && there[page] == 0 && there[2 * page] == 9);
  CHECK(getcwd(there, page) == NULL && errno == EFAULT);
  CHECK(mremap(several, page, page, fixed, there) == MAP_FAILED && errno == EFAULT);
  CHECK(mremap(there, 2 * page, page, fixed, there + page) == MAP_FAILED && errno == EINVAL);
  CHECK(mremap(there, 2 * page, page, 0) == there && there[0] == 9);
  // Ranges with holes, and parts that cannot be written.
  char* const parts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  parts[0] = parts[page] = 5;
  CHECK(mprotect(parts, page, PROT_READ) == 0);
  CHECK(madvise(parts, 2 * page, MADV_DONTNEED) == 0 && parts[0] == 0 && parts[page] == 0);
  parts[3 * page] = 6;
  CHECK(mprotect(parts + page, page, PROT_READ) == 0);
  CHECK(mprotect(parts, page, PROT_READ | PROT_WRITE) == 0);
  CHECK(mremap(parts, 4 * page, 2 * page, 0) == parts && parts[0] == 0);
  CHECK(madvise(parts, 4 * page, MADV_DONTNEED) == -1 && errno == ENOMEM);
  CHECK(munmap(parts, 4 * page) == 0 && munmap(parts, 4 * page) == 0);
  CHECK(mremap(there, page, page, 0) == there);
  // What a file has stays.
  CHECK(mprotect(there, page, PROT_READ | PROT_WRITE) == 0);
  memset(there, 8, page);
  const int file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(write(file, there, page) == (ssize_t)page);
  char* const copy = mmap(NULL, page, PROT_READ, MAP_PRIVATE, file, 0);
  CHECK(copy != MAP_FAILED && madvise(copy, page, MADV_DONTNEED) == 0 && copy[0] == 8);
  CHECK(mremap(copy, page, page, fixed, there + 3 * page) == there + 3 * page);
  CHECK(madvise(there + 3 * page, page, MADV_DONTNEED) == 0 && there[3 * page] == 8);
  CHECK(mmap(copy, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == copy);
  copy[0] = 8;
  CHECK(madvise(copy, page, MADV_DONTNEED) == 0 && copy[0] == 0);
  CHECK(close(file) == 0 && unlink("mapped") == 0);
  // What has no meaning.
  CHECK(madvise(there, page, 7) == -1 && errno == EINVAL);
  CHECK(madvise(there + 1, page, MADV_NORMAL) == -1 && errno == EINVAL);
  CHECK(mprotect(there, page, 0x100) == -1 && errno == EINVAL);
  CHECK(mmap(NULL, page, PROT_READ, MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
  char* block = NULL;
  for (size_t large = 1 << 20; large <= 16 << 20; large *= 2) {
    block = realloc(block, large);
    block[large - 1] = 1;
    CHECK(large == 1 << 20 || block[large / 2 - 1] == 1);
  }
  free(block);
}

int main(void) {
  files();
  memory();
  in_both += 1;
  CHECK(*(volatile int*)&in_both == 8);
  CHECK(sched_getcpu() >= 0);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
