# SPDX-License-Identifier: Apache-2.0
"""`--report`: the page's numbers are those of result and trace, and a browser shows all of it without asking for more.

Each run of `RUNS` gets a page; most tests look at all of them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths
from toroid.browser import Page, browser_page
from toroid.page.latencies import packet_latencies
from toroid.page.run_page import SCRIPTS, filled, page_data
from toroid.page.timeline import pieces_of, rows_of, times_by_category
from toroid.result import load_result
from toroid.simulator import Outcome
from toroid.trace import records
from toroid.trace.functions import own_ports
from toroid.trace.messages import REGISTRATIONS, ports
from toroid.trace.reader import Trace, read_trace
from toroid.units import fitting

MPI = paths.ROOT / "testbench" / "tests" / "mpi" / "programs"
SECTIONS = ("summary", "torus", "timeline", "latency", "protocols", "tree")


@dataclass(frozen=True)
class Case:
    options: Arguments
    program: Path  # a source, or built already
    arguments: tuple[str, ...] = ()
    status: int = 0
    ended: str = "completed"


RUNS = {
    "c": Case(["--shape", "4x2x2"], MPI / "heat2d.c"),
    "fortran": Case(["--shape", "3x2x1", "--mesh", "X"], MPI / "heat.f90"),
    "vn": Case(["--shape", "2x2x2", "--mode", "vn"], MPI / "samplesort.c"),
    "one-node": Case(["--shape", "1x1x1"], MPI / "cpi.c"),
    "message-layer": Case(
        ["--shape", "3x2x1"],
        paths.guest_program("pingpong"),
        ("--iterations", "4", "--protocol", "eager", "--size", "700"),
    ),
    "timeout": Case(["--shape", "2x1x1", "--timeout", "700us"], paths.guest_program("stress"), (), 124, "timeout"),
    "deadlock": Case(["--shape", "2x2x1"], MPI.parent / "wrong" / "receives.c", (), 1, "deadlock"),
    "stuck": Case(["--set", "torus.stuck_after=50000"], PROGRAMS / "unread.c", (), 1, "stuck"),
    "fault": Case(["--shape", "2x1x1"], paths.guest_program("null"), (), 1, "fault"),
}


@dataclass(frozen=True)
class Made:
    page: Path
    data: dict[str, Any]
    result: dict[str, Any]
    trace: Trace
    directory: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    """Every run's page."""
    pages = {}
    for name, case in RUNS.items():
        where = tmp_path_factory.mktemp(name)
        program = case.program
        if program.suffix:
            program = compiled(program, where, "mpifort" if program.suffix == ".f90" else "mpicc")
        done = toroid(
            "run", *case.options, "--results", where, "--trace", where / "t", "--report", where / "report", program,
            *case.arguments,
        )  # fmt: skip
        assert done.returncode == case.status, done.stderr
        page = where / "report" / "index.html"
        assert f"report: {page}" in done.stderr
        assert list(page.parent.iterdir()) == [page]
        pages[name] = Made(page, data_of(page), read_result(where), read_trace(where / "t"), where)
    return pages


