#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the Unicorn library from its source, with the patches beside this file, for the cores that Toroid emulates.

    build.py                    brings build/unicorn/make/libunicorn.so.2 up to date: fetches, patches, compiles
    build.py checkout DIRECTORY a git repository of the source, with one commit for each patch
    build.py save DIRECTORY     writes the patches anew from the commits of such a repository

All builds of Toroid share the result. It needs Python's own library only, because CMake calls it as well.
"""

from __future__ import annotations

import fcntl
import filecmp
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

VERSION = "2.1.5"
# The crate of Unicorn's Rust bindings is the one place that has this version's C source as an archive with a checksum
# that never changes; nothing of it that is written in Rust is used.
_CRATE = "unicorn-engine-sys"
_SHA256 = "685282714d35a6fbfed0ae14d81bb11c91838bc7a165cac778321679a7bb91d8"
# Where crates are, unless TOROID_CRATES names another place with the same layout.
_CRATES = "https://static.crates.io/crates"
_FETCH_SECONDS = 60
_LARGEST_BYTES = 64 << 20

# Only what Toroid's machines have. No tests: ours are in testbench. Assertions stay: a library that finds its state
# damaged ends the process with a line, rather than going on with wrong results.
_OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_C_FLAGS_RELEASE=-O2",
    "-DUNICORN_ARCH=ppc;x86",
    "-DUNICORN_BUILD_TESTS=OFF",
    "-DUNICORN_INSTALL=OFF",
    "-DUNICORN_LEGACY_STATIC_ARCHIVE=OFF",
    "-DBUILD_SHARED_LIBS=ON",
)

_HERE = Path(__file__).resolve().parent
_PATCHES = _HERE / "patches"
_BUILD = _HERE.parents[1] / "build" / "unicorn"
_SOURCE = _BUILD / "source"
_MAKE = _BUILD / "make"
LIBRARY = _MAKE / "libunicorn.so.2"
_BUILT = _BUILD / ".built"  # what the library was made of


class BuildError(Exception):
    """Told in one line."""


def patches() -> list[Path]:
    """The series, in order."""
    return sorted(_PATCHES.glob("[0-9]*.patch"))


def _key() -> str:
    """What the library is made of, as one number."""
    made_of = hashlib.sha256(_SHA256.encode())
    for file in (Path(__file__), *patches()):
        made_of.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return made_of.hexdigest()


def _archive() -> bytes:
    """The archive, checked: from an earlier build, from the file that TOROID_UNICORN_ARCHIVE names, or fetched."""
    given = os.environ.get("TOROID_UNICORN_ARCHIVE")
    kept = Path(given) if given else _BUILD / f"{_CRATE}-{VERSION}.crate"
    try:
        data = kept.read_bytes()
    except FileNotFoundError:
        if given:
            raise BuildError(f"{kept}: there is no such file, but TOROID_UNICORN_ARCHIVE names it") from None
        data = _fetched()
        _require_whole(data, "what was fetched", "run the command again")
        part = kept.with_suffix(".part")
        part.write_bytes(data)
        part.replace(kept)
        return data
    except OSError as error:
        raise BuildError(f"{kept}: cannot be read: {error.strerror}") from error
    remedy = (
        f"TOROID_UNICORN_ARCHIVE must name {_CRATE}-{VERSION}.crate" if given else "remove it and run the command again"
    )
    _require_whole(data, str(kept), remedy)
    return data


def _require_whole(data: bytes, what: str, remedy: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != _SHA256:
        raise BuildError(f"{what} is not Unicorn {VERSION}: its SHA-256 is {found}, not {_SHA256}; {remedy}")


def _fetched() -> bytes:
    address = f"{os.environ.get('TOROID_CRATES') or _CRATES}/{_CRATE}/{_CRATE}-{VERSION}.crate"
    print(f"fetching {address}", flush=True)
    try:
        request = urllib.request.Request(address, headers={"User-Agent": "toroid"})
        with urllib.request.urlopen(request, timeout=_FETCH_SECONDS) as response:
            data: bytes = response.read(_LARGEST_BYTES)
            return data
    except (OSError, ValueError) as error:  # urllib's errors are kinds of OSError; no address at all is a ValueError
        why = error.reason if isinstance(error, urllib.error.URLError) else error
        raise BuildError(
            f"cannot fetch {address}: {why}; name a copy with TOROID_UNICORN_ARCHIVE, "
            "or use Debian's library with TOROID_UNICORN=debian"
        ) from error


def _extract(data: bytes, directory: Path) -> None:
    """Files of the archive below its one directory; nothing can lie elsewhere."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts[1:]
            if not member.isfile() or not parts or ".." in parts:
                continue
            content = archive.extractfile(member)
            assert content is not None
            target = directory.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
            target.chmod(0o755 if member.mode & 0o100 else 0o644)


