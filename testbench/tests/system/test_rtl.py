# SPDX-License-Identifier: Apache-2.0
"""Units in Verilog in a machine that runs programs: what comes out, and their waves."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from helpers import Arguments, read_result, toroid
from waves import read_waves

from toroid import paths

LINK_CYCLES = 2
MHZ = 175
PINGPONG: Arguments = [paths.guest_program("pingpong"), "--protocol", "one-packet", "--size", "1"]


def test_a_program_over_routers_in_verilog_prints_and_counts_the_same(tmp_path: Path) -> None:
    outputs, results = [], []
    for name, options in (("model", []), ("verilog", ["--rtl", "router@all"])):
        done = toroid("run", "--shape", "2x2x2", *options, "--results", tmp_path / name, *PINGPONG, "--peers", "all")
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
        results.append(read_result(tmp_path / name))
    assert outputs[0] == outputs[1] != ""
    model, verilog = results
    rtl = verilog.pop("rtl")
    assert isinstance(rtl, dict)
    assert rtl["changed_bytes"] == 0
    assert [unit["unit"] for unit in rtl["units"]] == [
        f"router@{x},{y},{z}" for z in range(2) for y in range(2) for x in range(2)
    ]
    assert all(unit["clock_cycles"] > 0 for unit in rtl["units"])
    for result in results:
        del result["configuration"]
    assert verilog == model


@pytest.mark.parametrize("bit_error_rate", ["0", "1e-4"])
def test_a_program_over_links_in_verilog_prints_and_counts_the_same(tmp_path: Path, bit_error_rate: str) -> None:
    results = []
    for name, options in (("model", []), ("verilog", ["--rtl", "link@all"])):
        done = toroid(
            "run", "--shape", "2x2x2", *options, "--set", f"torus.bit_error_rate={bit_error_rate}", "--results",
            tmp_path / name, *PINGPONG, "--peers", "all",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        results.append((done.stdout, read_result(tmp_path / name)))
    rtl = results[1][1].pop("rtl")
    assert isinstance(rtl, dict)
    assert len(rtl["units"]) == 8 * 6
    assert rtl["changed_bytes"] == 0
    for _, result in results:
        del result["configuration"]
    assert results[0] == results[1]


def test_traffic_over_routers_in_verilog(tmp_path: Path) -> None:
    done = toroid(
        "traffic", "--shape", "3x2x2", "--rtl", "router@all", "--load", "0.4", "--warmup", "500", "--measure", "2000",
        "--check", "--sizes", "32,256", "--results", tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert read_result(tmp_path / "load-0.4")["ended"] == "completed"


def test_waves_show_a_packets_bytes_on_the_pins_of_both_routers(tmp_path: Path) -> None:
    waves, capture = tmp_path / "waves.fst", tmp_path / "link.pcapng"
    done = toroid(
        "run", "--shape", "2x1x1", "--rtl", "router@0,0,0", "--rtl", "router@1,0,0", "--waves", waves, "--waves-to",
        "200us", "--pcap", capture, "--pcap-filter", "link=0,0,0:X+", *PINGPONG, "--peers", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    out = [f"router@0,0,0.link_out_{pin}" for pin in ("valid[5:0]", "first[5:0]", "data[47:0]")]
    into = [f"router@1,0,0.link_in_{pin}" for pin in ("valid[5:0]", "first[5:0]", "data[47:0]")]
    cycle = "network.cycle[63:0]"
    columns = [(time, values) for time, values in read_waves(waves, *out, *into, cycle).columns if cycle in values]
    began = {values[cycle]: time for time, values in reversed(columns)}
    assert all(time == number * 1_000_000 // MHZ for number, time in began.items())

    def wire(pins: list[str], link: int) -> list[tuple[int, int, int]]:
        """Cycle, first, byte."""
        at = {values[cycle]: values for _, values in columns}
        valid, first, data = pins
        return [
            (number, values[first] >> link & 1, values[data] >> 8 * link & 0xFF)
            for number, values in at.items()
            if values[valid] >> link & 1
        ]

    left = wire(out, 0)  # X+
    came = wire(into, 1)  # from X-
    assert len(left) > 500
    assert [(number + LINK_CYCLES, first, byte) for number, first, byte in left][: len(came)] == came[: len(left)]

    starts = [place for place, (_, first, _) in enumerate(left) if first]
    packet = left[starts[0] : starts[1]]
    numbers = [number for number, _, _ in packet]
    assert numbers == list(range(numbers[0], numbers[0] + len(packet)))
    assert len(packet) % 32 == 0
    # Past the hardware header, which routers change.
    assert bytes(byte for _, _, byte in packet)[8:] in capture.read_bytes()


def test_the_saved_layout_names_signals_that_there_are(tmp_path: Path) -> None:
    waves = tmp_path / "waves.fst"
    done = toroid(
        "run", "--shape", "2x2x2", "--rtl", "router@0,0,0", "--waves", waves, "--waves-to", "1us", *PINGPONG,
        "--peers", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = (paths.ROOT / "nic" / "bgl" / "rtl" / "router.gtkw").read_text().splitlines()
    named = [line for line in lines if re.match(r"\w", line)]
    assert len(named) > 40
    assert set(named) - read_waves(waves).names == set()


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["--rtl", "router@0,0,2"], '"router@0,0,2": there is no such node; the shape is 2x2x2'),
        (["--rtl", "tree@io7"], '"tree@io7": there is no such I/O node; the machine has io0'),
        (["--rtl", "router@all", "--set", "torus.receiver_cycles=9"], "torus.receiver_cycles must be 8"),
        (["--rtl", "link@all", "--set", "torus.resend_packets=9"], "torus.resend_packets must be at most 8"),
        (
            ["--rtl", "router@0,0,0", "--waves", "w.fst", "--waves-scope", "router@1,0,0"],
            'no RTL unit is called "router@1,0,0"; there is router@0,0,0',
        ),
        (
            ["--rtl", "router@0,0,0", "--waves", "w.fst", "--waves-scope", "router@0,0,0.arbitr"],
            'there is no scope "router@0,0,0.arbitr"; below router@0,0,0 there is arbiter, ',
        ),
    ],
)
def test_what_there_is_not_is_refused(tmp_path: Path, options: list[str], wrong: str) -> None:
    done = toroid("run", "--shape", "2x2x2", *options, *PINGPONG, cwd=tmp_path)
    assert done.returncode == 2
    assert wrong in done.stderr


def has_content(file: Path) -> bool:
    """The simulator removes an empty file, which shows that it can be written, and makes it anew."""
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False


def test_an_interrupted_run_leaves_complete_waves(tmp_path: Path) -> None:
    waves = tmp_path / "waves.fst"
    command: Arguments = [paths.ROOT / "toroid", "run", "--shape", "2x1x1", "--rtl", "router@0,0,0", "--waves", waves]
    with subprocess.Popen(
        [*command, "--results", tmp_path / "run", *PINGPONG, "--peers", "1", "--iterations", "5000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        while not has_content(waves):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
    assert "router@0,0,0.clk" in read_waves(waves).names
