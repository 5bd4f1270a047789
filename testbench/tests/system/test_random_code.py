# SPDX-License-Identifier: Apache-2.0
"""Random code of each instruction set leaves the same in registers and memory as elsewhere: on the host, in QEMU, in a
model (random_code). A slice of it; `./toroid test --long` runs 1,000 programs of each kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from random_code import quad
from random_code.compare import KINDS, Kind, different

PROGRAMS = int(os.environ.get("TOROID_RANDOM_PROGRAMS", "60"))  # of each kind
SEED = int(os.environ.get("TOROID_RANDOM_SEED", "2"))


def same(kind: Kind, seed: int, count: int, directory: Path) -> None:
    if missing := kind.missing():
        pytest.skip(f"needs {missing}")
    compared = kind.compare(seed, count, directory)
    assert len(compared) == count
    wrong = different(compared)
    assert not wrong, kind.explain(seed, count, wrong[0], directory)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_same_as_elsewhere(tmp_path: Path, kind: Kind) -> None:
    same(kind, SEED, PROGRAMS, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_thousand_programs(tmp_path: Path, kind: Kind) -> None:
    same(kind, 1, 1000, tmp_path)


def test_each_instruction_set_has_its_kinds() -> None:
    assert {kind.split()[0] for kind in KINDS} == {"x86-64", "ppc32", "ppc64"}
    for isa in ("x86-64", "ppc32", "ppc64"):
        assert {f"{isa} single", f"{isa} double", f"{isa} integer 32"} <= KINDS.keys()


def test_the_model_of_quads_takes_the_first_of_two_that_are_no_numbers() -> None:
    first, second = 0x7FF0000000000001, 0xFFF8123400000000
    words = [first] * 4 + [second] * 4 + [0] * 120
    model = quad.Model(b"".join(word.to_bytes(8, "big") for word in words))
    model.execute(quad.Operation("qvfadd", 2, 0, 1))
    assert model.registers[2] == [0x7FF8000000000001] * 4
