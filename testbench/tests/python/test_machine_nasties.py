# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions made to break their reader: each loads or is refused in few lines, and soon."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from helpers import SHIPPED, toroid

from toroid.errors import FileError, UserError
from toroid.machine import load_machine

VALUE = "value: 700, unit: MHz"  # of core.clock
# A description is read in some hundredths of a second. For what never ends, not for what is slow.
LONGEST_S = 20


@contextmanager
def bounded() -> Iterator[None]:
    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError("reading a description does not end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refusal(content: bytes, directory: Path) -> str | None:
    """What is said of a file with this content, or None where it is a description."""
    path = directory / "mine.yaml"
    path.write_bytes(content)
    with bounded():
        try:
            load_machine(str(path))
        except UserError as error:
            return str(error)
    return None


def check_refusal(said: str, directory: Path) -> None:
    lines = said.splitlines()
    assert 1 <= len(lines) <= 21
    for line in lines:
        assert line.startswith(f"{directory}/mine.yaml:"), line
        assert line.isprintable(), line
        assert len(line) < 1000


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join(9 * [f'*a{n - 1}'])}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        pytest.param("a: " + 3000 * "[", "1:11", "more than 8 levels of lists and mappings", id="brackets"),
        pytest.param("a: " + 3000 * "{x: ", "1:32", "more than 8 levels of lists and mappings", id="braces"),
        pytest.param("a: &a [*a]", "1:4", "the anchor &a; expected the value alone", id="an alias that holds itself"),
        pytest.param(bomb(9), "1:5", "the anchor &a0; expected the value alone", id="an alias bomb"),
        pytest.param("a: *b", "1:4", "the alias *b; expected the value itself, written out", id="an alias"),
        pytest.param("a: &x 1\nb: &x 2", "1:4", "the anchor &x; expected the value alone", id="an anchor twice"),
        pytest.param("a: " + 5000 * "9", "1:4", "a number of 5000 digits; expected 18 at most", id="digits"),
        pytest.param("a: !!float abc", "1:4", "the tag tag:yaml.org,2002:float; expected the value alone", id="a tag"),
        pytest.param(
            "a: !!python/name:os.system ''", "1:4", "the tag tag:yaml.org,2002:python/name:os.system", id="py"
        ),
        pytest.param("a: 1\n3: b", "2:1", "the key 3 is a number; expected a name", id="a number as key"),
        pytest.param("a: 1\n~: b", "2:1", "the key ~ is nothing; expected a name", id="null as key"),
        pytest.param("a: 1\n: b", "2:1", "the key is nothing; expected a name", id="no key"),
        pytest.param("true: b", "1:1", "the key true is a truth value; expected a name", id="a truth value as key"),
        pytest.param("? [a]\n: b", "1:3", "the key is a list; expected a name", id="a list as key"),
        pytest.param("? {a: b}\n: b", "1:3", "the key is a mapping; expected a name", id="a mapping as key"),
        pytest.param('"a\\nb": c', "1:1", r"the key a\nb; expected a name", id="a line break in a key"),
        pytest.param('a: "\\e[31m"', "1:4", r"the character '\x1b' in a text; expected printable ones", id="an escape"),
        pytest.param("a: \x1b[31m", "1:4", r"not valid YAML: the character '\x1b'; expected printable", id="a raw one"),
        pytest.param("a: 1\na: 2", "2:1", "duplicate key a; the first one is in line 1", id="a key twice"),
        pytest.param("a: 1\n---\nb: 2", "2:1", "a second document; expected one in a file", id="two documents"),
        pytest.param(
            'a: 1\nb: "\\UFFFFFFFF"', "2:5", r"not valid YAML: \UFFFFFFFF is not a character", id="far beyond all"
        ),
        pytest.param(
            'a: "x\\U00110000"', "1:6", r"not valid YAML: \U00110000 is not a character", id="a character beyond all"
        ),
        pytest.param("%YAML 9.9.9\n---\na: 1", "1:", "not valid YAML: ", id="a directive"),
        pytest.param("a: &" + 9999 * "x", "1:4", "the anchor &xxx", id="a long anchor"),
        pytest.param("a: !<" + 9999 * "x" + "> 1", "1:4", "the tag xxx", id="a long tag"),
        pytest.param(9999 * "x" + ": 1", "1:", "", id="a long key"),
        pytest.param("a: @b", "1:4", "not valid YAML: ", id="a reserved sign"),
    ],
)
def test_what_descriptions_have_no_use_for(tmp_path: Path, text: str, place: str, expected: str) -> None:
    said = refusal(text.encode(), tmp_path)
    assert said is not None
    assert said.startswith(f"{tmp_path}/mine.yaml:{place}"), said
    assert expected in said
    assert "\n" not in said
    check_refusal(said, tmp_path)


@pytest.mark.parametrize(
    "value", ["2001-99-99", "1e999", "0x1F", "1_000", "[1]", "{a: b}", "", "0.0.0", "1" * 18 + "e9999"]
)
def test_values_that_are_no_numbers(tmp_path: Path, value: str) -> None:
    said = refusal(SHIPPED.read_bytes().replace(VALUE.encode(), VALUE.replace("700", value).encode()), tmp_path)
    assert said is not None
    assert "core.clock.value is " in said
    assert said.endswith("; expected a number")
    check_refusal(said, tmp_path)


