# SPDX-License-Identifier: Apache-2.0
"""The reader of trace files, on files that a test writes."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from toroid.errors import ToroidError
from toroid.trace.reader import read_trace
from toroid.trace.records import END, KINDS

METADATA = {
    "program": "p", "dimensions": "XYZ", "shape": [2, 3, 1], "wrap": [True, True, False], "processes_per_node": 2,
    "ranks": [{"rank": r, "node": r // 2, "coordinates": [r // 2 % 2, r // 4, 0], "t": r % 2} for r in range(12)],
    "core_mhz": 700, "network_mhz": 175, "contents": False, "functions": ["f"],
    "torus": {"wire_cycles": [46], "wire_overhead_bytes": 14, "hop_cycles": 16, "injection_cycles": 1,
              "reception_cycles": 8, "injection_fifos_per_group": 4, "reception_fifos_per_group": 7},
    "tree": {"compute_nodes": 6, "root": 6, "wire_cycles": 133, "hop_cycles": 16, "reception_cycles": 8,
             "channels": [[None, None, 6]]},
}  # fmt: skip
READ = next(kind for kind in KINDS if kind.name == "torus_read")


def block(kind: int, record_bytes: int, records: list[bytes]) -> bytes:
    return struct.pack("<HHI", kind, record_bytes, len(records)) + b"".join(records)


def read_record(time: int, packet: int, more: bytes = b"") -> bytes:
    return struct.pack("<qQIBB2x", time, packet, 4, 1, 5) + more


def written(path: Path, *blocks: bytes, magic: bytes = b"TOROIDTR", version: int = 1) -> Path:
    text = json.dumps(METADATA).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(magic + struct.pack("<II", version, len(text)) + text + b"".join(blocks))
    return path


def ended(time: int) -> bytes:
    return block(END.number, 8, [struct.pack("<q", time)])


def test_blocks_of_a_kind_become_one_table_in_order_of_time(tmp_path: Path) -> None:
    first = block(READ.number, 24, [read_record(30, 1), read_record(10, 2)])
    second = block(READ.number, 24, [read_record(20, 3), read_record(10, 4)])
    trace = read_trace(written(tmp_path / "t", first, second, ended(99)))
    assert (trace.whole, trace.end) == (True, 99)
    assert trace["torus_read"]["packet"].tolist() == [2, 4, 3, 1]
    assert trace["torus_read"]["fifo"].tolist() == [5] * 4
    assert len(trace["calls"]) == 0


def test_what_a_newer_simulator_adds_is_passed_over(tmp_path: Path) -> None:
    unknown = block(999, 16, [b"x" * 16])
    longer = block(READ.number, 32, [read_record(10, 2, b"y" * 8), read_record(11, 3, b"y" * 8)])
    trace = read_trace(written(tmp_path / "t", unknown, longer, ended(99)))
    assert trace["torus_read"]["packet"].tolist() == [2, 3]


def test_a_file_cut_short_is_read_up_to_there(tmp_path: Path) -> None:
    cut = block(READ.number, 24, [read_record(30, 1), read_record(40, 2)])[:-1]
    trace = read_trace(written(tmp_path / "t", cut))
    assert (trace.whole, trace.end) == (False, 30)
    assert trace["torus_read"]["packet"].tolist() == [1]


def test_places_and_names(tmp_path: Path) -> None:
    metadata = read_trace(written(tmp_path / "t", ended(1))).metadata
    assert metadata.coordinates(3) == (1, 1, 0)
    assert metadata.node_at((1, 1, 0)) == 3
    assert metadata.neighbour(3, 2) == 5
    assert metadata.neighbour(5, 2) == 1
    assert metadata.neighbour(0, 1) == 1
    assert (metadata.node_name(3), metadata.node_name(6)) == ("1,1,0", "I/O 0")
    assert metadata.rank_of(3, 1) == 7
    assert metadata.rank_of(6, 0) is None
    assert [metadata.direction_name(direction) for direction in range(6)] == ["X+", "X-", "Y+", "Y-", "Z+", "Z-"]


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ToroidError, match="not a trace file"):
        read_trace(written(tmp_path / "t", magic=b"\x7fELFELFE"))
    with pytest.raises(ToroidError, match="version 7"):
        read_trace(written(tmp_path / "t", version=7))
    with pytest.raises(ToroidError, match="cannot be read"):
        read_trace(tmp_path / "nothing")
    (tmp_path / "t").write_bytes(b"TOROIDTR" + struct.pack("<II", 1, 8) + b'{"a": 1}')
    with pytest.raises(ToroidError, match="damaged metadata"):
        read_trace(tmp_path / "t")
