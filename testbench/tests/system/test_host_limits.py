# SPDX-License-Identifier: Apache-2.0
"""What a program asks for costs the host no more than it may, and what the host refuses is reported in one line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from helpers import LAUNCHER, Arguments, compiled, read_result

from toroid import paths

BUILDS = ["release", pytest.param("asan", marks=pytest.mark.slow)]

REQUESTS = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      printf("line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

/* Vectors of 256 GB in all; the file may have a megabyte. */
static void vectors(void) {
  enum { SIZE = 256 << 20, PIECE = 256 << 10, MOST = 1 << 20 };
  static struct iovec vector[1025];
  char* const bytes = malloc(SIZE);
  CHECK(bytes != NULL);
  memset(bytes, 'x', MOST);
  for (int i = 0; i < 1025; ++i) vector[i] = (struct iovec){bytes, SIZE};
  const int file = open("large", O_RDWR | O_CREAT, 0600);
  CHECK(writev(file, vector, 1025) == -1 && errno == EINVAL);
  CHECK(writev(file, vector, -1) == -1 && errno == EINVAL);
  CHECK(writev(-1, vector, 1024) == -1 && errno == EBADF);
  CHECK(writev(file, vector, 1024) == MOST);
  CHECK(write(file, bytes, 1) == -1 && errno == EFBIG);
  CHECK(pwrite(file, bytes, 10, MOST - 4) == 4);
  CHECK(ftruncate(file, MOST + 1) == -1 && errno == EFBIG);
  vector[1].iov_len = (size_t)1 << 31;
  CHECK(writev(file, vector, 2) == -1 && errno == EINVAL);
  CHECK(readv(file, vector, 2) == -1 && errno == EINVAL);
  vector[1].iov_len = 8;
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  CHECK(readv(file, vector, 1024) == MOST);
  CHECK(pread(file, bytes, SIZE, 10) == MOST - 10);
  for (int i = 0; i < MOST - 10; ++i) CHECK(bytes[i] == 'x');
  CHECK(write(file, bytes, (size_t)1 << 31) == -1);
  CHECK(getrandom(bytes, SIZE, 0) == 33554431);
}

static void seeks(void) {
  const int file = open("file", O_RDWR | O_CREAT, 0600);
  CHECK(mkdir("directory", 0700) == 0);
  const int directory = open("directory", O_RDONLY);
  CHECK(lseek64(file, LLONG_MAX, SEEK_SET) == -1 || lseek64(file, 1, SEEK_CUR) == -1);
  CHECK(lseek64(directory, LLONG_MAX, SEEK_SET) == LLONG_MAX);
  CHECK(lseek64(directory, LLONG_MAX, SEEK_CUR) == -1 && errno == EINVAL);
  CHECK(lseek64(directory, -1, SEEK_SET) == -1 && errno == EINVAL);
  char bytes[512];
  CHECK(syscall(SYS_getdents64, directory, bytes, sizeof bytes) == 0);
  CHECK(rmdir("directory") == 0);
}

/* As many files as a process may have, all of them used, with a few that have gone or have other names by then. */
static void files(void) {
  enum { MOST = 1024 };
  static int file[MOST];
  struct rlimit limit;
  char name[32], other[32];
  int count = 0;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == MOST && sysconf(_SC_OPEN_MAX) == MOST);
  CHECK(mkdir("sub", 0700) == 0);
  for (;; ++count) {
    snprintf(name, sizeof name, "sub/file.%d", count);
    file[count] = open(name, O_RDWR | O_CREAT | (count % 3 == 0 ? O_APPEND : 0), count % 7 == 0 ? 0400 : 0600);
    if (file[count] < 0) break;
    CHECK(dprintf(file[count], "this is %d", count) > 0);
  }
  CHECK(errno == EMFILE && count == MOST - 3);
  CHECK(access(name, F_OK) == -1 && errno == ENOENT);
  CHECK(dup(file[0]) == -1 && errno == EMFILE);
  for (int i = 0; i < count; i += 200) {
    snprintf(name, sizeof name, "sub/file.%d", i);
    CHECK(unlink(name) == 0);
  }
  CHECK(rename("sub", "renamed") == 0);
  for (int i = 1; i < count; i += 200) {
    snprintf(name, sizeof name, "renamed/file.%d", i);
    snprintf(other, sizeof other, "renamed/file.%d", i + 1);
    CHECK(rename(name, other) == 0);
  }
  for (int i = 0; i < count; ++i) {
    char wanted[64], found[64] = "";
    snprintf(wanted, sizeof wanted, "this is %d, again", i);
    CHECK(write(file[i], ", again", 7) == 7);
    CHECK(pread(file[i], found, sizeof found, 0) == (ssize_t)strlen(wanted));
    CHECK(strcmp(found, wanted) == 0);
  }
  /* A copy shares its place. */
  CHECK(close(file[5]) == 0);
  const int copy = dup(file[10]);
  CHECK(copy >= 0 && lseek(copy, 3, SEEK_SET) == 3);
  for (int i = 20; i < count; ++i) CHECK(lseek(file[i], 0, SEEK_CUR) > 0);
  CHECK(lseek(file[10], 0, SEEK_CUR) == 3);
  CHECK(close(file[10]) == 0);
  CHECK(lseek(copy, 0, SEEK_CUR) == 3);
}

/* A path of many components, there and back. */
static void deep(void) {
  static char path[4096];
  enum { DEPTH = 600 };
  for (int i = 0; i < DEPTH; ++i) {
    strcat(path, "d/");
    CHECK(mkdir(path, 0700) == 0);
  }
  for (int i = 0; i < DEPTH; ++i) strcat(path, "../");
  strcat(path, "up");
  const int file = open(path, O_WRONLY | O_CREAT, 0600);
  CHECK(file >= 0 && access("up", F_OK) == 0);
  path[2 * DEPTH + 3 * DEPTH] = '\0';
  strcat(path, "../up");
  CHECK(open(path, O_RDONLY) == -1 && errno == EACCES);
}

static void sleeps(void) {
  CHECK(nanosleep(&(struct timespec){-1, 0}, NULL) == -1 && errno == EINVAL);
  CHECK(nanosleep(&(struct timespec){100000, 0}, NULL) == 0);
  printf("slept\n");
  int64_t longest[2] = {(int64_t)1 << 32, 0};
  syscall(407, CLOCK_MONOTONIC, 0, longest, NULL); /* clock_nanosleep_time64 */
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "vectors") == 0) vectors();
  if (strcmp(what, "seeks") == 0) seeks();
  if (strcmp(what, "files") == 0) files();
  if (strcmp(what, "deep") == 0) deep();
  if (strcmp(what, "sleeps") == 0) sleeps();
  printf("good\n");
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("programs") / "requests.c"
    source.write_text(REQUESTS)
    return compiled(source, source.parent)


def limited(
    limits: str, tmp_path: Path, *arguments: str | Path, preset: str = "release"
) -> subprocess.CompletedProcess[str]:
    """The simulator under limits of the shell's; the command line around it needs more than some of them."""
    job = tmp_path / "job"
    job.mkdir(exist_ok=True)
    shown: Arguments = ["run", "--results", tmp_path, "--shape", "1x1x1", "--timeout", "1e6s", "--directory", job]
    # Ended at once, for its configuration.
    subprocess.run([LAUNCHER, *shown, "--timeout", "1ns", *arguments], capture_output=True, check=False)
    configuration = json.loads((tmp_path / "configuration.json").read_text())
    del configuration["run"]["timeout_ns"]
    (tmp_path / "configuration.json").write_text(json.dumps(configuration))
    for left in ("result.json", "trace"):
        (tmp_path / left).unlink(missing_ok=True)
    command = [str(paths.simulator(preset)), str(tmp_path / "configuration.json"), str(tmp_path / "result.json")]
    return subprocess.run(
        ["bash", "-c", f'{limits}; exec "$@"', "bash", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("preset", BUILDS)
@pytest.mark.parametrize(
    ("what", "limits"),
    [
        ("vectors", "ulimit -f 1024"),
        ("seeks", "true"),
        ("files", "ulimit -n 64"),
        ("files", "ulimit -n 4096"),
        ("deep", "ulimit -n 30"),
    ],
)
def test_requests_are_bounded(program: Path, tmp_path: Path, what: str, limits: str, preset: str) -> None:
    done = limited(limits, tmp_path, program, what, preset=preset)
    assert (done.returncode, done.stdout, done.stderr) == (0, "good\n", ""), done
    assert read_result(tmp_path)["ended"] == "completed"


@pytest.mark.parametrize("preset", BUILDS)
def test_a_sleep_costs_no_host_time(program: Path, tmp_path: Path, preset: str) -> None:
    """100,000 s, and then longer than any run: without the skipping of idle time each second takes a millisecond."""
    done = limited("ulimit -t 60", tmp_path, program, "sleeps", preset=preset)
    assert (done.returncode, done.stdout) == (124, "slept\n"), done
    # The sanitizer warns of stacks of coroutines, which it does not know.
    assert preset != "release" or done.stderr == ""
    result = read_result(tmp_path)
    assert (result["ended"], result["simulated_ns"]) == ("timeout", 10**16)
    assert "simulated time ran out after 10000000000000000 ns: rank 0" in result["error"]


def test_a_result_that_does_not_fit_is_told(program: Path, tmp_path: Path) -> None:
    done = limited("ulimit -f 1", tmp_path, program)
    assert done.returncode == 2
    assert done.stdout == "good\n"
    path = tmp_path / "result.json"
    assert done.stderr == f"toroid-sim: {path}: the result file cannot be written: File too large\n"


@pytest.mark.parametrize("engines", ["own", "shared"])
def test_a_host_without_room_ends_the_run_with_a_result(tmp_path: Path, engines: str) -> None:
    """The second core's engine, made where the program starts that core, finds no addresses left; or the one for all
    cores finds too few."""
    program = paths.guest_program("second_core")
    limits = f"ulimit -v 2200000; export TOROID_ENGINES={engines}"
    done = limited(limits, tmp_path, program, "starts", "3")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", ""), done
    result = read_result(tmp_path)
    assert result["ended"] == "failed"
    assert result["error"].startswith("the simulator could not go on: the host has no room for ")
    assert "\n" not in result["error"]
