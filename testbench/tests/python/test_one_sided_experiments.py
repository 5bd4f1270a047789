# SPDX-License-Identifier: Apache-2.0
"""Experiments with DCMF, OSPRI and ARMCI, without a simulator: from what programs print to rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from toroid.errors import ToroidError
from toroid.experiments import (
    accumulate_progress,
    armci_contiguous,
    armci_patches,
    dcmf_contention,
    dcmf_networks,
    get_ordering,
    local_operations,
    one_sided,
    one_sided_bandwidth,
    ospri_flush,
    ospri_modes,
)
from toroid.experiments.dcmf_contention import KINDS, Times
from toroid.experiments.harness import Lab, ProgramRun
from toroid.machine import load_machine
from toroid.report import Row
from toroid.result import Collective
from toroid.shape import Shape

MACHINE = load_machine("bgp")


class Printed(Lab):
    """A lab whose programs print what a test says, by the beginning of the run's name."""

    def __init__(self, directory: Path, outputs: dict[str, str]) -> None:
        super().__init__(MACHINE, directory)
        self.printed = outputs

    def run(self, runs: object) -> list[str]:
        assert isinstance(runs, list)
        return [next(text for name, text in self.printed.items() if run.name.startswith(name)) for run in runs]

    def collective(self, shapes: Sequence[Shape]) -> list[Collective]:
        return [
            Collective(
                compute_nodes=shape.nodes, io_nodes=1, tree_depth=1, tree_root_to_all_ns=1, tree_node_to_all_ns=1,
                tree_reduction_ns=1, barrier_ns=100 * shape.nodes,
            )
            for shape in shapes
        ]  # fmt: skip


def named(rows: list[Row]) -> dict[str, Row]:
    return {row.row: row for row in rows}


def test_cycles_become_microseconds_by_operation_and_size(tmp_path: Path) -> None:
    text = "p operation=put size=8 local=850.0\np operation=put size=64 local=1700\np operation=get size=8 local=425\n"
    lab = Lab(MACHINE, tmp_path)
    assert one_sided.microseconds(lab, text, "p", "local") == {"put": {8: 1.0, 64: 2.0}, "get": {8: 0.5}}
    with pytest.raises(ToroidError, match="p printed no measurements of remote"):
        one_sided.microseconds(lab, text, "p", "remote")


def test_locks_are_measured_with_cores_close_to_each_other_unless_the_user_says_otherwise(
    fake_simulator: None, tmp_path: Path
) -> None:
    def apart(lab: Lab) -> object:
        run = one_sided.between_neighbours(lab, "one", "ospri_latency", (), one_sided.ALONE)
        job = lab._job(run)
        assert dict(run.environment)["A1D_ENABLE_CHT"] == "0"
        return job.configuration.parameters["core.cores_apart"]

    assert apart(Lab(MACHINE, tmp_path)) == 20
    assert apart(Lab(MACHINE.with_settings(["core.cores_apart=500"]), tmp_path)) == 500
    plain = ProgramRun("one", "hello", (), one_sided.pair(Lab(MACHINE, tmp_path)))
    assert Lab(MACHINE, tmp_path)._job(plain).configuration.parameters["core.cores_apart"] == 1000


def test_bandwidth_is_of_operations_that_overlap(tmp_path: Path) -> None:
    def line(kind: str, size: int, window: float) -> str:
        return f"ospri-latency operation={kind} size={size} local=1 remote=1 window={window}\n"

    short = line("put", 1024, 2720) + line("get", 1024, 2720) + line("accumulate", 1024, 9)
    lab = Printed(tmp_path, {"bandwidth-short": short, "bandwidth-long": short.replace("1024", "524288")})
    rows = named(one_sided_bandwidth.rows(one_sided_bandwidth.measure(lab)))
    assert rows["put, 1024 bytes"].measured == pytest.approx(1024 / 2**20 / 3.2e-6)
    assert rows["put, 1024 bytes"].deviation == pytest.approx(0, abs=1e-3)
    assert "accumulate, 1024 bytes" not in rows


