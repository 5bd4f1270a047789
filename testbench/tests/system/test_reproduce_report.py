# SPDX-License-Identifier: Apache-2.0
"""`reproduce --report`: an index of all figures, a page for each run; timelines and captures of all runs."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from helpers import toroid

from toroid.browser import browser_page
from toroid.errors import ToroidError
from toroid.experiments.harness import Lab, ProgramRun
from toroid.experiments.recording import Recording
from toroid.machine import load_machine
from toroid.page import index_page
from toroid.page.index_page import FigureResult, write_index_page
from toroid.result import load_result
from toroid.shape import parse_shape
from toroid.simulator import Outcome


def data_of(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_index_runs_timelines_and_captures(tmp_path: Path) -> None:
    results, report, perfetto, pcap = (tmp_path / name for name in ("results", "report", "perfetto", "pcap"))
    call: list[str | Path] = ["reproduce", "bgl", "fig6", "--results", results]
    done = toroid(*call, "--report", report, "--perfetto", perfetto, "--pcap", pcap)
    assert done.returncode == 0, done.stderr
    assert f"report: {report / 'index.html'}" in done.stderr
    with_report = (results / "rows.json").read_bytes()
    assert toroid(*call).returncode == 0
    assert (results / "rows.json").read_bytes() == with_report

    assert {str(path.relative_to(report)) for path in report.rglob("*.html")} == {"index.html", "runs/packet-read.html"}
    assert not list(results.rglob("trace.bin"))
    (figure,) = data_of(report / "index.html")["figures"]
    assert figure["rows"] == json.loads((results / "rows.json").read_text())["rows"]
    (run,) = figure["runs"]
    result = json.loads((results / "runs" / "packet-read" / "result.json").read_text())
    assert run["packets"] == result["network"]["packets_injected"]
    assert data_of(report / run["page"])["run"]["program"] == "packet_cost"
    with gzip.open(perfetto / "packet-read.json.gz") as file:
        assert len(json.load(file)["traceEvents"]) > 1000
    assert (pcap / "packet-read.pcapng").stat().st_size > 32 * result["network"]["packets_injected"]

    with browser_page() as browser:
        page = report / "index.html"
        browser.open(page)
        assert browser.errors == []
        assert browser.requests == [page.resolve().as_uri()]
        text = browser.evaluate("document.body.innerText")
        for row in figure["rows"]:
            assert row["row"] in text
        assert not re.search(r"undefined|NaN|null|\[object", text)
        assert browser.evaluate("document.querySelector('img').naturalWidth") > 300
        browser.open(report / browser.evaluate("document.querySelector('main a').getAttribute('href')"))
        assert browser.evaluate("document.getElementById('title').textContent") == "packet_cost"
        assert browser.errors == []


def test_only_the_runs_that_are_chosen(tmp_path: Path) -> None:
    report = tmp_path / "report"
    arguments: list[str | Path] = ["reproduce", "bgl", "fig6", "--results", tmp_path / "results", "--report", report]
    done = toroid(*arguments, "--trace-runs", "pingpong-*")
    assert done.returncode == 2
    assert "--trace-runs pingpong-*: fits no run; there were: packet-read" in done.stderr
    (figure,) = data_of(report / "index.html")["figures"]  # all else is there
    assert figure["rows"]
    assert figure["runs"][0]["why_no_page"] == "not chosen by --trace-runs"
    assert not (report / "runs").exists()
    done = toroid("reproduce", "bgl", "fig6", "--trace-runs", "x")
    assert done.returncode == 2
    assert "--trace-runs: nothing is recorded" in done.stderr


def test_a_run_that_fails_has_its_page(tmp_path: Path) -> None:
    machine = load_machine("bgl")
    recording = Recording(report=tmp_path)
    found = FigureResult("figure", "of a program that faults")
    recording.figures.append(found)
    lab = Lab(machine, tmp_path / "runs-of-lab", recording=recording, figure="figure")
    with pytest.raises(ToroidError) as failed:
        lab.run([ProgramRun("faulty", "null", (), parse_shape("2x1x1", "XYZ"))])
    found.error = str(failed.value)
    write_index_page(tmp_path / "index.html", machine, recording.figures, recording.lines())
    (figure,) = data_of(tmp_path / "index.html")["figures"]
    assert "null" in figure["error"]
    assert figure["runs"][0]["ended"] == "fault"
    assert data_of(tmp_path / figure["runs"][0]["page"])["run"]["trouble"]


def test_a_trace_that_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toroid.experiments.recording.LARGEST_TRACE", 1000)
    recording = Recording(report=tmp_path / "report")
    lab = Lab(load_machine("bgl"), tmp_path / "runs", recording=recording)
    lab.run([ProgramRun("hello", "hello", (), parse_shape("2x1x1", "XYZ"))])
    line = recording.lines()["hello"]
    assert isinstance(line, index_page.RunLine)
    assert line.page is None
    assert "is too large" in line.why_no_page
    assert not list(tmp_path.rglob("trace.bin"))


def test_an_interrupted_run_is_not_kept_waiting_for_its_page(tmp_path: Path) -> None:
    recording = Recording(report=tmp_path / "report")
    run = ProgramRun("hello", "hello", (), parse_shape("2x1x1", "XYZ"))
    lab = Lab(load_machine("bgl"), tmp_path / "runs")
    lab.run([run])
    where = tmp_path / "runs" / "hello"
    (where / "trace.bin").write_bytes(b"cut short")
    result = load_result(where / "result.json").model_copy(update={"ended": "interrupted"})
    recording.finish(run, Outcome(130, result, None, where))
    assert recording.lines()["hello"].why_no_page == "interrupted"
    assert not (where / "trace.bin").exists()