def test_not_text(tmp_path: Path) -> None:
    assert refusal(b"machine: bgl\ntitle: caf\xe9\n", tmp_path) == (
        f"{tmp_path}/mine.yaml:2:11: not UTF-8, which a machine description must be"
    )


def test_too_large(tmp_path: Path) -> None:
    said = refusal(SHIPPED.read_bytes() + b"# more\n" * 40000, tmp_path)
    assert said == f"{tmp_path}/mine.yaml: too large for a machine description; expected 256 KiB at most"


def test_many_mistakes_are_told_in_few_lines(tmp_path: Path) -> None:
    text = SHIPPED.read_text().replace("value: ", "vlue: ")
    said = refusal(text.encode(), tmp_path)
    assert said is not None
    assert len(said.splitlines()) == 21
    assert said.endswith("more mistakes")


def test_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with bounded(), pytest.raises(UserError) as caught:
        load_machine(str(tmp_path / "pipe"))
    assert str(caught.value) == f"{tmp_path}/pipe: a machine description must be a regular file, which this is not"


def test_control_characters_in_a_files_name(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        (tmp_path / "a\n\x1b[31mb").write_text("a: 1")
        load_machine(str(tmp_path / "a\n\x1b[31mb"))
    assert str(caught.value).startswith(rf"{tmp_path}/a\n\x1b[31mb:1:1: ")
    assert all(line.isprintable() for line in str(caught.value).splitlines())


def test_the_command_line_says_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("a: " + 3000 * "[")
    done = toroid("info", "mine.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mine.yaml:1:11: more than 8 levels of lists and mappings\n"


def mutated(numbers: random.Random, content: bytes) -> bytes:
    """The shipped description after a few of: bytes changed, removed, doubled, and pieces of YAML put in between."""
    pieces = [
        *(
            b"[",
            b"{",
            b"]",
            b"}",
            b": ",
            b"? ",
            b"- ",
            b", ",
            b"&a ",
            b"*a",
            b"!!int ",
            b"!x ",
            b"| ",
            b">-\n",
            b"---\n",
        ),
        *(
            b"...\n",
            b"%TAG ! x\n",
            b"#",
            b'"',
            b"'",
            b"\\",
            b"\t",
            b"\r",
            b"\n",
            b"\n\n   ",
            b"~",
            b"<<: ",
            b"null",
            b"\0",
        ),
        *(b"\xff", b"\xc3\xa9", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\x1b", b"\x85", b"1e999", b"-0", b".inf", b".nan"),
        *(
            b"0x1F",
            b"1_0",
            b"2001-99-99",
            b"9" * 5000,
            b"[" * 500,
            b"{a: " * 200,
            b'"\\x',
            b"\\ud800",
            b"@",
            b"`",
            b"=",
        ),
    ]
    for _ in range(numbers.randint(1, 6)):
        at = numbers.randrange(len(content))
        end = min(len(content), at + numbers.choice([1, 1, 3, 20, 200]))
        where = numbers.randrange(5)
        if where == 0:
            content = content[:at] + bytes([numbers.randrange(256)]) + content[at + 1 :]
        elif where == 1:
            content = content[:at] + content[end:]
        elif where == 2:
            content = content[:end] + content[at:]
        else:
            content = content[:at] + numbers.choice(pieces) + content[at:]
    return content


def grown(numbers: random.Random, depth: int = 0) -> str:
    """A document by YAML's grammar, and a little beyond."""
    scalars = [
        "a",
        "bgl",
        "3",
        "~",
        "",
        '"x\\ty"',
        "'it''s'",
        "1.5",
        "true",
        "*a",
        "&a 1",
        "!!str 2",
        "2001-01-01",
        "- b",
    ]
    kind = numbers.randrange(6 if depth < 12 else 2)
    if kind < 2:
        return numbers.choice(scalars)
    inner = [grown(numbers, depth + 1) for _ in range(numbers.randint(0, 4))]
    if kind == 2:
        return f"[{', '.join(inner)}]"
    if kind == 3:
        return "{" + ", ".join(f"{numbers.choice(scalars)}: {value}" for value in inner) + "}"
    gap = "\n" + "  " * (depth + 1)
    if kind == 4:
        return "".join(f"{gap}- {value}" for value in inner)
    return "".join(f"{gap}{numbers.choice(scalars)}: {value}" for value in inner)


def check_cases(directory: Path, seed: int, cases: int) -> None:
    shipped = SHIPPED.read_bytes()
    # Its first groups alone: quicker to read, and so more cases.
    short = shipped[: shipped.index(b"\n  cache:")]
    refused = 0
    for case in range(cases):
        numbers = random.Random(f"{seed}-{case}")
        content = mutated(numbers, short) if case % 3 else grown(numbers).encode()
        try:
            said = refusal(content, directory)
        except Exception as error:
            raise AssertionError(f"case {seed}-{case}: {error!r} of {content[:2000]!r}") from error
        if said is not None:
            check_refusal(said, directory)
            refused += 1
    assert refused


def test_mutations(tmp_path: Path) -> None:
    check_cases(tmp_path, seed=1, cases=600)


@pytest.mark.long
def test_many_mutations(tmp_path: Path) -> None:
    for seed in range(2, 52):
        check_cases(tmp_path, seed, cases=1000)