def test_overhead_of_modes() -> None:
    def curve(more: float) -> dict[int, float]:
        return {size: time + more for size, time in ospri_modes.PUBLISHED["DCMF"].items()}

    names = ["DCMF", *ospri_modes.MODES]
    found = named(ospri_modes.rows(dict(zip(names, map(curve, (0, 0.4, 0.6, 0.9)), strict=True))))
    assert found["OSPRI alone, more than DCMF, up to 128 bytes"].deviation == pytest.approx(0)
    assert found["atomics cost less than the critical section"].measured == 1
    found = named(ospri_modes.rows(dict(zip(names, map(curve, (0, 0.7, 0.6, 0.5)), strict=True))))
    assert found["a helper thread costs a put time"].measured == 0
    assert found["atomics cost less than the critical section"].measured == 0


def test_contiguous_times_are_those_of_a_target_that_waits(tmp_path: Path) -> None:
    sizes = (8, 32, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536)
    ospri = "".join(
        f"ospri-latency operation={kind} size={size} local=850 remote=1700\n"
        for kind in ("put", "get")
        for size in sizes
    )
    waits = ospri.replace("ospri-latency", "armci_latency target=waits").replace("850", "2550")
    computes = waits.replace("waits", "computes").replace("2550", "1")
    lab = Printed(tmp_path, {"contiguous-ospri": ospri, "contiguous-armci": waits + computes})
    rows = named(armci_contiguous.rows(armci_contiguous.measure(lab)))
    assert rows["ARMCI: put, local completion, 8 bytes"].measured == 3
    assert rows["put, local completion: OSPRI takes less time than ARMCI at every size"].measured == 1
    assert rows["put, remote completion: OSPRI takes less time than ARMCI at every size"].measured == 0


def test_patches_saved_by_packing() -> None:
    def curves(factor: float) -> dict[str, dict[int, float]]:
        return {kind: {rows: factor * rows for rows in (1, 2, 4, 8, 16, 512)} for kind in armci_patches.KINDS}

    found = named(armci_patches.rows({"OSPRI": curves(1), "ARMCI": curves(2)}))
    assert found["put, up to 16x16: OSPRI takes less, by"].measured == pytest.approx(50)
    assert found["OSPRI: accumulate, 512x1 doubles"].published == 55.65
    assert found["OSPRI: get, 8x8 doubles"].published == 12.42


def test_the_size_from_which_the_dma_is_faster() -> None:
    def crossing(*dma: float) -> float | None:
        sizes = (8, 4096, 32768, 65536)
        copies = dict(zip(sizes, (1.0, 5.0, 40.0, 80.0), strict=True))
        curves = {
            "OSPRI, copies": {"put": copies},
            "OSPRI, DMA": {"put": dict(zip(sizes, dma, strict=True))},
        }
        return local_operations.crossing(curves, "put")

    assert crossing(2, 6, 30, 50) == 32768
    assert crossing(0.5, 6, 30, 50) == 32768
    assert crossing(2, 6, 30, 90) is None


def test_flushes_by_number_of_processes(tmp_path: Path) -> None:
    def output(ranks: int, put: int, send: int) -> str:
        return "".join(
            f"ospri-flush after={after} ranks={ranks} rounds=5 cycles={cycles}\n"
            for after, cycles in (("get", 85), ("put", put), ("accumulate", send))
        )

    outputs = {"flush-all-2x1x1": output(2, 850, 1700), "flush-all-2x2x2": output(8, 1700, 8500)}
    outputs |= {"flush-2x1x1": output(2, 850, 800), "flush-2x2x2": output(8, 1700, 1600)}
    lab = Printed(tmp_path, outputs)
    who = (ospri_flush.ALL, ospri_flush.ONE)
    rows = named(ospri_flush.rows({each: ospri_flush.measure(lab, ("2x1x1", "2x2x2"), each) for each in who}))
    assert rows["all at a time, behind accumulates: send and answer, 8 processes"].measured == 10
    assert rows["one alone, behind puts: put and confirmation, 2 processes"].measured == 1
    assert rows["put and confirmation take less time than send and answer"].measured == 1
    assert rows["what they save grows with the processes"].measured == 1


