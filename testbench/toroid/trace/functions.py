# SPDX-License-Identifier: Apache-2.0
"""Which functions of a program a trace records the calls of: MPI's, and those that a machine's message layer names."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ConfigDict

from toroid import paths
from toroid.yaml_file import read_yaml

# The second: names that tools put in front of a function; one function with its weak name as a rule.
MPI = ("MPI_*", "PMPI_*")


class MessageLayerFunctions(BaseModel):
    """Shell patterns; the file says what for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    usual: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


@cache
def of_message_layer(machine: str) -> MessageLayerFunctions:
    """Of the machine called so. None if the file is missing: not every machine has a message layer."""
    path = paths.ROOT / "firmware" / machine / "trace_functions.yaml"
    return MessageLayerFunctions.model_validate(read_yaml(path).plain()) if path.exists() else MessageLayerFunctions()
