# SPDX-License-Identifier: Apache-2.0
"""What the libraries of C and C++ hold back when a program ends badly is shown, on each instruction set.

Fortran's library writes each record, and each piece of one: nothing is lost either."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid, read_result

# Each ends as its last argument says. `held` before it: nothing is written until a buffer of the library is full.
C = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char** argv) {
  static char buffer[4096];
  const char* const how = argv[argc - 1];
  if (argc > 2) setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("the first line\n");
  printf("about to %s", how);
  FILE* const file = fopen("file", "w");
  fprintf(file, "held back for a file");
  if (strcmp(how, "fault") == 0) *(volatile int*)0 = 1;
  if (strcmp(how, "abort") == 0) abort();
  while (strcmp(how, "deadlock") == 0) pthread_mutex_lock(&mutex);
  for (;;) {
  }
}
"""
CPP = r"""
#include <pthread.h>

#include <cstdlib>
#include <iostream>
#include <string>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char** argv) {
  const std::string how = argv[argc - 1];
  if (argc > 2) std::ios_base::sync_with_stdio(false);
  std::cout << "the first line\n";
  std::cout << "about to " << how;
  if (how == "fault") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "abort") std::abort();
  while (how == "deadlock") pthread_mutex_lock(&mutex);
  for (volatile bool on = true; on;) {
  }
}
"""
FORTRAN = r"""
program held
  use iso_c_binding
  implicit none
  interface
    subroutine abort_program() bind(c, name='abort')
    end subroutine
    integer(c_int) function lock(mutex) bind(c, name='pthread_mutex_lock')
      import
      integer(c_long) :: mutex(*)
    end function
  end interface
  integer(c_long) :: mutex(8) = 0
  integer, pointer :: nowhere(:)
  character(len=16) :: how
  integer :: error
  logical, volatile :: on
  call get_command_argument(command_argument_count(), how)
  print '(a)', 'the first line'
  write (*, '(2a)', advance='no') 'about to ', trim(how)
  if (how == 'fault') then
    nullify (nowhere)
    nowhere(1) = 1
  end if
  if (how == 'abort') call abort_program()
  do while (how == 'deadlock')
    error = lock(mutex)
  end do
  on = .true.
  do while (on)
  end do
end program held
"""
SOURCES = {"held.c": C, "held.cpp": CPP, "held.f90": FORTRAN}
# How the run has ended, and with which status.
ENDS = {"fault": ("fault", 1), "abort": ("fault", 1), "deadlock": ("fault", 1), "forever": ("timeout", 124)}


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="module", params=[(machine, source) for machine in MACHINES for source in SOURCES], ids="-".join)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A machine, and a program for it."""
    machine, name = request.param
    directory = tmp_path_factory.mktemp("held")
    source = directory / name
    source.write_text(SOURCES[name])
    program = directory / f"program{source.suffix}"
    chips.compiled(machine, source, program, ["-O2"])
    return machine, program


@pytest.mark.parametrize("how", ENDS)
def test_all_is_shown(toroid: Toroid, program: tuple[str, Path], how: str) -> None:
    machine, path = program
    fortran = path.suffix == ".f90"
    # Fortran's library prints where it is at its end by a signal, for which it sorts what C++ knows of all functions.
    limit = "50ms" if fortran and how in ("abort", "fault") else "5ms"
    run = ["run", "--machine", machine, "--shape", "1", "--results", "out", "--timeout", limit]
    for held in ([],) if fortran else ([], ["held"]):
        status, out, err = toroid(*run, path, *held, how)
        result = read_result(Path("out"))
        assert (result["ended"], status) == ENDS[how], err
        assert out == f"the first line\nabout to {how}" + ("" if fortran else "\n"), err
        writes = result["ranks"][0]["system_calls"].get("writev", 0) + result["ranks"][0]["system_calls"].get(
            "write", 0
        )
        assert (writes == 0) == bool(held)
