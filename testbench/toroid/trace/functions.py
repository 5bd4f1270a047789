# SPDX-License-Identifier: Apache-2.0
"""Which functions of a program a trace records the calls of, and what they are for: MPI's, and those that the machines'
message layers name (firmware/<machine>/trace_functions.yaml)."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import Literal

from pydantic import BaseModel, ConfigDict

from toroid import paths
from toroid.yaml_file import read_yaml

# The second: names that tools put in front of a function; one function with its weak name as a rule.
MPI = ("MPI_*", "PMPI_*")

_FIRMWARE = paths.ROOT / "firmware"
_FILE = "trace_functions.yaml"
_OWN_PORT = re.compile(r'X\(\w+, "([^"]+)", "([^"]+)"\)')
_STRICT = ConfigDict(extra="forbid", frozen=True)


class Protocol(BaseModel):
    """The functions of one protocol, by name."""

    model_config = _STRICT

    registration: str
    initialisations: tuple[str, ...]
    post: str

    @property
    def functions(self) -> tuple[str, ...]:
        return (self.registration, *self.initialisations, self.post)


class MessageLayer(BaseModel):
    """What the file says, which explains it."""

    model_config = _STRICT

    usual: dict[Literal["send", "receive", "wait", "collective", "other calls"], tuple[str, ...]]
    protocols: dict[str, Protocol]
    own_ports: str

    @property
    def usual_patterns(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.usual.values()))

    @property
    def always(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(protocol.functions for protocol in self.protocols.values()))


def machines() -> list[str]:
    """The machines whose message layer names functions."""
    return sorted(path.parent.name for path in _FIRMWARE.glob(f"*/{_FILE}"))


@cache
def of_message_layer(machine: str) -> MessageLayer | None:
    """Of the machine called so; None if it has no layer that a trace knows."""
    if machine not in machines():
        return None
    return MessageLayer.model_validate(read_yaml(_FIRMWARE / machine / _FILE).plain())


@cache
def message_layers() -> tuple[MessageLayer, ...]:
    """Of all machines."""
    return tuple(layer for machine in machines() if (layer := of_message_layer(machine)) is not None)


@cache
def own_ports(machine: str) -> tuple[tuple[str, str], ...]:
    """Ports that the machine's layer registers for itself, in its order: what they are for, and the protocol. Those of
    a program follow."""
    layer = of_message_layer(machine)
    if layer is None:
        return ()
    header = (_FIRMWARE / machine / layer.own_ports).read_text(encoding="utf-8")
    return tuple((purpose, protocol) for purpose, protocol in _OWN_PORT.findall(header))
