# SPDX-License-Identifier: Apache-2.0
"""How Unicorn is built from source: what is reported if that is impossible, and how its patches are kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toroid import build, paths
from toroid.errors import ToroidError, UserError

REACHED_BY_NOBODY = "http://127.0.0.1:9"  # the port of a service that throws away what it is sent
FETCHED = sorted((paths.BUILD / "unicorn").glob("*.crate"))
needs_archive = pytest.mark.skipif(not FETCHED, reason="Debian's Unicorn is in use: there is no archive")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The recipe and the patches in a checkout in which nothing has been built."""
    for name in ("TOROID_NO_BUILD", "TOROID_UNICORN", "TOROID_UNICORN_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOROID_CRATES", REACHED_BY_NOBODY)
    source = tmp_path / "third_party" / "unicorn"
    shutil.copytree(paths.UNICORN_SOURCE, source)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "UNICORN_SOURCE", source)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(paths, "LOGS", tmp_path / "build" / "log")
    return source


def said_by_the_command_line() -> str:
    """What `./toroid` says when the library cannot be built, which is one line."""
    with pytest.raises(ToroidError) as raised:
        build.ensure("release", build.SIMULATOR)
    said = str(raised.value)
    assert "\n" not in said
    return said


def recipe(source: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, source / "build.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_source_is_out_of_reach(source: Path) -> None:
    said = said_by_the_command_line()
    assert said.startswith(f"cannot fetch {REACHED_BY_NOBODY}/unicorn-engine-sys/unicorn-engine-sys-")
    assert "Connection refused" in said
    assert "TOROID_UNICORN_ARCHIVE" in said
    assert "TOROID_UNICORN=debian" in said


def test_an_address_that_is_none(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_CRATES", "nowhere")
    assert said_by_the_command_line().startswith("cannot fetch nowhere/unicorn-engine-sys/")


def test_what_was_fetched_is_damaged(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(FETCHED), Path("unicorn-engine-sys-2.1.5.crate")).name
    (tmp_path / "unicorn-engine-sys").mkdir()
    (tmp_path / "unicorn-engine-sys" / name).write_bytes(b"<html>Please log in</html>")
    monkeypatch.setenv("TOROID_CRATES", tmp_path.as_uri())
    assert said_by_the_command_line().startswith("what was fetched is not Unicorn ")
    assert not list((tmp_path / "build" / "unicorn").glob("*.crate*"))


@needs_archive
@pytest.mark.parametrize("given", [False, True])
def test_the_archive_is_damaged(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: bool) -> None:
    damaged = bytearray(FETCHED[0].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    archive = (tmp_path if given else tmp_path / "build" / "unicorn") / FETCHED[0].name
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(damaged)
    if given:
        monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(archive))
    said = said_by_the_command_line()
    assert said.startswith(f"{archive} is not Unicorn ")
    assert (
        "TOROID_UNICORN_ARCHIVE must name unicorn-engine-sys-" if given else "remove it and run the command again"
    ) in said


def test_there_is_no_such_archive(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(tmp_path / "missing"))
    assert said_by_the_command_line().startswith(f"{tmp_path / 'missing'}: there is no such file")


@needs_archive
def test_a_patch_does_not_apply(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(FETCHED[0]))
    patch = source / "patches" / "9999-of-another-version.patch"
    patch.parent.mkdir(exist_ok=True)
    patch.write_text("--- a/uc.c\n+++ b/uc.c\n@@ -1,2 +1,2 @@\n-of another version\n+changed\n /* of another */\n")
    assert said_by_the_command_line().startswith(f"{patch}: does not apply to Unicorn ")


def test_an_unknown_unicorn(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_UNICORN", "fedora")
    with pytest.raises(UserError, match=r"^TOROID_UNICORN=fedora: it must be source or debian$"):
        build.ensure("release", build.SIMULATOR)


@needs_archive
def test_patches_are_commits_and_commits_patches(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(FETCHED[0]))
    before = {patch.name: patch.read_bytes() for patch in (source / "patches").glob("*.patch")}
    repository = tmp_path / "repository"
    done = recipe(source, "checkout", repository)
    assert done.returncode == 0, done.stdout
    assert (
        recipe(source, "checkout", repository).stdout == f"unicorn: {repository}: is not empty; name a new directory\n"
    )
    assert recipe(source, "save", repository).returncode == 0
    assert {patch.name: patch.read_bytes() for patch in (source / "patches").glob("*.patch")} == before

    with (repository / "uc.c").open("a") as file:
        file.write("/* a change */\n")
    somebody = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(
        ["git", "commit", "--quiet", "--all", "--message", "Change something"],
        cwd=repository, env=os.environ | somebody, check=True,
    )  # fmt: skip
    saved = recipe(source, "save", repository)
    added = source / "patches" / f"{len(before) + 1:04}-Change-something.patch"
    assert str(added) in saved.stdout.splitlines()
    assert "+/* a change */" in added.read_text()


@needs_archive
def test_the_compiler_fails(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own message is printed, not that it failed."""
    monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(FETCHED[0]))
    monkeypatch.setenv("CC", "false")
    with pytest.raises(
        ToroidError, match=r"^building Unicorn \(once\) failed; whole output in .*its end:\nCMake Error"
    ):
        build.ensure("release", build.SIMULATOR)


@needs_archive
@pytest.mark.parametrize("moved", [False, True], ids=["in its place", "copied from elsewhere"])
def test_a_copied_build_is_configured_anew(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    monkeypatch.setenv("TOROID_UNICORN_ARCHIVE", str(FETCHED[0]))
    for name, script in {"cmake": "echo configured >>$LOG", "ninja": "echo compiled >>$LOG"}.items():
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    make = tmp_path / "build" / "unicorn" / "make"
    make.mkdir(parents=True)
    assert recipe(source).returncode == 0
    assert (tmp_path / "log").read_text() == "configured\ncompiled\n"
    (make / "build.ninja").touch()
    home = tmp_path / ("another" if moved else "build/unicorn") / "source"
    (make / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
    (tmp_path / "log").unlink()
    assert recipe(source).returncode == 0
    assert (tmp_path / "log").read_text() == ("configured\ncompiled\n" if moved else "compiled\n")
