# SPDX-License-Identifier: Apache-2.0
"""pytest, as `toroid test` starts it: in a process of its own, that Ctrl-C ends as it ends every command."""

from __future__ import annotations

from toroid import interrupts

interrupts.install()

import sys  # noqa: E402

import pytest  # noqa: E402  # takes a while, in which Ctrl-C shall do the right thing already

from toroid.errors import EXIT_INTERRUPTED  # noqa: E402


def main() -> None:
    interrupts.raise_from_now_on()
    status = int(pytest.main(sys.argv[1:]))
    if interrupts.raised():
        interrupts.tell()
        status = EXIT_INTERRUPTED
    interrupts.leave(status)


if __name__ == "__main__":
    main()
