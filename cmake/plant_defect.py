# SPDX-License-Identifier: Apache-2.0
"""plant_defect.py SOURCE COPY REGEX REPLACEMENT: a copy of a file with a defect, for tests that must find it."""

import re
import sys
from pathlib import Path


def main() -> None:
    source, copy, regex, replacement = sys.argv[1:]
    text, found = re.subn(regex, replacement, Path(source).read_text(encoding="utf-8"), flags=re.MULTILINE)
    if found != 1:
        sys.exit(f"{source}: '{regex}' is found {found} times; a defect is planted where it is found exactly once")
    Path(copy).parent.mkdir(parents=True, exist_ok=True)
    Path(copy).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
