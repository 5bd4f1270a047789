# SPDX-License-Identifier: Apache-2.0
"""Makefiles written for Blue Gene/P build programs if CC is set: options, paths and libraries are the machine's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers import toroid

from toroid import paths

FLOOR = "/bgsys/drivers/ppcfloor"
# XL's options; MPI's and DCMF's headers and libraries by path and by name. Both sources declare `ranks`, and define
# `twice` as GNU C had it before C99.
MAKEFILE = f"""\
FLOOR = {FLOOR}
CFLAGS = -O3 -qarch=450d -qtune=450 -qstrict -I$(FLOOR)/arch/include -I$(FLOOR)/comm/include
LIBS = -L$(FLOOR)/comm/lib -L$(FLOOR)/runtime/SPI -ldcmfcoll.cnk $(FLOOR)/comm/lib/libdcmf.cnk.a
LIBS += -lSPI.cna -lrt -lpthread
program: main.o part.o
\t$(CC) $(CFLAGS) $^ $(MPI) $(LIBS) -o $@
"""
MAIN = """\
#include <bpcore/bgp_atomic_ops.h>
#include <dcmf.h>
#include <mpi.h>
#include <stdio.h>
int ranks;
void ask(void);
extern inline int twice(int number) { return 2 * number; }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ask();
  printf("core %d of rank %u, %d ranks\\n", Kernel_PhysicalProcessorID(), (unsigned)DCMF_Messager_rank(),
         twice(ranks) / 2);
  return MPI_Finalize();
}
"""
PART = """\
#include <mpi.h>
#include "../../../arch/include/spi/kernel_interface.h"
int ranks;
void ask(void);
extern inline int twice(int number) { return 2 * number; }
void ask(void) {
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}
"""


@pytest.mark.skipif(Path(FLOOR).exists(), reason="this host has the machine's own headers")
@pytest.mark.parametrize(("compiler", "library"), [("mpicc", ""), ("cc", "-lmpich.cnk")])
def test_a_makefile_of_the_machine(compiler: str, library: str, tmp_path: Path) -> None:
    for name, text in {"Makefile": MAKEFILE, "main.c": MAIN, "part.c": PART}.items():
        (tmp_path / name).write_text(text)
    build = f"CC={paths.ROOT}/toroid {compiler} --machine bgp"
    made = subprocess.run(["make", build, f"MPI={library}"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    done = toroid("run", "--machine", "bgp", "--shape", "2x1x1", "--mode", "dual", tmp_path / "program")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == [f"core {2 * (rank // 2)} of rank {rank}, 4 ranks" for rank in range(4)]