def data_of(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


# Numbers -------------------------------------------------------------------------------------------------------------


# Of a network that is stuck, packets are left in injection FIFOs: written, and not injected.
@pytest.mark.parametrize("name", [name for name in RUNS if name != "stuck"])
def test_numbers_are_those_of_the_result(made: dict[str, Made], name: str) -> None:
    data, result = made[name].data, made[name].result
    network, tree = result["network"], result["tree"]
    figures = {figure["name"]: figure["value"] for figure in data["run"]["figures"]}
    assert figures["simulated time"] == result["simulated_ns"] / 1000
    assert figures["packets injected"] == network["packets_injected"] == sum(data["torus"]["injected"])
    assert figures["packet hops"] == network["packet_hops"]
    assert sum(data["torus"]["received"]) == network["packets_delivered"]
    assert data["torus"]["packets"] == [link["packets"] for link in network["links"]]
    assert data["torus"]["busy"] == [link["busy_fraction"] for link in network["links"]]
    assert data["torus"]["mean_load"] == (figures["link load, mean"] or 0)
    assert sum(share["packets"] for share in data["protocols"]["shares"]) == network["packets_injected"]
    latency = data["latency"]
    assert latency["packets"] + latency["copies"] == network["packets_delivered"]
    assert sum(latency.get("counts", [])) == sum(line["packets"] for line in latency.get("by_hops", []))
    assert data["tree"]["injected"] == tree["packets_injected"] == sum(data["tree"]["programs"])
    assert data["tree"]["io_packets"] == tree["io_packets"] == sum(data["tree"]["kernels"])
    assert [node["calls"] for node in data["tree"]["io_nodes"]] == [node["calls"] for node in result["io_nodes"]]
    assert sum(line["calls"] for line in data["tree"]["io_calls"]) == sum(r["io"]["calls"] for r in result["ranks"])
    assert data["run"]["ended"] == RUNS[name].ended == result["ended"]


def unpacked(packed: dict[str, str]) -> np.ndarray[Any, Any]:
    return np.frombuffer(base64.b64decode(packed["data"]), dtype="<" + packed["kind"])


@pytest.mark.parametrize("name", RUNS)
def test_loads_over_time_have_the_mean_of_the_whole_run(made: dict[str, Made], name: str) -> None:
    torus = made[name].data["torus"]
    loads = unpacked(torus["loads"]).reshape(len(torus["node"]), torus["bins"]) / 65535
    # Each number is rounded to a part of 65535; what is on the wire at the end counts to there.
    assert loads.mean(axis=1) == pytest.approx(torus["busy"], abs=2e-5 + 1 / max(torus["end_ns"], 1))


@pytest.mark.parametrize("name", RUNS)
def test_every_moment_of_a_rank_has_one_category(made: dict[str, Made], name: str) -> None:
    trace, result = made[name].trace, load_result(made[name].directory / "result.json")
    rows = rows_of(trace, result)
    pieces = pieces_of(trace, rows)
    for number, row in enumerate(rows):
        mine = pieces[pieces["row"] == number]
        assert np.all(mine["begin"][1:] >= mine["end"][:-1])
        assert np.all(mine["end"] <= row.end)
    times = times_by_category(pieces, rows)
    assert times.sum(axis=1) == pytest.approx([row.end for row in rows], rel=1e-6)
    assert max(row.end for row in rows) == pytest.approx(trace.end, rel=0.05)


@pytest.mark.parametrize("name", RUNS)
def test_causes_add_up_to_the_latency(made: dict[str, Made], name: str) -> None:
    found = packet_latencies(made[name].trace)
    causes = [found.queue, found.blocked, found.passing, found.serialising]
    assert np.sum(causes, axis=0) == pytest.approx(found.total)
    assert all(np.all(cause >= -1) for cause in causes)
    # As in an empty network: the same for all packets that go over as many links, and for each more of them the same.
    facts = made[name].trace.metadata.torus
    cycle = 1e6 / made[name].trace.metadata.network_mhz
    expected = (facts.injection_cycles + facts.reception_cycles + found.hops * facts.hop_cycles) * cycle
    assert found.passing == pytest.approx(expected, abs=2.5 * cycle)


def test_messages_by_protocol_are_those_that_were_posted(made: dict[str, Made]) -> None:
    data, trace = made["message-layer"].data, made["message-layer"].trace
    shares = {share["protocol"]: share for share in data["protocols"]["shares"]}
    names = np.array(trace.metadata.functions)[trace["calls"]["function"]]
    posted = np.count_nonzero(names == "bglml_eager_post")
    assert posted > 0
    assert shares["eager"]["messages"] == posted
    assert shares["eager"]["bytes"] == 700 * posted
    assert shares["eager"]["packets"] == 3 * posted  # 224 bytes in the first, 240 in the others


def test_mpi_by_function_and_protocol(made: dict[str, Made]) -> None:
    data = made["c"].data
    functions = {line["name"]: line for line in data["calls"]["functions"]}
    assert functions["MPI_Init"]["calls"] == functions["MPI_Finalize"]["ranks"] == 16
    assert not any("_register" in name for name in functions)
    assert data["protocols"]["message_layer"]
    assert {share["protocol"] for share in data["protocols"]["shares"]} & {"one-packet", "eager", "adaptive eager"}


def test_ports_are_known(made: dict[str, Made]) -> None:
    """In the order in which docs/guide/traces.md tells those of MPI, and the layer's own as it registers them. This
    program has no windows."""
    mpi = {number: protocol for number, (_, protocol) in ports(made["c"].trace).items()}
    assert mpi == {number: protocol for number, (_, protocol) in enumerate(own_ports("bgl"))} | {
        10: "one-packet", 11: "eager", 12: "adaptive eager", 13: "rendezvous",
    }  # fmt: skip
    registered = [
        int(call["result"])
        for call in made["c"].trace["calls"]
        if call["rank"] == 0 and made["c"].trace.metadata.functions[call["function"]] in REGISTRATIONS
    ]
    own = [number for number, (_, protocol) in enumerate(own_ports("bgl")) if protocol in REGISTRATIONS.values()]
    assert registered == [*own, *range(10, 14)]


def test_a_run_that_went_wrong_says_so(made: dict[str, Made]) -> None:
    assert made["c"].data["run"]["trouble"] == []
    assert "MPI_Recv" in "\n".join(made["deadlock"].data["run"]["trouble"])
    for name in ("timeout", "deadlock", "stuck", "fault"):
        assert made[name].data["run"]["trouble"][0]
    unfinished = {line["name"]: line["unfinished"] for line in made["deadlock"].data["calls"]["functions"]}
    assert unfinished["MPI_Recv"] == 4


def test_the_same_page_to_the_byte_and_the_same_result(made: dict[str, Made], tmp_path: Path) -> None:
    case = RUNS["message-layer"]
    report = tmp_path / "r"
    done = toroid("run", *case.options, "--results", tmp_path, "--report", report, case.program, *case.arguments)
    assert done.returncode == 0, done.stderr
    assert (report / "index.html").read_bytes() == made["message-layer"].page.read_bytes()
    assert not (tmp_path / "trace.bin").exists()
    again, first = read_result(tmp_path), dict(made["message-layer"].result)
    for result in (again, first):
        result["configuration"] = result["configuration"] | {"run": None}
    assert again == first


# In a browser --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as page:
        yield page


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_shows_every_section(made: dict[str, Made], browser: Page, name: str, dark: bool) -> None:
    browser.errors.clear()
    browser.requests.clear()
    page = made[name].page
    browser.open(page, dark=dark)
    assert browser.errors == []
    assert browser.requests == [page.resolve().as_uri()]
    for section in SECTIONS:
        text = browser.evaluate(f"document.getElementById('{section}').innerText")
        assert len(text) > 60, section
        assert not re.search(r"undefined|NaN|null|\[object|@[A-Z]+@", text), text
    tiles = "[...document.querySelectorAll('[data-figure]')].map(({dataset: d}) => [d.figure, Number(d.value)])"
    shown = dict(browser.evaluate(tiles))
    assert shown["packets injected"] == made[name].result["network"]["packets_injected"]
    assert shown["packet hops"] == made[name].result["network"]["packet_hops"]
    visible = browser.evaluate("!document.getElementById('trouble').hidden")
    assert visible == (RUNS[name].ended != "completed")
    # Nothing stands out over the side, and both canvases show something.
    assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for canvas in ("torus-canvas", "timeline-canvas"):
        assert browser.evaluate(colours(canvas)) > 1


@pytest.mark.parametrize("name", ["deadlock", "stuck", "fault"])
def test_a_page_opens_where_it_went_wrong(made: dict[str, Made], browser: Page, name: str) -> None:
    data, trace = made[name].data, made[name].trace
    where = data["run"]["where"]
    if name == "deadlock":
        last = trace["waits"][-1]
        assert last["flags"] & records.UNFINISHED
        assert (where["time_ns"], where["ranks"]) == (last["time"] / 1000, [0, 1, 2, 3])
        assert where["time_ns"] < data["timeline"]["end_ns"] / 2  # it is found later
    elif name == "stuck":
        assert where["time_ns"] == max(trace["torus_sent"]["end"].max(), trace["torus_received"]["time"].max()) / 1000
        waiting = [rank["rank"] for rank in made[name].result["ranks"] if rank["waiting"] is not None]
        assert where["ranks"] == waiting
    else:
        assert (where["time_ns"], where["ranks"]) == (trace.end / 1000, [0])
    browser.open(made[name].page)
    begin, end = browser.evaluate("Toroid.torus.slice()")
    assert begin <= where["time_ns"] <= end
    begin, end = browser.evaluate("Toroid.timeline.view()")
    assert begin <= where["time_ns"] <= end
    assert end - begin < data["timeline"]["end_ns"] * 0.6
    text = browser.evaluate("document.getElementById('trouble-where').innerText")
    assert f"at rank {where['ranks'][0]}" in text
    # Its node has a ring, which no other page has.
    bad = browser.evaluate(has_colour("torus-canvas", "bad"))
    assert bad
    browser.open(made["c"].page)
    assert made["c"].data["run"]["where"] is None
    assert not browser.evaluate(has_colour("torus-canvas", "bad"))


def has_colour(canvas: str, name: str) -> str:
    return f"""(() => {{
      const canvas = document.getElementById("{canvas}"), context = canvas.getContext("2d");
      const [r, g, b] = Toroid.colour("{name}").match(/[0-9a-f]{{2}}/gi).map((part) => parseInt(part, 16));
      const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
      for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) return true;
      return false;
    }})()"""


def test_axes_have_titles(made: dict[str, Made], browser: Page) -> None:
    for width in (1280, 420):
        browser.open(made["c"].page, width=width)
        for chart, titles in (
            ("histogram", ["latency of a packet", "packets"]), ("tree-chart", ["simulated time", "packets injected"])
        ):  # fmt: skip
            found = browser.evaluate(
                f"[...document.querySelectorAll('#{chart} .across, #{chart} .up')].map((text) => text.textContent)"
            )
            assert found == titles
            # Drawn for its width, in which letters keep their size.
            picture = f"document.querySelector('#{chart} svg')"
            ratio = browser.evaluate(f"{picture}.getBoundingClientRect().width / {picture}.viewBox.baseVal.width")
            assert ratio == pytest.approx(1)


def test_pages_show_quantities_as_tables_do(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page)
    times = [0, 0.25, 1, 999, 999.9, 1000, 4167, 12345.678, 999_999, 1e6, 1.5e9, 2e13]
    sizes = [0, 1, 1023, 2048, 10_239, 10_240, 123_456, 10 * 2**20, 2**35]
    for function, unit, values in (("time", "ns", times), ("bytes", "bytes", sizes)):
        shown = browser.evaluate(f"{json.dumps(values)}.map((value) => Toroid.{function}(value))")
        told = [text.replace("\u202f", ",").replace("µs", "us").replace(" B", " bytes") for text in shown]
        assert told == [" ".join(fitting(value, unit)) for value in values]


def test_wide_tables_scroll_and_show_it(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page, width=420)
    tables = browser.evaluate("""[...document.querySelectorAll("main table")].map((table) => {
      const place = table.closest(".scroll");
      if (place === null) return [table.id, false, 0];
      const style = getComputedStyle(place);
      return [table.id, true, table.scrollWidth - place.clientWidth, place.scrollWidth - place.clientWidth,
              style.overflowX, style.backgroundAttachment, place.offsetHeight - place.clientHeight];
    })""")
    assert all(line[1] for line in tables), tables
    wide = [line for line in tables if line[2] > 0]
    assert len(wide) >= 3
    for _, _, beyond, scrolls, overflow, attachment, bar in wide:
        assert (scrolls, overflow) == (beyond, "auto")
        assert attachment == "local, local, scroll, scroll"  # shadows at the edges
        assert bar > 0


def colours(canvas: str) -> str:
    """How many there are on a canvas."""
    return f"""(() => {{
      const canvas = document.getElementById("{canvas}"), context = canvas.getContext("2d");
      return new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
    }})()"""


PICTURE = "document.getElementById('torus-canvas').toDataURL()"


def test_the_slider_recolours_the_links(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page)
    torus = made["c"].data["torus"]
    loads = unpacked(torus["loads"]).reshape(-1, torus["bins"])
    busiest, idlest = (int(pick(loads.sum(axis=0))) for pick in (np.argmax, np.argmin))
    assert browser.evaluate("Number(document.getElementById('slice').value)") == busiest  # where it begins
    pictures = {}
    for slice_ in (busiest, idlest):
        browser.evaluate(
            f"(s => {{ s.value = {slice_}; s.dispatchEvent(new Event('input')) }})(document.getElementById('slice'))"
        )
        browser.settle()
        pictures[slice_] = browser.evaluate(PICTURE)
        assert f"({slice_ + 1} of {torus['bins']})" in browser.evaluate(
            "document.getElementById('slice-text').textContent"
        )
    assert pictures[busiest] != pictures[idlest]
    browser.evaluate("document.getElementById('play').click()")
    browser.evaluate("new Promise(done => setTimeout(done, 300))")
    assert browser.evaluate("Number(document.getElementById('slice').value)") != idlest
    browser.evaluate("document.getElementById('play').click()")


def test_turning_and_zooming_the_torus(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page)
    browser.evaluate("document.getElementById('torus').scrollIntoView()")
    box = browser.evaluate("(b => [b.x, b.y, b.width, b.height])(document.getElementById('torus-canvas')"
                           ".getBoundingClientRect())")  # fmt: skip
    before = browser.evaluate(PICTURE)
    browser.drag(box[0] + 60, box[1] + 60, 90, 40)
    turned = browser.evaluate(PICTURE)
    browser.mouse("mouseWheel", box[0] + 60, box[1] + 60, deltaX=0, deltaY=-200, modifiers=2)
    assert len({before, turned, browser.evaluate(PICTURE)}) == 3
    browser.evaluate("document.getElementById('torus-fit').click()")
    browser.mouse("mouseMoved", 5, 5)
    assert browser.evaluate(PICTURE) == before


def test_numbers_under_the_pointer(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page)
    torus = made["c"].data["torus"]
    browser.evaluate("document.getElementById('torus').scrollIntoView()")
    browser.settle()
    at = browser.evaluate("""(() => {
      const box = document.getElementById("torus-canvas").getBoundingClientRect(), shown = Toroid.torus.onScreen();
      const link = shown.links.findLast(({link}) => link.row !== null && !link.closes);
      const dot = shown.nodes[shown.nodes.length - 1];
      return {
        link: [box.x + (link.x0 + link.x1) / 2, box.y + (link.y0 + link.y1) / 2], row: link.link.row,
        node: [box.x + dot.x, box.y + dot.y], number: dot.node,
      };
    })()""")
    browser.mouse("mouseMoved", *at["link"])
    tip = browser.evaluate("document.getElementById('tip').innerText")
    row = at["row"]
    assert f"{torus['packets'][row]} packets" in tip.replace("\u202f", "")
    assert f"load of the whole run: {100 * torus['busy'][row]:.2f} %" in tip
    browser.mouse("mouseMoved", *at["node"])
    tip = browser.evaluate("document.getElementById('tip').innerText").replace("\u202f", "")
    assert f"injected {torus['injected'][at['number']]}, received {torus['received'][at['number']]} packets" in tip
    browser.mouse("mouseMoved", 5, 5)
    assert browser.evaluate("document.getElementById('tip').hidden")


def test_the_timeline_zooms_and_names_calls(made: dict[str, Made], browser: Page) -> None:
    browser.open(made["c"].page)
    lines = made["c"].data["timeline"]
    function, begin = unpacked(lines["function"]), unpacked(lines["begin"])
    first = int(np.flatnonzero(function != 65535)[0])
    browser.evaluate("document.getElementById('timeline').scrollIntoView()")
    browser.settle()
    assert lines["functions"][function[first]] in browser.evaluate(f"Toroid.timeline.describe(0, {begin[first] + 1})")
    x, y, width = browser.evaluate(
        "(b => [b.x, b.y, b.width])(document.getElementById('timeline-canvas').getBoundingClientRect())"
    )
    browser.mouse("mouseMoved", x + width / 2, y + 5)
    assert "rank 0" in browser.evaluate("document.getElementById('tip').innerText")
    for _ in range(3):
        browser.evaluate("document.getElementById('time-in').click()")
    begin_of_view, end_of_view = browser.evaluate("Toroid.timeline.view()")
    assert end_of_view - begin_of_view == pytest.approx(lines["end_ns"] / 8)
    browser.drag(x + width / 2, y + 5, 100, 0)
    assert browser.evaluate("Toroid.timeline.view()")[0] < begin_of_view


def test_a_timeline_of_too_many_pieces(made: dict[str, Made], browser: Page, tmp_path: Path) -> None:
    case = made["message-layer"]
    outcome = Outcome(0, load_result(case.directory / "result.json"), None, case.directory)
    data = page_data(case.trace, outcome, most_pieces=100)
    assert any("drawn together" in note for note in data["notes"])
    assert data["timeline"]["pieces"] == case.data["timeline"]["pieces"]
    assert data["timeline"]["times_ns"] == case.data["timeline"]["times_ns"]
    page = tmp_path / "merged.html"
    page.write_text(filled("index.html", "merged", data, SCRIPTS))
    browser.open(page)
    merged, begin = unpacked(data["timeline"]["merged"]), unpacked(data["timeline"]["begin"])
    assert merged.sum() == data["timeline"]["pieces"]
    most = int(np.argmax(merged))
    row = int(unpacked(data["timeline"]["row"])[most])
    browser.evaluate("(box => box.checked || box.click())(document.getElementById('seconds'))")
    tip = browser.evaluate(f"Toroid.timeline.describe({row}, {begin[most] + 1})")
    assert f"{merged[most]} short pieces" in tip.replace("\u202f", "")
    assert "drawn together" in browser.evaluate("document.getElementById('notes').innerText")
    browser.resize(420, 800)  # a telephone
    browser.settle()
    assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
