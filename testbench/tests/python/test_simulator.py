# SPDX-License-Identifier: Apache-2.0
"""What the simulator is started with."""

from __future__ import annotations

import pytest

from toroid.configuration import Configuration, RunSection, configure
from toroid.machine import load_machine
from toroid.shape import parse_shape
from toroid.simulator import environment_of

TUNABLES = "GLIBC_TUNABLES"


def configured(name: str, shape: str) -> Configuration:
    machine = load_machine(name)
    run = RunSection(program="prog", ranks=1, job_directory="/")
    return configure(machine, parse_shape(shape, machine.dimensions), 1, run=run)


def test_many_cores_lie_in_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TUNABLES, raising=False)
    assert environment_of(configured("bgq", "4x4x4x4x2"))[TUNABLES] == "glibc.malloc.hugetlb=1"
    assert TUNABLES not in environment_of(configured("bgq", "4x4x4x2x2"))
    assert TUNABLES not in environment_of(configured("bgl", "16x16x8"))


def test_tunables_of_the_user_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TUNABLES, "glibc.malloc.hugetlb=0")
    assert environment_of(configured("bgq", "4x4x4x4x2"))[TUNABLES] == "glibc.malloc.hugetlb=0"