def _git(directory: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """git in a directory that belongs to no repository, whatever lies above it."""
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(directory.resolve().parent)}
    return subprocess.run(
        ["git", *arguments], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )


def _prepare_source() -> None:
    """The patched source. Files that are as they were keep their time, so that few are compiled after a change."""
    data = _archive()
    with tempfile.TemporaryDirectory(prefix="source-", dir=_BUILD) as name:
        fresh = Path(name)
        _extract(data, fresh)
        for patch in patches():
            applied = _git(fresh, "apply", patch)
            if applied.returncode != 0:
                why = (applied.stderr.strip().splitlines() or ["git says no more"])[0]
                raise BuildError(f"{patch}: does not apply to Unicorn {VERSION}: {why.removeprefix('error: ')}")
        _bring(fresh, _SOURCE)


def _files(directory: Path) -> Iterator[Path]:
    return (path.relative_to(directory) for path in directory.rglob("*") if path.is_file())


def _bring(fresh: Path, present: Path) -> None:
    wanted = set(_files(fresh))
    for file in set(_files(present)) - wanted:
        (present / file).unlink()
    for file in wanted:
        if (present / file).is_file() and filecmp.cmp(fresh / file, present / file, shallow=False):
            continue
        (present / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(fresh / file, present / file)


def _run(*command: str | Path) -> None:
    """Its output is ours, and says what is wrong where it fails."""
    if status := subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        sys.exit(status)


def _configured_here() -> bool:
    """Whether CMake has configured the build in this place: one that was copied with its checkout names the other."""
    cache = _MAKE / "CMakeCache.txt"
    if not cache.is_file() or not (_MAKE / "build.ninja").is_file():
        return False
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    return f"CMAKE_HOME_DIRECTORY:INTERNAL={_SOURCE}" in lines


def _compile() -> None:
    recipe = _MAKE / ".options"
    options = "\n".join(_OPTIONS)
    if not _configured_here() or not recipe.is_file() or recipe.read_text() != options:
        _run("cmake", "-G", "Ninja", "--fresh", "-S", _SOURCE, "-B", _MAKE, *_OPTIONS)
        recipe.write_text(options)
    _run("ninja", "-C", _MAKE, LIBRARY.name)


def build() -> None:
    _BUILD.mkdir(parents=True, exist_ok=True)
    with (_BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        key = _key()
        if not LIBRARY.is_file() or not _BUILT.is_file() or _BUILT.read_text() != key:
            _BUILT.unlink(missing_ok=True)
            _prepare_source()
            _compile()
        _BUILT.write_text(key)  # its time tells who calls us that nothing has changed since


_COMMITTER = ("-c", "user.name=Toroid", "-c", "user.email=toroid@localhost")


def _must(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, done.args))}: {done.stderr.strip()}")
    return done.stdout


def checkout(directory: Path) -> None:
    if directory.exists() and any(directory.iterdir()):
        raise BuildError(f"{directory}: is not empty; name a new directory")
    _BUILD.mkdir(parents=True, exist_ok=True)
    _extract(_archive(), directory)
    _must(_git(directory, "init", "--quiet", "--initial-branch=toroid"))
    _must(_git(directory, "add", "--force", "--all"))
    _must(_git(directory, *_COMMITTER, "commit", "--quiet", "--message", f"Unicorn {VERSION}"))
    _must(_git(directory, "tag", "upstream"))
    if series := patches():
        _must(_git(directory, *_COMMITTER, "am", "--quiet", *series))
    print(f"{directory}: commit there, one subject a commit; then: {sys.argv[0]} save {directory}")


def save(directory: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        # Nothing that differs from one machine or one version of git to another.
        options = ("--zero-commit", "--no-signature", "--no-numbered", "--full-index", "--no-renames")
        _must(_git(directory, "format-patch", "--quiet", *options, "--output-directory", name, "upstream"))
        _PATCHES.mkdir(exist_ok=True)
        _bring(Path(name), _PATCHES)
    print("\n".join(str(patch) for patch in patches()))


def main(arguments: Sequence[str]) -> int:
    try:
        if not arguments:
            build()
        elif len(arguments) == 2 and arguments[0] == "checkout":
            checkout(Path(arguments[1]))
        elif len(arguments) == 2 and arguments[0] == "save":
            save(Path(arguments[1]))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except BuildError as error:
        print(f"unicorn: {error}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
