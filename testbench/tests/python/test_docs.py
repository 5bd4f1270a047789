# SPDX-License-Identifier: Apache-2.0
"""What the documents show is what is built and tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toroid import paths

# Not what builds and set-up have made.
_MADE = {"build", "results"}
DOCUMENTS = sorted(
    path
    for folder in [
        path for path in paths.ROOT.iterdir() if path.is_dir() and path.name not in _MADE and path.name[0] != "."
    ]
    for path in folder.rglob("*.md" if folder.name == "docs" else "README.md")
)
DOCUMENTS.append(paths.ROOT / "README.md")


def test_the_readme_shows_the_ring_example() -> None:
    example = (paths.ROOT / "docs/examples/ring.c").read_text(encoding="utf-8")
    code = example[example.index("#include") :]
    assert code in (paths.ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(paths.ROOT)))
def test_lines_are_short_outside_tables_and_code(document: Path) -> None:
    if document.name.endswith("_registers.md"):
        pytest.skip("generated, nic/common/generate_registers.py")
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith("|")] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(paths.ROOT)))
def test_what_is_said_to_be_built_is_built_there(document: Path) -> None:
    named = re.findall(r"build/[\w/.-]*guest/[\w/.-]*\w", document.read_text(encoding="utf-8"))
    assert [name for name in named if not (paths.ROOT / name).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(paths.ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    broken = [t for t in targets if "://" not in t and not (document.parent / t).exists()]
    assert broken == []


def test_tests_of_rules_exist() -> None:
    text = (paths.ROOT / "docs/reference/bgq_mu_rules.md").read_text(encoding="utf-8")
    tests = paths.ROOT / "testbench/tests"
    there = {
        f"{suite}.{name}"
        for path in tests.rglob("*.cpp")
        for suite, name in re.findall(
            r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    for path in tests.rglob("test_*.py"):
        there.update(re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"`([A-Z]\w+\.[A-Z]\w+|test_\w+)`", text)
    assert len(named) > 40
    assert [name for name in named if name not in there] == []


@pytest.mark.parametrize("document", ["life_of_a_message.md", "life_of_a_put.md", "life_of_a_rget.md"])
def test_functions_are_where_they_are_said_to_be(document: str) -> None:
    """As in: `put()` in `folder/file.c`, and later in `file.c`, or another one of the same folder."""
    text = (paths.ROOT / "docs" / document).read_text(encoding="utf-8")
    folders = {(paths.ROOT / name).parent for name in re.findall(r"`([\w.-]+/[\w/.-]+\.\w+)`", text)}
    named = re.findall(r"`([\w:]+)\(\)`\s+in\s+`([\w/.-]+)`", text)
    assert len(named) > 15
    lost = []
    for function, file in named:
        places = [paths.ROOT / file] if "/" in file else [folder / file for folder in folders]
        called = re.compile(rf"\b{function.split('::')[-1]}\(")
        if not any(place.is_file() and called.search(place.read_text(encoding="utf-8")) for place in places):
            lost.append(f"{function} in {file}")
    assert lost == []
