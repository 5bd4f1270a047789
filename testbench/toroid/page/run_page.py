# SPDX-License-Identifier: Apache-2.0
"""The page of a run: what its result and its trace say, in a template."""

from __future__ import annotations

import html
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from toroid.description import Value, written
from toroid.errors import write_text
from toroid.machine import load_machine
from toroid.page.calls import call_section
from toroid.page.dma import dma_section
from toroid.page.latencies import latency_section
from toroid.page.links import torus_section
from toroid.page.packing import Json, as_text
from toroid.page.protocols import protocol_section
from toroid.page.timeline import MOST_PIECES, timeline_section
from toroid.page.tree import tree_section
from toroid.page.trouble import place_of_trouble
from toroid.result import Result
from toroid.run_summary import explanation, omission, rank_lines, shown, summary_rows
from toroid.simulator import Outcome
from toroid.trace.reader import Trace
from toroid.units import fitting

TEMPLATE = Path(__file__).parent / "template"
# In the order in which they need each other.
SCRIPTS = ("base.js", "summary.js", "torus.js", "timeline.js", "chart.js", "charts.js", "dma.js")
_ENDED = {
    "completed": "completed", "timeout": "timed out", "interrupted": "interrupted", "deadlock": "deadlock",
    "stuck": "stuck", "aborted": "aborted", "fault": "fault", "failed": "simulator failed",
}  # fmt: skip


def write_run_page(path: Path, trace: Trace, outcome: Outcome) -> None:
    """The same result and trace give the same bytes. Raises ToroidError where it cannot be written."""
    data = page_data(trace, outcome)
    write_text(path, filled("index.html", data["run"]["title"], data, SCRIPTS))


def filled(template: str, title: str, data: Json, scripts: tuple[str, ...]) -> str:
    """A template with everything that belongs to it."""
    # As a text in HTML, a "<" could end the element.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    parts = {
        "TITLE": html.escape(title),
        "STYLE": "\n" + _text("style.css"),
        "SCRIPTS": "\n".join(f"<script>\n{_text(name)}</script>" for name in scripts),
        "DATA": text,
    }
    page = _text(template)
    for name, part in parts.items():  # data last: it may hold what looks like a mark
        page = page.replace(f"@{name}@", part, 1)
    return page


@cache
def _text(name: str) -> str:
    return (TEMPLATE / name).read_text(encoding="utf-8")


def page_data(trace: Trace, outcome: Outcome, most_pieces: int = MOST_PIECES) -> Json:
    result = outcome.result
    assert result is not None
    data = {
        "run": _run_section(trace, outcome, result),
        "torus": torus_section(trace, result),
        "timeline": timeline_section(trace, result, most_pieces),
        "calls": call_section(trace),
        "latency": latency_section(trace),
        "protocols": protocol_section(trace),
        "dma": dma_section(trace),
        "tree": tree_section(trace, result),
    }
    return data | {"notes": _notes(trace, data, result)}


def _run_section(trace: Trace, outcome: Outcome, result: Result) -> Json:
    configured = result.configuration
    run = configured["run"]
    shape = "x".join(map(str, configured["shape"]))
    open_ends = [name for name, wrap in zip(configured["dimensions"], configured["wrap"], strict=True) if not wrap]
    machine = load_machine(configured["machine"])
    mode = configured["modes"][run["mode"]]["title"]
    ranks = len(result.ranks)
    # Not what it cost the host: that differs from run to run.
    figures = summary_rows(replace(outcome, host=None))
    trouble = [] if result.ended == "completed" else [explanation(result) or result.ended]
    trouble += rank_lines(result)
    ended = _ENDED[result.ended]
    if result.ended == "completed" and outcome.status:
        ended = f"exit status {outcome.status}"
    program = trace.metadata.program
    return {
        "program": program,
        "title": f"{program} on {shape} - Toroid",
        "subtitle": f"{machine.title}, {shape} nodes, {ranks} rank{'s' if ranks != 1 else ''}, {mode}",
        "ended": result.ended,
        "ended_text": ended,
        "trouble": trouble,
        "where": place_of_trouble(trace, result) if trouble else None,
        "figures": [
            {"name": row.row, "unit": row.unit, "value": row.measured, "text": as_text(*shown(row))} for row in figures
        ],
        "configuration": [
            ["program", " ".join([Path(run["program"]).name, *run.get("arguments", [])])],
            ["machine", f"{machine.title} ({configured['machine']})"],
            ["shape", shape + (f", open along {', '.join(open_ends)}" if open_ends else "")],
            ["ranks", f"{ranks}, {mode}"],
            ["mapping", _mapping(run, configured["dimensions"])],
            ["environment", " ".join(f"{key}={value}" for key, value in run.get("environment", {}).items()) or "empty"],
            ["changed", _changed(configured["parameters"], machine.flat()) or "no parameter of the machine"],
            ["seed", str(configured["seed"])],
        ],
    }


_LETTERS_FROM_THE_FIRST = 3  # dimensions


def _mapping(run: dict[str, object], dimensions: list[str]) -> str:
    if run.get("mapping"):
        return Path(str(run["mapping"])).name
    if run.get("order"):
        return str(run["order"])
    # The first of three letters counts fastest, the last of an order such as ABCDET.
    usual = f"{dimensions[0]} fastest" if len(dimensions) <= _LETTERS_FROM_THE_FIRST else "".join(dimensions) + "T"
    return f"{usual}, as the machine numbers nodes"


def _changed(given: dict[str, Value], shipped: dict[str, Value]) -> str:
    return ", ".join(f"{name}={written(value)}" for name, value in given.items() if shipped.get(name) != value)


def _notes(trace: Trace, data: Json, result: Result) -> list[str]:
    """What the page does not show although it happened, or would have happened on the machine."""
    notes = []
    if text := omission(result):
        notes.append(f"{text[0].upper()}{text[1:]}.")
    torus, timeline, latency = data["torus"], data["timeline"], data["latency"]
    if not trace.whole:
        notes.append("The trace is cut short: what came after its end is in the summary only.")
    if torus["node"]:
        width = as_text(*fitting(torus["end_ns"] / torus["bins"], "ns"))
        notes.append(f"Loads of links are means over {torus['bins']} slices of {width}.")
    if timeline["shortest_ns"] is not None:
        shortest = as_text(*fitting(timeline["shortest_ns"], "ns"))
        notes.append(
            f"The timeline has {timeline['pieces']:,} pieces. Those shorter than {shortest} are "
            f"drawn together with their neighbours, in the colour of what took most of that time; "
            f"{timeline['pieces_shown']:,} are left. Sums, parts and the table of calls are of all."
        )
    if len(trace["waits"]) or len(trace["calls"]):
        notes.append("Calls that a core makes while it turns in a steady polling loop are not recorded one by one.")
    if data["calls"]["left_out"]:
        notes.append(f"The table of calls ends there; {data['calls']['left_out']} more functions took less time.")
    if latency["copies"]:
        notes.append(f"{latency['copies']:,} copies that the deposit bit made have no latencies of their own.")
    if latency["under_way"]:
        notes.append(f"{latency['under_way']:,} packets had not been received at the end and have no latency.")
    if len(trace["torus_sent"]) and any(torus["retransmissions"]):
        notes.append(
            "Frames that were sent again although the receiver had them are in the numbers of the whole run, not in "
            "the slices of time."
        )
    return notes
