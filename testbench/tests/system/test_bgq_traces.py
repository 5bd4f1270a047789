# SPDX-License-Identifier: Apache-2.0
"""What reports, timelines and captures show of a Blue Gene/Q: its Messaging Units, and a torus of five dimensions."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from helpers import read_result, toroid

from toroid import paths
from toroid.browser import Page, browser_page
from toroid.trace.reader import Trace, read_trace

PUT_PACKETS = 8  # of the 4000 bytes that mu_put puts, beside one packet for a FIFO
LAST = "1,1,1,1,1"


@dataclass(frozen=True)
class Made:
    folder: Path
    trace: Trace
    result: dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("traces")
    outputs: list[str | Path] = []
    for option, name in {"trace": "t", "perfetto": "t.json.gz", "pcap": "t.pcapng", "report": "report"}.items():
        outputs += [f"--{option}", folder / name]
    program = paths.guest_program("mu_put", "bgq")
    done = toroid("run", "--machine", "bgq", "--shape", "2x2x2x2x2", "--results", folder, *outputs, program)
    assert done.returncode == 0, done.stderr
    return Made(folder, read_trace(folder / "t"), read_result(folder))


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as page:
        yield page


def test_the_trace_has_what_the_units_did(made: Made) -> None:
    mu, trace = made.result["mu"], made.trace
    assert len(trace["mu_descriptors"]) == len(trace["dma_messages_read"]) == mu["descriptors"] == 2
    assert len(trace["dma_packets"]) == len(trace["torus_written"]) == mu["packets_injected"] == 1 + PUT_PACKETS
    assert len(trace["torus_received"]) == mu["packets_received"]
    assert len(trace["mu_puts"]) == PUT_PACKETS
    assert trace["mu_puts"]["bytes"].sum() == 4000
    assert len(trace["torus_sent"]) == sum(link["packets"] for link in made.result["network"]["links"])


def test_the_timeline_has_the_units(made: Made) -> None:
    with gzip.open(made.folder / "t.json.gz") as file:
        events = json.load(file)["traceEvents"]
    names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert {"Messaging Unit of node 0,0,0,0,0", f"Messaging Unit of node {LAST}"} <= names
    assert [event["args"]["to"] for event in events if event["name"] == "put of 4,000 B"] == [LAST]


def test_tshark_takes_packets_of_the_units_apart(made: Made) -> None:
    fields = [f"toroid_mu.{name}" for name in ("node", "source", "destination", "kind", "chunks", "bytes", "fifo")]
    dissector = paths.ROOT / "testbench" / "wireshark" / "toroid.lua"
    options = [word for field in fields for word in ("-e", field)]
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{dissector}", "-r", made.folder / "t.pcapng", "-T", "fields", *options],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == len(made.trace["torus_sent"])
    assert {tuple(line[1:3]) for line in lines} == {("0,0,0,0,0", LAST)}
    first = [line[3:] for line in lines if line[0] == "0,0,0,0,0"]
    assert [line for line in first if line[0] == "0"] == [["0", "1", "", "0"]]  # a packet for reception FIFO 0
    puts = [line for line in first if line[0] == "1"]
    assert [(line[1], line[2]) for line in puts] == [("16", "512")] * 7 + [("13", "416")]


def test_the_page_shows_the_units_and_five_dimensions(made: Made, browser: Page) -> None:
    """Any three dimensions are the axes; with a plane of each of the others, eight nodes of a cube are left."""
    browser.open(made.folder / "report" / "index.html")
    assert browser.evaluate("document.getElementById('dma-title').textContent") == "Messaging Units"
    assert "injection 0.0" in browser.evaluate("document.getElementById('dma-fifos').innerText")
    browser.evaluate("document.getElementById('torus').scrollIntoView()")
    browser.settle()
    assert browser.evaluate("Toroid.torus.onScreen().nodes.length") == 32
    choose = """((label, value) => {
      const choice = document.querySelector(`#planes select[aria-label="${label}"]`);
      choice.value = value;
      choice.dispatchEvent(new Event("change"));
    })"""
    browser.evaluate(f"{choose}('Axis 1', 3)")
    axes = "[...document.querySelectorAll('#planes select[aria-label^=Axis]')].map((choice) => choice.value)"
    assert browser.evaluate(axes) == ["3", "1", "2"]
    browser.evaluate(f"{choose}('Axis 2', 3)")  # in the place of the other one
    assert browser.evaluate(axes) == ["1", "3", "2"]
    for plane in "AE":
        browser.evaluate(f"{choose}('Plane of {plane}', 1)")
    browser.settle()
    assert browser.evaluate("Toroid.torus.onScreen().nodes.map(({node}) => node)") is not None
    nodes = browser.evaluate("Toroid.torus.onScreen().nodes.map(({node}) => node)")
    assert sorted(nodes) == [node for node in range(32) if node & 1 and node & 16]
    assert browser.errors == []
