# SPDX-License-Identifier: Apache-2.0
"""toroid lint: static checks of the sources."""

from __future__ import annotations

import click

from toroid import console
from toroid.errors import EXIT_FAILURE
from toroid.lint import CHECKS


@click.command(short_help="Check format and types of the code, and generated files.")
def command() -> int:
    """Check format, types, shell scripts, generated files, licence lines, and paths and hosts that name one machine."""
    failed = []
    for check in CHECKS:
        findings = check.run()
        console.status(f"{'ok   ' if not findings else 'WRONG'} {check.title}")
        for line in findings:
            console.say(f"  {line}")
        if findings:
            failed.append(check.title)
    if failed:
        console.status(f"lint failed: {', '.join(failed)}")
        return EXIT_FAILURE
    return 0
