# SPDX-License-Identifier: Apache-2.0
"""Messages on the network alone, without a simulator: options, and the experiments with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toroid.errors import UserError
from toroid.experiments import torus_contention, torus_displacements
from toroid.experiments.torus_displacements import FULL, SHORT, Case, cases, fair_share
from toroid.experiments.torus_messages import GET, KINDS, PUT, PUT_BY_PARITY, cycles, link_rate, packets, traffic
from toroid.machine import load_machine
from toroid.message_sweep import parse_message_sizes
from toroid.result import Spread

Toroid = Callable[..., int]


def test_sizes_of_messages() -> None:
    assert parse_message_sizes("512, 4096") == [512, 4096]
    for wrong in ("", "0", "1,,2", "1e3", "-1", "٣"):
        with pytest.raises(UserError, match="expected bytes of a message"):
            parse_message_sizes(wrong)
    with pytest.raises(UserError, match="more than once"):
        parse_message_sizes("8,8")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--messages", "8", "--load", "0.3"], "--load: does not go with --messages"),
        (["--messages", "8", "--rtl", "router@all"], "--rtl: does not go with --messages"),
        (["--tie-rule", "plus"], "--tie-rule: needs --messages"),
        (["--operations", "3"], "--operations: needs --messages"),
        (["--messages", "8", "--operations", "0"], "--operations"),
        (["--messages", "8x"], "--messages 8x: expected bytes of a message"),
        (["--pattern", "displacement"], "expected a number for each dimension, such as displacement:0,0,4"),
        (["--pattern", "displacement:1,2"], "--pattern displacement:1,2: 2 numbers, expected one for each of XYZ"),
        (["--pattern", "displacement:1,2,x"], "expected a number for each dimension"),
        (["--senders-every", "2"], "--senders-every: needs --pattern displacement:N,N,..."),
    ],
)
def test_wrong_request_is_one_line(
    toroid: Toroid, capfd: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert toroid("traffic", *arguments) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert expected in err


def test_only_figures_with_a_short_form_take_short(toroid: Toroid, capfd: pytest.CaptureFixture[str]) -> None:
    assert toroid("reproduce", "bgl", "fig8", "--short") == 2
    assert "reproduce bgl fig8 --short: fig8 has no short form" in capfd.readouterr().err
    assert toroid("reproduce", "bgl", "--short") == 2
    assert "reproduce bgl --short: fig4 has no short form" in capfd.readouterr().err


def test_a_link_moves_what_was_measured_of_it() -> None:
    machine = load_machine("bgp")
    assert link_rate(machine) == pytest.approx(357.63, abs=0.01)
    assert [packets(size) for size in (8, 240, 241, 4096, 1 << 20)] == [1, 1, 2, 18, 4370]
    assert cycles(machine, 1.62) == 688


def test_fair_shares_of_the_busiest_links() -> None:
    machine = load_machine("bgp")
    for kind, displacement, expected in (
        (PUT, (0, 0, 1), 357.63),
        (PUT, (0, 4, 16), 22.35),
        (GET, (0, 4, 16), 44.70),
        (PUT_BY_PARITY, (0, 0, 16), 44.70),
        (GET, (0, 9, 16), 357.63 / 9),
    ):
        assert fair_share(machine, kind, 32, displacement) == pytest.approx(expected, abs=0.01)
    by_parity = machine.with_settings(["torus.tie_rule=parity"])
    assert fair_share(by_parity, PUT, 32, (0, 0, 16)) == pytest.approx(44.70, abs=0.01)


def test_data_of_a_get_flow_back() -> None:
    machine = load_machine("bgp")
    section = traffic(machine, GET, (1, 0, 16), (32, 32, 32), 4096, 100)
    assert (section.displacement, section.routing, section.messages.tie_rule) == ([31, 0, 16], "adaptive", "parity")
    section = traffic(machine, PUT, (1, 0, 16), (32, 32, 32), 4096, 100)
    assert (section.displacement, section.routing, section.messages.tie_rule) == ([1, 0, 16], "deterministic", None)


def test_one_plane_stands_for_planes_that_nobody_leaves() -> None:
    assert FULL.extents((0, 1, 16)) == (1, 32, 32)
    assert FULL.extents((1, 1, 16)) == (32, 32, 32)
    near, far = Case(PUT, (0, 0, 1), 4096), Case(PUT, (16, 16, 16), 4096)
    assert FULL.operations_of(near, (0, 0, 1)) == 100
    operations = FULL.operations_of(far, (16, 16, 16))
    assert operations * 18 * 48 * 32**3 <= FULL.most_hops < (operations + 1) * 18 * 48 * 32**3


def test_the_short_form_has_the_displacements_of_its_ratio() -> None:
    assert set(KINDS) == {case.kind for case in cases(SHORT)}
    small = {case.displacement: SHORT.displacement(case) for case in cases(SHORT)}
    assert small[8, 16, 16] == (2, 4, 4)
    assert small[0, 0, 1] == (0, 0, 1)
    assert (1, 16, 16) not in small


def test_rows_of_the_displacements() -> None:
    machine = load_machine("bgp")
    for form in (FULL, SHORT):
        measured = {case: case.published or 1.0 for case in cases(form)}
        rows = torus_displacements.rows(machine, form, measured)
        claims = [row for row in rows if row.unit == "yes/no"]
        assert len(claims) == 4
        if form is FULL:
            # What was published has the properties that are claimed of it.
            assert [row.measured for row in claims] == [1, 1, 1, 1]
            assert all(row.deviation in (0, None) for row in rows)


def test_rows_of_the_contention() -> None:
    machine = load_machine("bgp")
    times = {
        torus_contention.Case(kind, every, size): torus_contention.PUBLISHED[kind.name.partition("_")[0]][every][size]
        for kind in KINDS
        for every in torus_contention.SENDERS_EVERY
        for size in torus_contention.SIZES
    }
    measured = {case: Spread(min=a * 425, mean=b * 425, max=c * 425) for case, (a, b, c) in times.items()}
    rows = torus_contention.rows(machine, measured)
    found = {row.row: row for row in rows}
    assert found["put, all nodes, 1048576 bytes, most"].published == 22847
    assert found["send, every 2nd plane, 65536 bytes, mean"].deviation == pytest.approx(394 / 426 - 1)
    assert [row.measured for row in rows if row.unit == "yes/no"] == [1, 1, 1]
    assert all(abs(row.deviation or 0) < 0.09 for row in rows)