def test_strict_order_takes_longer(tmp_path: Path) -> None:
    def output(*cycles: int) -> str:
        sizes = zip((8, 4096, 65536), cycles, strict=True)
        return "".join(f"ospri-ordering size={size} rounds=20 cycles={value}\n" for size, value in sizes)

    def holds(strict: str, partial: str) -> float | None:
        lab = Printed(tmp_path, {"ordering-strict": strict, "ordering-partial": partial})
        return get_ordering.rows(get_ordering.measure(lab))[-1].measured

    assert holds(output(2000, 3000, 9000), output(1000, 2000, 9000)) == 1
    assert holds(output(2000, 3000, 9000), output(1000, 2900, 9000)) == 0


def test_accumulates_by_who_makes_progress(tmp_path: Path) -> None:
    def output(cycles: int) -> str:
        return f"ospri-progress target=computes size=8 rounds=2 cycles={cycles} window={cycles / 2}\n"

    lab = Printed(
        tmp_path,
        {
            "progress-helper": output(8500),
            "progress-interrupts": output(17000),
            "progress-polling": output(4250),
            "progress-armci": "armci_latency target=waits operation=get size=8 rounds=20 local=850 remote=900\n",
        },
    )
    rows = named(accumulate_progress.rows(accumulate_progress.measure(lab), accumulate_progress.measure_armci(lab)))
    assert rows["accumulate, one and a flush, helper thread, 8 bytes"].measured == pytest.approx(8 / 2**20 / 10e-6)
    overlapped = rows["accumulate, eight under way, helper thread, 8 bytes"]
    assert overlapped.published == 0.77
    assert overlapped.measured == pytest.approx(8 / 2**20 / 5e-6)
    assert rows["a helper thread is faster than interrupts up to 32 KiB"].measured == 1
    assert rows["ARMCI, get of 8 bytes, polling"].measured == 1


def test_contention_tells_who_is_served(tmp_path: Path) -> None:
    def output(least: float, mean: float, most: float) -> str:
        line = f"senders=8 min={least} mean={mean} max={most}\n"
        return "".join(
            f"dcmf_contention operation=x every=1 bytes={size} count={count} {line}"
            for size, count in dcmf_contention.COUNTS.items()
        )

    even = output(100, 105, 109)
    lab = Printed(tmp_path, {"contention-put": output(50, 300, 400), "contention-get": even, "contention-send": even})
    measured = dcmf_contention.measure(lab, "8x8x8", dcmf_contention.COUNTS)
    assert measured["get"][4][128] == Times(100, 105, 109)
    rows = dcmf_contention.rows(measured, short=False)
    assert [row.measured for row in rows[-3:]] == [1, 1, 1]
    assert named(rows)["put, all nodes, 16384 bytes, most"].published == 350
    assert all(row.published is None for row in dcmf_contention.rows(measured, short=True)[:-3])
    assert set(dcmf_contention.PUBLISHED) == set(KINDS)
    with pytest.raises(ToroidError, match="printed 4 lines, expected 1"):
        dcmf_contention.measure(lab, "8x8x8", {128: 1})


def test_barriers_and_the_collective_network(tmp_path: Path) -> None:
    lab = Printed(
        tmp_path,
        {
            "barrier-global": "barrier ranks=8 over=global-interrupts rounds=64 us=1.5 early=0\n",
            "barrier-messages": "barrier ranks=8 over=messages rounds=64 us=9.5 early=0\n",
            "tree-broadcast": "tree ranks=8 operation=broadcast bytes=1024 rounds=2 us=2.00 MB/s=512.0\n",
            "tree-": "tree ranks=8 operation=sum bytes=1024 rounds=2 us=4.00 MB/s=256.0\n",
        },
    )
    times = dcmf_networks.measure_barriers(lab, ("2x2x2", "4x4x4"), ("2x2x2",))
    rows = named(dcmf_networks.barrier_rows(times))
    assert rows["64 nodes, network alone"].measured == pytest.approx(6.4)
    assert rows["64 nodes, network alone"].published is None
    assert rows["8 nodes, DCMF over messages"].measured == 9.5
    assert rows["faster over the global interrupts than by messages"].measured == 1
    limit = dcmf_networks.payload_limit(lab)
    assert limit == pytest.approx(850 * 256 / 266)
    tree = named(dcmf_networks.tree_rows(dcmf_networks.measure_tree(lab, "2x2x2", (1024,)), limit))
    assert tree["broadcast, 1024 bytes"].measured == 512
    assert tree["broadcast, 1024 bytes"].published == limit
    assert tree["sum of doubles, 1024 bytes"].published is None
