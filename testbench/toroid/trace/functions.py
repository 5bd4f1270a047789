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

    usual: tuple[str, ...]
    always: tuple[str, ...]


@cache
def of_message_layer(machine: str) -> MessageLayerFunctions:
    """Of the machine called so."""
    tree = read_yaml(paths.ROOT / "firmware" / machine / "trace_functions.yaml")
    return MessageLayerFunctions.model_validate(tree.plain())
