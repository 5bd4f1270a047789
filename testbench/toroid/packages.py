# SPDX-License-Identifier: Apache-2.0
"""Debian packages that some commands need and most do not: below a heading of packages.txt each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from toroid import paths

# Of what only the tests need. The others are the prefixes of compilers.
TESTS = "tests"
_LAUNCHER = paths.ROOT / "toroid"
_LIST = paths.ROOT / "packages.txt"
_DATABASE = Path("/var/lib/dpkg/status")
_HEADING = re.compile(r"^\[(.+)\]", re.MULTILINE)


def headings() -> list[str]:
    return _HEADING.findall(_LIST.read_text(encoding="utf-8"))


def ensure(*wanted: str) -> None:
    """Installs what is missing of these; most compilers' prefixes have no heading, because all commands need them. The
    launcher does it, which knows how; it is asked only if something has changed since it last found all to be there.
    With TOROID_NO_BUILD set nothing is done."""
    if os.environ.get("TOROID_NO_BUILD"):
        return
    for name in headings():
        if name in wanted and not _is_there(found := paths.BUILD / f".set-up-{name}"):
            # What changes meanwhile is looked at again. The time of a file, as the others are: the clock is finer.
            paths.BUILD.mkdir(exist_ok=True)
            beginning = paths.BUILD / ".set-up-at-work"
            beginning.touch()
            begun = beginning.stat().st_mtime_ns
            done = subprocess.run([_LAUNCHER], env=os.environ | {"TOROID_INSTALL": name}, check=False)
            if done.returncode != 0:
                sys.exit(done.returncode)
            found.touch()
            os.utime(found, ns=(begun, begun))


def _is_there(found: Path) -> bool:
    try:
        since = found.stat().st_mtime_ns
        return all(path.stat().st_mtime_ns < since for path in (_LIST, _LAUNCHER, _DATABASE))
    except OSError:  # never looked at, or no Debian
        return False
