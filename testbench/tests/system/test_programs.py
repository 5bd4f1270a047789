# SPDX-License-Identifier: Apache-2.0
"""Programs on the machine, as a person compiles and runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers import LAUNCHER, PROGRAMS, Arguments, compiled, read_result, toroid

from toroid import paths


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(paths.ROOT / "firmware" / "programs" / "bgl" / "hello.c", tmp_path_factory.mktemp("hello"))


def test_hello_from_every_rank(hello: Path, tmp_path: Path) -> None:
    done = toroid("run", "--results", tmp_path, "--json", tmp_path / "rows.json", hello)
    assert done.returncode == 0, done.stderr
    lines = sorted(done.stdout.splitlines())
    assert len(lines) == 32
    assert "hello from rank 0 of 32 at (0, 0, 0)" in lines
    assert "hello from rank 31 of 32 at (3, 3, 1)" in lines
    assert "simulated time" in done.stderr
    result = read_result(tmp_path)
    assert result["ended"] == "completed"
    assert [rank["rank"] for rank in result["ranks"]] == list(range(32))
    assert all(rank["instructions"] > 1000 and rank["status"] == 0 for rank in result["ranks"])
    measured = {row["row"]: row["measured"] for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    cores = [core for rank in result["ranks"] for core in (rank, rank["second_core"]) if core is not None]
    assert measured["instructions"] == sum(core["instructions"] for core in cores)


def test_packets_cost_what_the_machine_was_calibrated_to(tmp_path: Path) -> None:
    done = toroid("run", "--shape", "4x1x1", paths.guest_program("packet_cost"))
    assert done.returncode == 0, done.stderr
    cost = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", done.stdout)}
    # Published: 204 cycles to read into aligned memory, 50 to 100 to write. The call around it is some instructions.
    assert 204 <= cost["read"] < 204 + 40
    assert 50 <= cost["write"] <= 100
    assert cost["write"] < cost["write_from_memory"] <= 100
    assert cost["read"] < cost["read_unaligned"]


def test_memory_costs_what_the_machine_was_calibrated_to(tmp_path: Path) -> None:
    done = toroid("run", "--shape", "1x1x1", "--results", tmp_path, paths.guest_program("memory_cost"))
    assert done.returncode == 0, done.stderr
    cost = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", done.stdout)}
    # Published: streaming through a large contiguous buffer takes about 4.3 bytes a cycle.
    assert cost["stream"] == pytest.approx(4.3, rel=0.02)
    assert cost["l1"] == pytest.approx(3, rel=0.05)
    assert cost["l1"] < cost["l2"] < cost["l3"] < cost["memory"]
    memory = read_result(tmp_path)["ranks"][0]["memory"]
    assert memory["unresolved"] < 0.001 * memory["l1_hits"]
    assert memory["l1_misses"] > 3 * (8 << 20) / 32  # read, and copied from and to
    assert memory["l2_hits"] > 0.9 * memory["l1_misses"]  # by streams
    assert memory["memory_reads"] > 0 and memory["write_backs"] > (8 << 20) / 32


def test_stores_that_write_through_are_bound_by_memory(tmp_path: Path) -> None:
    cost = {}
    for name, options in (
        ("back", []),
        ("through", ["cache.l1_writes=write_through"]),
        ("slowly", ["cache.l1_writes=write_through", "cache.store_cycles=20"]),
    ):
        settings = [word for option in options for word in ("--set", option)]
        done = toroid(
            "run", "--shape", "1x1x1", *settings, "--results", tmp_path / name, paths.guest_program("memory_cost")
        )
        assert done.returncode == 0, done.stderr
        cost[name] = {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", done.stdout)}
        written_back = read_result(tmp_path / name)["ranks"][0]["memory"]["write_backs"]
        assert (written_back > 0) == (name == "back")
    assert cost["back"]["stream"] == pytest.approx(cost["slowly"]["stream"], rel=0.01)  # loads alone
    assert cost["through"]["copy"] > cost["back"]["copy"]  # what is copied to is not fetched
    assert cost["slowly"]["copy"] < 0.5 * cost["through"]["copy"]


def test_results_say_what_is_not_modelled(tmp_path: Path) -> None:
    cost = {}
    for name, options, left_out in (
        ("all", [], []),
        ("no caches", ["core.caches=false"], ["cache misses"]),
        ("no pipelines", ["core.pipeline=false"], ["pipelines of the cores"]),
    ):
        settings = [word for option in options for word in ("--set", option)]
        done = toroid(
            "run", "--shape", "1x1x1", *settings, "--results", tmp_path / name, paths.guest_program("memory_cost")
        )
        assert done.returncode == 0, done.stderr
        cost[name] = {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", done.stdout)}
        result = read_result(tmp_path / name)
        assert result.get("not_modelled", []) == left_out
        assert ("l1_hits" in result["ranks"][0]["memory"]) == (name != "no caches")
        assert (f"toroid: not modelled: {', '.join(left_out)}; " in done.stderr) == bool(left_out)
    # Every access takes what one in the first level takes; or every instruction a cycle, and misses what they take.
    assert cost["no caches"]["memory"] == pytest.approx(cost["all"]["l1"], rel=0.05)
    assert cost["no pipelines"]["l1"] < cost["all"]["l1"]
    assert cost["no pipelines"]["memory"] > 10 * cost["no pipelines"]["l1"]


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    done = toroid("run", "--shape", "3x2x1", compiled(paths.ROOT / "docs" / "examples" / "ring.c", tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "the sum of the ranks 0 to 5 is 15\n"
    assert "does not have" not in done.stderr  # every system call is served


def test_the_mpi_example(tmp_path: Path) -> None:
    program = compiled(paths.ROOT / "docs" / "examples" / "mpi_ring.c", tmp_path, "mpicc")
    done = toroid("run", "--shape", "3x2x1", "--results", tmp_path, program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the sum of the ranks 0 to 5 is 15, after ")


def test_prefix(hello: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", "--prefix", hello)
    assert done.returncode == 0, done.stderr
    for rank in range(2):
        line = next(line for line in done.stdout.splitlines() if f"hello from rank {rank} " in line)
        assert str(rank) in line.partition("hello")[0]


@pytest.mark.parametrize("options", [[], ["--prefix"]], ids=["plain", "prefix"])
def test_output_that_cannot_be_written(hello: Path, tmp_path: Path, options: list[str]) -> None:
    command: Arguments = [LAUNCHER, "run", "--shape", "2x1x1", "--results", tmp_path, *options, hello]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.count("some of the program's output could not be written: No space left on device\n") == 1
    assert read_result(tmp_path)["ended"] == "completed"


def test_mapping_places_the_ranks(hello: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    path.write_text("1 1 0 0\n0 1 0 0\n1 0 0 0\n0 0 0 0\n")
    done = toroid("run", "--shape", "2x2x1", "--map", path, hello)
    assert done.returncode == 0, done.stderr
    assert "hello from rank 0 of 4 at (1, 1, 0)" in done.stdout
    assert "hello from rank 3 of 4 at (0, 0, 0)" in done.stdout


@pytest.mark.parametrize(
    ("text", "where"),
    [
        pytest.param("0 0 0 0\n# a comment\n0 0 0 0\n", ":3: (0,0,0,0)", id="duplicate"),
        pytest.param("0 0 0\n1 0 0 0\n", ":1: 3 numbers where 4", id="coordinate left out"),
        pytest.param("0 0 0 0\n", "1 places for 2 ranks; (1,0,0,0) is missing", id="rank left out"),
        pytest.param("0 0 0 0\n2 0 0 0\n", ":2: coordinate 2", id="outside"),
        pytest.param("0 0 0 0\n1 0 0 1\n", ":2: processor 1", id="second processor"),
        pytest.param("0 0 0 0\n1 0 zero 0\n", ":2: 'zero'", id="no number"),
        pytest.param("", "0 places for 2 ranks", id="empty"),
    ],
)
def test_wrong_mapping_is_one_line(hello: Path, tmp_path: Path, text: str, where: str) -> None:
    path = tmp_path / "map.txt"
    path.write_text(text)
    done = toroid("run", "--shape", "2x1x1", "--map", path, hello)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert str(path) in done.stderr
    assert where in done.stderr


def test_a_mapping_is_a_regular_file(hello: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    os.mkfifo(path)
    done = toroid("run", "--shape", "2x1x1", "--map", path, hello)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"toroid-sim: {path}: not a regular file, which a mapping must be"]


def test_fewer_ranks_than_nodes(hello: Path) -> None:
    done = toroid("run", "--ranks", "3", hello)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert "of 3 at" in done.stdout


@pytest.mark.parametrize(
    ("command", "source", "expected"),
    [("c++", "hello.cpp", "hello from C++, sum 55"), ("fc", "hello.f90", "hello from Fortran, sum  10.00")],
)
def test_other_languages(tmp_path: Path, command: str, source: str, expected: str) -> None:
    program = compiled(PROGRAMS / source, tmp_path, command)
    done = toroid("run", "--shape", "2x1x1", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [expected, expected]


def test_arguments_environment_and_files_of_the_job(tmp_path: Path) -> None:
    source = tmp_path / "own.c"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(int argc, char** argv) {\n"
        '  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);\n'
        '  printf(" %s", getenv("COLOUR"));\n'
        '  FILE* outside = fopen("/etc/passwd", "r");\n'
        '  FILE* inside = fopen("data.txt", "r");\n'
        "  char text[20] = {0};\n"
        "  const int read = inside && fgets(text, sizeof text, inside);\n"
        '  printf(" %s %s\\n", outside ? "open" : "closed", read ? text : "none");\n'
        "}\n"
    )
    (tmp_path / "data.txt").write_text("inside")
    program = compiled(source, tmp_path)
    arguments: Arguments = ["run", "--shape", "1x1x1", "--env", "COLOUR=blue", program, "--shape", "a b", ""]
    done = toroid(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[--shape][a b][] blue closed inside\n"


def test_compiler_errors_are_the_compilers(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int main(void) { return nothing; }\n")
    done = toroid("cc", "bad.c", "-o", "bad", cwd=tmp_path)
    assert done.returncode == 1
    assert "bad.c:1:" in done.stderr
    assert not (tmp_path / "bad").exists()
    assert toroid("cc", "--version").stdout.startswith("powerpc-linux-gnu-gcc")


@pytest.mark.slow
def test_a_midplane_of_512_nodes(hello: Path) -> None:
    done = toroid("run", "--shape", "8x8x8", hello, timeout=300)
    assert done.returncode == 0, done.stderr
    assert len(set(done.stdout.splitlines())) == 512


@pytest.mark.parametrize("program", ["neighbours", "stress"])
def test_programs_check_their_own_messages(program: str) -> None:
    done = toroid("run", paths.guest_program(program), timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_demo(tmp_path: Path) -> None:
    done = toroid("demo", "--results", tmp_path, "--json", tmp_path / "copy.json", timeout=300)
    assert done.returncode == 0, done.stderr
    assert "published" in done.stdout
    rows = {row["row"]: row for row in json.loads((tmp_path / "copy.json").read_text())["rows"]}
    assert rows["one-packet half round trip"]["published"] == 1600
    assert rows["eager half round trip"]["published"] == 2700
    for protocol in ("one-packet", "eager"):
        assert abs(rows[f"latency per hop, {protocol}"]["deviation"]) <= 0.05
    assert rows["one-packet half round trip"]["measured"] < rows["eager half round trip"]["measured"]
    assert (tmp_path / "latency.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "rows.json").read_bytes() == (tmp_path / "copy.json").read_bytes()


def test_a_parameter_changes_the_demo(tmp_path: Path) -> None:
    done = toroid("demo", "--set", "torus.link_cycles=18", "--results", tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = {row["row"]: row["measured"] for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    # 16 network cycles a hop more: twice the 90 ns.
    assert rows["latency per hop, eager"] == pytest.approx(183, rel=0.05)


def test_a_late_reader_is_waited_for(tmp_path: Path) -> None:
    done = toroid("run", "--shape", "2x1x1", compiled(PROGRAMS / "late_reader.c", tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "received\n"


def test_pointers_to_nested_functions(tmp_path: Path) -> None:
    program = compiled(PROGRAMS / "nested.c", tmp_path)
    done = toroid("run", "--shape", "2x1x1", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 5\n1 5\n"
    done = toroid("run", "--shape", "1x1x1", program, "data")
    assert done.returncode == 1
    assert "which is data" in done.stderr


def test_fortran_finds_lines_and_has_scratch_files(tmp_path: Path) -> None:
    """libgfortran reads the program's file for its backtrace, and maps the parts of it."""
    source = tmp_path / "lines.f90"
    source.write_text(
        "program lines\n  integer :: i\n  open(10, status='scratch')\n  write(10, *) 42\n  rewind(10)\n"
        "  read(10, *) i\n  print '(i0)', i\n  read(10, *) i\nend program\n"
    )
    program = tmp_path / "lines"
    assert toroid("fc", "-g", source, "-o", program).returncode == 0
    job = tmp_path / "job"
    job.mkdir()
    done = toroid("run", "--shape", "1x1x1", "--directory", job, "--results", tmp_path / "results", program)
    assert (done.returncode, done.stdout.splitlines()[0]) == (2, "42"), done.stdout + done.stderr
    assert "lines.f90:8" in done.stdout + done.stderr
    assert "does not have" not in done.stderr
    assert list(job.iterdir()) == []
