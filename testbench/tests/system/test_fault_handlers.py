# SPDX-License-Identifier: Apache-2.0
"""What is told of a fault that a program handles. What handlers can do is in isa_programs/fault_handlers.c."""

from __future__ import annotations

from pathlib import Path

import chips
import pytest
from chips import MACHINES
from helpers import Toroid

SOURCE = """
#include <setjmp.h>
#include <signal.h>
#include <string.h>
static sigjmp_buf back;
static volatile int* volatile nowhere = (volatile int*)16;
static void pass_on(int number) { signal(number, SIG_DFL); raise(number); }
static void leave(int number) { siglongjmp(back, number); }
int main(int argc, char** argv) {
  const char* const how = argv[argc - 1];
  signal(SIGSEGV, strcmp(how, "passed") == 0 ? pass_on : strcmp(how, "left") == 0 ? leave : (void (*)(int))8);
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return 0;
}
"""


@pytest.fixture
def toroid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Toroid:
    return chips.command_line(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="module", params=MACHINES)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A machine, and a program for it."""
    directory = tmp_path_factory.mktemp("faults")
    source = directory / "faults.c"
    source.write_text(SOURCE)
    chips.compiled(request.param, source, directory / "faults", ["-O2"])
    return request.param, directory / "faults"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("passed", "write to 0x00000010 (NULL pointer), at "),
        ("left", "killed itself with signal 11"),
        ("no function", "write to 0x00000010 (NULL pointer), at "),
    ],
)
def test_the_report_is_of_what_ended_the_process(
    toroid: Toroid, program: tuple[str, Path], how: str, says: str
) -> None:
    machine, path = program
    status, _, err = toroid("run", "--machine", machine, "--shape", "1", "--results", "out", path, how)
    assert status == 1
    assert says in err
