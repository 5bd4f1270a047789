# SPDX-License-Identifier: Apache-2.0
"""toroid man: manual pages, generated from the texts of --help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
from click_man.core import generate_man_page  # type: ignore[import-untyped]

from toroid import console, options, paths
from toroid.errors import write_text

_SECTION = "1"
# In a help text: a paragraph whose lines stay as they are.
_AS_IT_STANDS = re.compile("\b\n(.*?)\n(?=\\.PP|\\.SH)", re.DOTALL)


@click.command(short_help="Write manual pages of all commands.")
@click.argument("directory", type=options.OutputPath(directory=True), default=Path("man"), metavar="[DIR]")
@click.pass_context
def command(ctx: click.Context, directory: Path) -> None:
    """Write manual pages of all commands, DIR/man1/toroid-run.1 and the like. Default: man.

    `man DIR/man1/toroid-run.1` shows one; with DIR in MANPATH, `man toroid-run` does.
    """
    where = options.prepared_directory(directory) / f"man{_SECTION}"
    pages = list(_pages(ctx.find_root()))
    for name, text in pages:
        write_text(where / f"{name}.{_SECTION}", text)
    console.status(f"{len(pages)} manual pages: {paths.shown(where)}")


def _pages(root: click.Context) -> Iterator[tuple[str, str]]:
    """Name and text of each page: one for the whole program, and one for each documented command."""
    group = root.command
    assert isinstance(group, click.Group)
    commands = {name: group.get_command(root, name) for name in group.list_commands(root)}
    shown = {name: command for name, command in commands.items() if command is not None and not command.hidden}
    whole = click.Group("toroid", commands=shown, help=group.help, short_help=group.short_help, params=group.params)
    yield "toroid", _page(whole, "toroid", None)
    for name, command in shown.items():
        yield f"toroid-{name}", _page(command, name, root)


def _page(command: click.Command, name: str, parent: click.Context | None) -> str:
    context = click.Context(command, info_name=name, parent=parent)
    text: str = generate_man_page(context, version="Toroid")
    return _AS_IT_STANDS.sub(r".nf\n\1\n.fi\n", text)
