# SPDX-License-Identifier: Apache-2.0
"""Sums of doubles over the tree: those that programs/tree.c prints, and what exact arithmetic makes of the same."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from helpers import toroid

from toroid import paths


def sums(
    tmp_path: Path, operation: str, kind: int, *machine: str, count: int = 300, arguments: tuple[str, ...] = ()
) -> list[float]:
    """Of `count` elements over all ranks of the machine; see summand(). `arguments` are the program's."""
    done = toroid("run", "--results", tmp_path, *machine, paths.guest_program("tree"), "--operation", operation,
                  "--print-sums", str(count), "--kind", str(kind), *arguments, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    bits = re.findall(r"^sum element=\d+ bits=(\w{16})$", done.stdout, re.MULTILINE)
    assert len(bits) == count
    return [double(int(word, 16)) for word in bits]


def double(bits: int) -> float:
    value: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return value


def bits_of(value: float) -> bytes:
    return struct.pack(">d", value)


def scramble(a: int, b: int) -> int:
    """program_hash() of firmware/programs/contents.h."""
    h = (a * 0x9E3779B1 & 0xFFFFFFFF) ^ b
    h ^= h >> 16
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    h = h * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def summand(kind: int, rank: int, i: int) -> float:
    """summand() of firmware/programs/bgl/tree.c, with seed 1."""
    high = scramble(scramble(1, rank), 2 * i)
    random = high << 32 | scramble(high, 2 * i + 1)
    rest, exponent, sign = random & ~(2047 << 52), random >> 52 & 2047, random & 1 << 63
    if kind == 0:
        return double(rest | 1023 + exponent % 40 << 52)
    if kind == 2 and i % 2 == 0:
        draw = (random >> 20 ^ i) % 16
        if draw == 0:
            return double(sign)
        if draw == 1:
            return double(rest)
        if draw == 2:
            return double(sign | 2047 << 52 if i % 6 == 0 else rest)
        if draw == 3:
            return double(rest | 2047 << 52 | 1 if i % 10 == 0 else rest)
        return double(rest | 2046 << 52)
    return double(rest | 2046 << 52) if exponent == 2047 else double(random)


def exact(values: list[float]) -> float:
    """Rounded once, to nearest; as tree.h documents what is special."""
    if any(math.isnan(v) for v in values) or {math.inf, -math.inf} <= set(values):
        return math.nan
    if infinite := [v for v in values if math.isinf(v)]:
        return infinite[0]
    try:
        return float(sum((Fraction(v) for v in values), Fraction(0)))
    except OverflowError:
        return math.inf if sum(Fraction(v) for v in values) > 0 else -math.inf


def two_pass(values: list[float]) -> float:
    """The same of what 2^-76 of the greatest summand's power of two leaves of each."""
    finite = [v for v in values if v != 0]
    if any(math.isnan(v) or math.isinf(v) for v in values) or not finite:
        return exact(values)
    lowest = Fraction(2) ** (max(max(math.frexp(v)[1], -1021) for v in finite) - 77)
    return exact_fraction(sum((int(Fraction(v) / lowest) * lowest for v in finite), Fraction(0)))


def exact_fraction(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def wide(values: list[float]) -> float:
    """The same of what 2^-951 leaves of each."""
    if any(math.isnan(v) or math.isinf(v) for v in values):
        return exact(values)
    lowest = Fraction(1, 2**951)
    return exact_fraction(sum((int(Fraction(v) / lowest) * lowest for v in values), Fraction(0)))


def same(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    # A sum of zeros is +0; Python's of nothing but -0 is too.
    return bits_of(a) == bits_of(b)


# By the operation's name: what comes, of one element of all ranks.
REFERENCES: dict[str, Callable[[list[float]], float]] = {
    "sum-two-pass": two_pass,
    "sum-wide": wide,
    "sum-to-root": two_pass,
}


def check_sums(
    tmp_path: Path,
    operation: str,
    kind: int,
    ranks: int,
    *machine: str,
    count: int = 300,
    arguments: tuple[str, ...] = (),
) -> list[float]:
    """They are what exact arithmetic has."""
    found = sums(tmp_path, operation, kind, *machine, count=count, arguments=arguments)
    for i, value in enumerate(found):
        expected = REFERENCES[operation]([summand(kind, rank, i) for rank in range(ranks)])
        assert same(value, expected), f"element {i}: {value!r} instead of {expected!r}"
    return found
