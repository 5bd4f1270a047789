// SPDX-License-Identifier: Apache-2.0
//
// System calls with bad arguments and of all kinds; every line printed is a check that came out as it should or not.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "hw/kernel/kernel_abi.h"

static int failures;

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      printf("line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
      ++failures;                                                      \
    }                                                                  \
  } while (0)
#define FAILS(call, error)   \
  do {                       \
    errno = 0;               \
    CHECK((call) == -1);     \
    CHECK(errno == (error)); \
  } while (0)

#define BAD ((void*)0x70000000)

static void pointers(void) {
  int fd = open("/file", O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(fd >= 3);
  CHECK(write(fd, "0123456789", 10) == 10);
  FAILS(syscall(SYS_write, 1, BAD, 5), EFAULT);
  FAILS(syscall(SYS_write, 1, 0, 5), EFAULT);
  FAILS(syscall(SYS_write, fd, BAD, 5), EFAULT);
  FAILS(syscall(SYS_write, fd, 0xB1140000, 4), EFAULT);
  FAILS(syscall(SYS_read, fd, BAD, 5), EFAULT);
  FAILS(syscall(SYS_read, fd, (void*)&pointers, 5), EFAULT);
  FAILS(syscall(SYS_write, fd, (void*)&pointers, 0xF0000000), EFAULT);
  FAILS(syscall(SYS_writev, 1, BAD, 2), EFAULT);
  struct iovec vector = {BAD, 3};
  FAILS(syscall(SYS_writev, 1, &vector, 1), EFAULT);
  FAILS(syscall(SYS_readv, fd, &vector, 1), EFAULT);
  FAILS(syscall(SYS_writev, 1, &vector, 5000), EINVAL);
  FAILS(syscall(SYS_open, BAD, 0, 0), EFAULT);
  FAILS(syscall(SYS_stat64, "/file", BAD), EFAULT);
  FAILS(syscall(SYS_fstat64, fd, BAD), EFAULT);
  FAILS(syscall(SYS_uname, BAD), EFAULT);
  FAILS(syscall(SYS_clock_gettime, 0, BAD), EFAULT);
  FAILS(syscall(SYS_clock_gettime, 99, &vector), EINVAL);
  FAILS(syscall(SYS_gettimeofday, BAD, 0), EFAULT);
  FAILS(syscall(SYS_nanosleep, BAD, 0), EFAULT);
  FAILS(syscall(SYS_getcwd, BAD, 100), EFAULT);
  FAILS(syscall(SYS_getrandom, BAD, 100, 0), EFAULT);
  FAILS(syscall(SYS__llseek, fd, 0, 0, BAD, 0), EFAULT);
  FAILS(syscall(SYS_futex, BAD, 0, 0, 0), EFAULT);
  FAILS(syscall(SYS_munmap, 0x70000000, 4096), EINVAL);
  FAILS(syscall(SYS_munmap, 0x10000001, 4096), EINVAL);
  FAILS(syscall(SYS_mprotect, 0x70000000, 4096, 1), ENOMEM);
  FAILS(syscall(TOROID_SYS_GET_PERSONALITY, BAD, 16), EFAULT);
  FAILS(syscall(TOROID_SYS_GET_MAP, BAD, 0, 1), EFAULT);
  FAILS(syscall(TOROID_SYS_GET_MAP, BAD, 1000, 1), EINVAL);
  FAILS(syscall(9999, 1, 2), ENOSYS);
  FAILS(syscall(SYS_write, 77, "x", 1), EBADF);
  FAILS(syscall(SYS_close, 77), EBADF);
  CHECK(close(fd) == 0);
  CHECK(unlink("/file") == 0);
}

/// No call takes a path that leads out of the job's directory: over "..", however it is written, or a symbolic link.
static void paths_that_lead_out(void) {
  static const char* const out[] = {"..",
                                    "../passwd",
                                    "/../passwd",
                                    "../job/inside/file",
                                    "inside/../..",
                                    "./.././passwd",
                                    "inside/../../etc/new",
                                    "../../../../../../etc/passwd",
                                    "directory_link",
                                    "directory_link/passwd"};
  struct stat status;
  char text[64];
  for (unsigned i = 0; i < sizeof out / sizeof *out; ++i) {
    // The last component of a path is not followed by those calls that are about a link itself.
    const int link = strcmp(out[i], "directory_link") == 0;
    FAILS(open(out[i], O_RDONLY), EACCES);
    FAILS(open(out[i], O_WRONLY | O_CREAT, 0644), EACCES);
    FAILS(creat(out[i], 0644), EACCES);
    FAILS(stat(out[i], &status), EACCES);
    FAILS(access(out[i], F_OK), EACCES);
    if (link) continue;
    FAILS(open(out[i], O_WRONLY | O_CREAT | O_EXCL, 0644), EACCES);
    FAILS(lstat(out[i], &status), EACCES);
    FAILS(mkdir(out[i], 0755), EACCES);
    FAILS(rmdir(out[i]), EACCES);
    FAILS(unlink(out[i]), EACCES);
    FAILS(rename("inside/file", out[i]), EACCES);
    FAILS(rename(out[i], "taken"), EACCES);
    FAILS(readlink(out[i], text, sizeof text), EACCES);
  }
  FAILS(open("relative_link", O_RDONLY), EACCES);
  FAILS(rename("inside/file", "directory_link/file"), EACCES);
  FAILS(chdir(".."), EACCES);
  FAILS(chdir("directory_link"), EACCES);
  FAILS(truncate("../passwd", 0), EACCES);
  // Calls that there are none of lead nowhere.
  FAILS(symlink("../passwd", "link"), ENOSYS);
  FAILS(link("inside/file", "../link"), ENOSYS);
  FAILS(chmod("../passwd", 0), ENOSYS);
}

static void descriptors(void) {
  const int fd = open("two", O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(fd == 3);
  CHECK(dup2(fd, 20) == 20 && write(20, "ab", 2) == 2 && write(fd, "cd", 2) == 2);
  CHECK(dup2(fd, fd) == fd && lseek(20, 0, SEEK_CUR) == 4);
  CHECK(fcntl(fd, F_DUPFD, 20) == 21 && fcntl(fd, F_DUPFD, 0) == 4 && fcntl(fd, F_DUPFD_CLOEXEC, 100) == 100);
  const int other = open("three", O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(other == 5 && dup3(other, 20, O_CLOEXEC) == 20 && write(20, "e", 1) == 1);
  CHECK(lseek(fd, 0, SEEK_END) == 4 && lseek(other, 0, SEEK_END) == 1);
  FAILS(dup2(77, 6), EBADF);
  FAILS(dup2(fd, 5000), EBADF);
  FAILS(dup2(fd, -1), EBADF);
  FAILS(dup3(fd, fd, 0), EINVAL);
  FAILS(dup3(fd, 6, 1), EINVAL);
  FAILS(fcntl(fd, F_DUPFD, 5000), EINVAL);
  FAILS(fcntl(fd, F_DUPFD, -1), EINVAL);
  FAILS(write(6, "x", 1), EBADF);
  // Standard output goes into a file, and back to where it went.
  fflush(stdout);
  const int saved = dup(1);
  CHECK(saved == 6 && dup2(fd, 1) == 1);
  printf("into the file\n");
  fflush(stdout);
  CHECK(dup2(saved, 1) == 1 && lseek(fd, 0, SEEK_END) == 18);
  printf("through a copy\n");
  fflush(stdout);
  CHECK(write(saved, "and by it\n", 10) == 10);
  char text[8];
  FAILS(read(saved, text, 1), EBADF);
  FAILS(lseek(saved, 0, SEEK_CUR), ESPIPE);
  // The least free number is taken, also of the standard ones.
  CHECK(close(0) == 0 && open("two", O_RDONLY) == 0 && read(0, text, 4) == 4 && memcmp(text, "abcd", 4) == 0);
  CHECK(close(2) == 0);
  FAILS(write(2, "x", 1), EBADF);
  FAILS(close(2), EBADF);
}

static void files(void) {
  // The job's directory is the root; nothing leads out of it.
  paths_that_lead_out();
  FAILS(open("/etc/passwd", O_RDONLY), ENOENT);
  FAILS(open("absolute_link", O_RDONLY), ENOENT);
  FAILS(open("circle", O_RDONLY), ELOOP);
  FAILS(open("absolute_link", O_WRONLY | O_CREAT | O_TRUNC, 0644), ENOENT);
  char text[64];
  CHECK(getcwd(text, sizeof text) == text && strcmp(text, "/") == 0);
  int fd = open("good_link", O_RDONLY);
  CHECK(fd >= 3);
  CHECK(read(fd, text, sizeof text) == 7 && memcmp(text, "inside\n", 7) == 0);
  CHECK(close(fd) == 0);
  FILE* file = fopen("inside/../new", "w+");
  CHECK(file != NULL);
  CHECK(fprintf(file, "%s %d\n", "line", 12345) == 11);
  rewind(file);
  int number = 0;
  CHECK(fscanf(file, "line %d", &number) == 1 && number == 12345);
  CHECK(fclose(file) == 0);
  struct stat status;
  CHECK(stat("/new", &status) == 0 && status.st_size == 11 && S_ISREG(status.st_mode));
  CHECK(lstat("circle", &status) == 0 && S_ISLNK(status.st_mode));
  CHECK(access("new", R_OK) == 0);
  FAILS(access("not there", R_OK), ENOENT);
  fd = open("new", O_RDWR);
  CHECK(ftruncate(fd, 4) == 0);
  CHECK(fstat(fd, &status) == 0 && status.st_size == 4);
  CHECK(lseek(fd, 0, SEEK_END) == 4);
  CHECK(pread(fd, text, 2, 1) == 2 && memcmp(text, "in", 2) == 0);
  const int copy = dup(fd);
  CHECK(copy > fd && fstat(copy, &status) == 0);
  CHECK(fcntl(fd, F_GETFL) == O_RDWR || (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR);
  CHECK(!isatty(fd) && !isatty(1));
  CHECK(close(fd) == 0 && close(copy) == 0);
  CHECK(mkdir("directory", 0755) == 0 && rmdir("directory") == 0);
  CHECK(rename("new", "renamed") == 0 && unlink("renamed") == 0);
  CHECK(read(0, text, 1) == 0);
}

// Regions are bounded: what would need more fails and changes nothing.
static void regions(void) {
  enum { PAGE = 4096, PAGES = 4200 };
  char* lowest = NULL;
  for (unsigned i = 0; i < PAGES; ++i) {
    char* page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && (lowest == NULL || page == lowest - PAGE));
    *page = (char)i;
    lowest = page;
  }
  unsigned alone = 0;
  while (alone < PAGES / 2 && mprotect(lowest + 2 * alone * PAGE, PAGE, PROT_READ) == 0) ++alone;
  CHECK(errno == ENOMEM && alone > 400 && alone < 600);
  lowest[2 * alone * PAGE] = 1;
  FAILS(syscall(SYS_getrandom, lowest, 1, 0), EFAULT);
  CHECK(mprotect(lowest, PAGES * PAGE, PROT_READ | PROT_WRITE) == 0);
  CHECK(munmap(lowest + PAGE, PAGE) == 0);
  for (unsigned i = 0; i < PAGES; ++i) CHECK(i == 1 || i == 2 * alone || lowest[i * PAGE] == (char)(PAGES - 1 - i));
  CHECK(munmap(lowest, PAGE) == 0 && munmap(lowest + 2 * PAGE, (PAGES - 2) * PAGE) == 0);
}

static void memory(void) {
  char* block = mmap(NULL, 3 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(block != MAP_FAILED);
  memset(block, 1, 3 << 20);
  CHECK(mprotect(block + 4096, 4096, PROT_READ) == 0);
  CHECK(block[4096] == 1 && block[8192] == 1);
  FAILS(syscall(SYS_getrandom, block + 4096, 4, 0), EFAULT);
  CHECK(mprotect(block + 4096, 4096, PROT_READ | PROT_WRITE) == 0);
  block[4096] = 2;
  CHECK(munmap(block + 4096, 4096) == 0);
  FAILS(syscall(SYS_write, 1, block + 4096, 1), EFAULT);
  CHECK(munmap(block, 4096) == 0 && munmap(block + 8192, (3 << 20) - 8192) == 0);
  char* again = mmap(NULL, 3 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(again == block && again[0] == 0 && again[8192] == 0);
  CHECK(mmap(NULL, 0x40000000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  FAILS(mprotect(again, 4096, PROT_READ | PROT_EXEC), EACCES);
  FAILS(mprotect((void*)((uintptr_t)&memory & ~4095u), 4096, PROT_READ | PROT_WRITE), EACCES);
  void* first = sbrk(0);
  CHECK(sbrk(5 << 20) == first);
  memset(first, 3, 5 << 20);
  CHECK(sbrk(-(5 << 20)) != (void*)-1 && sbrk(5 << 20) == first && *(char*)first == 0);
  // Until nothing is left, without harm.
  unsigned blocks = 0;
  while (blocks < 1000 && malloc(1 << 20) != NULL) ++blocks;
  CHECK(blocks > 100 && blocks < 512);
}

// Of a file, a mapping is a copy: of the bytes that there are, with zeros behind them.
static void mappings(void) {
  enum { PAGE = 4096, PIECE = 256 << 10, BYTES = PIECE + 3 * PAGE + 77 };
  const int rw = PROT_READ | PROT_WRITE;
  const int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0644);
  char* const bytes = malloc(BYTES);
  for (int i = 0; i < BYTES; ++i) bytes[i] = (char)(i * 7 + i / 251);
  CHECK(fd >= 0 && write(fd, bytes, BYTES) == BYTES);
  char* all = mmap(NULL, BYTES, rw, MAP_PRIVATE, fd, 0);
  CHECK(all != MAP_FAILED && memcmp(all, bytes, BYTES) == 0 && all[BYTES] == 0 && lseek(fd, 0, SEEK_CUR) == BYTES);
  // What is written is the process's own.
  memset(all, 1, PAGE);
  CHECK(pread(fd, all, 10, 0) == 10 && memcmp(all, bytes, 10) == 0);
  CHECK(munmap(all, BYTES + PAGE - BYTES % PAGE) == 0);
  char* const tail = mmap(NULL, 4 * PAGE, PROT_READ, MAP_SHARED, fd, PIECE + 2 * PAGE);
  CHECK(tail != MAP_FAILED && memcmp(tail, bytes + PIECE + 2 * PAGE, PAGE + 77) == 0 && tail[4 * PAGE - 1] == 0);
  FAILS(syscall(SYS_getrandom, tail, 4, 0), EFAULT);
  CHECK(mmap(tail, PAGE, rw, MAP_PRIVATE | MAP_FIXED, fd, PAGE) == tail && memcmp(tail, bytes + PAGE, PAGE) == 0);
  FILE* const stream = fopen("mapped", "rm");  // glibc maps it
  CHECK(stream != NULL && fread(tail, 1, PAGE, stream) == PAGE && memcmp(tail, bytes, PAGE) == 0 &&
        fclose(stream) == 0);
  CHECK(munmap(tail, 4 * PAGE) == 0);
  // The place of what could not be read is free again.
  const int only = open("mapped", O_WRONLY), here = open(".", O_RDONLY);
  char* const free_place = mmap(NULL, PAGE, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(munmap(free_place, PAGE) == 0);
  FAILS((intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, only, 0), EACCES);
  FAILS((intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, here, 0), ENODEV);
  CHECK(mmap(NULL, PAGE, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == free_place);
  FAILS((intptr_t)mmap(NULL, PAGE, rw, MAP_SHARED, fd, 0), ENODEV);
  FAILS((intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 1, 0), ENODEV);
  FAILS((intptr_t)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 77, 0), EBADF);
  FAILS((intptr_t)syscall(SYS_mmap, 0, PAGE, PROT_READ, MAP_PRIVATE, fd, 12), EINVAL);
  FAILS((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0), EACCES);
  free(bytes);
}

// Programs may write to /tmp, whatever the job's directory holds.
#define TEMPORARY "/tmp"
static void temporary(void) {
  struct stat status;
  CHECK(stat("tmp", &status) != 0 && stat(TEMPORARY, &status) == 0 && S_ISDIR(status.st_mode));
  FILE* const file = tmpfile();
  CHECK(file != NULL && fprintf(file, "text") == 4 && fclose(file) == 0);
  char name[] = TEMPORARY "/nameXXXXXX";
  const int fd = mkstemp(name);
  CHECK(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0 && access(name, R_OK) == 0 && unlink(name) == 0);
  FAILS(open(TEMPORARY "/../../passwd", O_RDONLY), EACCES);
  CHECK(umask(077) == 022 && mkdir(TEMPORARY "/private", 0777) == 0 && umask(022) == 077);
  CHECK(stat(TEMPORARY "/private", &status) == 0 && (status.st_mode & 0777) == 0700 &&
        rmdir(TEMPORARY "/private") == 0);
}

static void times(void) {
  struct timespec before, after;
  const struct timespec pause = {2, 500000000};
  CHECK(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
  CHECK(nanosleep(&pause, NULL) == 0);
  CHECK(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
  const double slept = (after.tv_sec - before.tv_sec) + 1e-9 * (after.tv_nsec - before.tv_nsec);
  CHECK(slept >= 2.5 && slept < 2.5001);
  CHECK(time(NULL) == 1104537602);
  struct timeval day;
  CHECK(gettimeofday(&day, NULL) == 0 && day.tv_sec == 1104537602);
  uint8_t random[20] = {0};
  CHECK(getrandom(random, sizeof random, 0) == sizeof random);
  printf("random %02x%02x%02x%02x\n", random[0], random[1], random[18], random[19]);
  struct utsname name;
  struct sysinfo memory;
  CHECK(sysinfo(&memory) == 0 && memory.mem_unit == 1 && memory.freeram < memory.totalram && memory.freeram != 0);
  FAILS(syscall(SYS_sysinfo, BAD), EFAULT);
  CHECK(uname(&name) == 0 && strcmp(name.machine, "ppc") == 0);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  CHECK(clock_gettime(clock, &now) == 0);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

// Nobody wakes the only thread but time: a wait with an end lasts until then, whatever clock it is told by.
static void waits(void) {
  uint32_t word = 7;
  const struct timespec half = {0, 500000000};
  double start = seconds_of(CLOCK_MONOTONIC);
  FAILS(syscall(SYS_futex, &word, FUTEX_WAIT, 7, &half), ETIMEDOUT);
  double waited = seconds_of(CLOCK_MONOTONIC) - start;
  CHECK(waited >= 0.5 && waited < 0.5001);

  const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  const int operations[] = {FUTEX_WAIT_BITSET, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME};
  for (int i = 0; i < 2; ++i) {
    struct timespec until;
    CHECK(clock_gettime(clocks[i], &until) == 0);
    until.tv_sec += 1;
    FAILS(syscall(SYS_futex, &word, operations[i], 7, &until, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
    const double late = seconds_of(clocks[i]) - (until.tv_sec + 1e-9 * until.tv_nsec);
    CHECK(late >= 0 && late < 0.0001);
    // The same time again has passed, and so has one of 64 bits.
    const int64_t until64[] = {until.tv_sec, until.tv_nsec};
    start = seconds_of(CLOCK_MONOTONIC);
    FAILS(syscall(SYS_futex, &word, operations[i], 7, &until, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
    FAILS(syscall(SYS_futex_time64, &word, operations[i], 7, until64, NULL, FUTEX_BITSET_MATCH_ANY), ETIMEDOUT);
    CHECK(seconds_of(CLOCK_MONOTONIC) - start < 0.0001);
  }
  FAILS(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 6, &half, NULL, FUTEX_BITSET_MATCH_ANY), EAGAIN);
  const struct timespec wrong = {0, 1000000000};
  FAILS(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 7, &wrong, NULL, FUTEX_BITSET_MATCH_ANY), EINVAL);

  // As programs call it.
  sem_t semaphore;
  CHECK(sem_init(&semaphore, 0, 0) == 0);
  struct timespec until;
  CHECK(clock_gettime(CLOCK_REALTIME, &until) == 0);
  until.tv_sec += 2;
  FAILS(sem_timedwait(&semaphore, &until), ETIMEDOUT);
  CHECK(seconds_of(CLOCK_REALTIME) >= until.tv_sec + 1e-9 * until.tv_nsec);
}

static void machine(void) {
  struct toroid_personality personality;
  CHECK(syscall(TOROID_SYS_GET_PERSONALITY, &personality, sizeof personality) == sizeof personality);
  CHECK(syscall(TOROID_SYS_GET_PERSONALITY, &personality, 1000) == sizeof personality);
  CHECK(personality.version == TOROID_PERSONALITY_VERSION && personality.size == sizeof personality);
  CHECK(personality.processing_set == personality.rank / 8);
  printf("rank %u of %u, %ux%ux%u, rings %u%u%u, at %u,%u,%u, t %u of %u, %u MHz, %u MiB\n", personality.rank,
         personality.ranks, personality.shape[0], personality.shape[1], personality.shape[2], personality.torus[0],
         personality.torus[1], personality.torus[2], personality.coordinates[0], personality.coordinates[1],
         personality.coordinates[2], personality.t, personality.processes_per_node, personality.core_mhz,
         personality.memory_mib);
  uint32_t map[8][TOROID_MAP_WORDS];
  CHECK(syscall(TOROID_SYS_GET_MAP, map, 2, 8) == 4);
  for (unsigned i = 0; i < 4; ++i)
    printf("rank %u at %u,%u,%u t %u\n", i + 2, TOROID_MAP_COORDINATE(map[i], 0), TOROID_MAP_COORDINATE(map[i], 1),
           TOROID_MAP_COORDINATE(map[i], 2), TOROID_MAP_T(map[i]));
  // Any word can be a register's value, also those that look like an error to syscall().
  CHECK((uint32_t)syscall(TOROID_SYS_DCR_READ, 0x280) == 0xFFFFFFFF);
  CHECK(syscall(TOROID_SYS_DCR_WRITE, 0x280, 77) == 0);
  CHECK(syscall(TOROID_SYS_DCR_READ, 0x280) == 77);
  FAILS(syscall(TOROID_SYS_DCR_READ, 0x281), EINVAL);
  FAILS(syscall(TOROID_SYS_DCR_WRITE, 0x281, 1), EINVAL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "pointers") == 0) pointers();
  if (strcmp(what, "files") == 0) files();
  if (strcmp(what, "descriptors") == 0) descriptors();
  if (strcmp(what, "memory") == 0) memory();
  if (strcmp(what, "mappings") == 0) mappings();
  if (strcmp(what, "temporary") == 0) temporary();
  if (strcmp(what, "regions") == 0) regions();
  if (strcmp(what, "times") == 0) times();
  if (strcmp(what, "waits") == 0) waits();
  if (strcmp(what, "machine") == 0) machine();
  printf("%s: %d failures\n", what, failures);
  return failures != 0;
}
