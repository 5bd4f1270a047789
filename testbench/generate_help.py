#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write what every command answers to --help: the launcher shows it where nothing is set up yet.

    ./toroid lint                                      says where a text is out of date
    .venv/bin/python testbench/generate_help.py           write them
    .venv/bin/python testbench/generate_help.py --check   compare instead; status 1 where one is out of date

The results are committed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from toroid.cli import toroid

HELP = Path(__file__).resolve().parent / "help"
# As click has it on a terminal of 80 columns or more.
_WIDTH = 78


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of each."""
    root = toroid.make_context("toroid", [], resilient_parsing=True, terminal_width=_WIDTH)
    yield "toroid", toroid.get_help(root)
    for name in toroid.list_commands(root):
        command = toroid.get_command(root, name)
        if command is not None and command.add_help_option:  # compilers take --help for themselves
            yield name, command.get_help(command.make_context(name, [], parent=root, resilient_parsing=True))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what every command answers to --help.")
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing")
    check = parser.parse_args().check
    made = {HELP / f"{name}.txt": f"{text}\n" for name, text in texts()}
    stale = [path for path in HELP.glob("*.txt") if path not in made]
    stale += [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if not check:
        HELP.mkdir(exist_ok=True)
        for path in stale:
            path.unlink(missing_ok=True)
        for path, text in made.items():
            path.write_text(text, encoding="utf-8")
        return 0
    for path in stale:
        print(f"testbench/help/{path.name}: out of date; run generate_help.py and commit the result", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
