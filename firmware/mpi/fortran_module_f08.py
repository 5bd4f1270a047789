# SPDX-License-Identifier: Apache-2.0
"""mpi_f08.f90: MPI's module of Fortran 2008. Handles and statuses are types of their own, and the error argument is
optional; what is called are the functions of the module mpi, for which a type of one INTEGER is that INTEGER."""

from __future__ import annotations

import declarations
from declarations import Function, Parameter
from fortran_calls import C_ONLY, attribute_role, has_error_argument
from fortran_module import (
    HEAD,
    KINDS,
    LENGTH_PREFIX,
    LOGICALS,
    NOT_IN_FORTRAN,
    OFFSETS,
    SWITCHES,
    VARIABLES,
    WITH_STATE,
    common_block,
    standard_name,
)

_STATUS = "MPI_Status"
_OWNERS = {"": "MPI_Comm", "COMM_": "MPI_Comm", "TYPE_": "MPI_Datatype", "WIN_": "MPI_Win"}
_WORDS = {"MPI_Comm": "comm", "MPI_Datatype": "type", "MPI_Win": "win"}  # in the standard's names
_ADDRESS = "INTEGER(KIND=MPI_ADDRESS_KIND)"
_WIDE = {"MPI_Aint": _ADDRESS, "MPI_Offset": "INTEGER(KIND=8)", "MPI_Count": "INTEGER(KIND=8)"}


def _types() -> list[str]:
    lines = []
    for name in _handle_names():
        lines += [f"TYPE, BIND(C) :: {name}", "  INTEGER :: MPI_VAL", f"END TYPE {name}"]
    numbers, _ = declarations.constants()
    rest = numbers["MPI_STATUS_SIZE"] - 3
    lines += [
        f"TYPE, BIND(C) :: {_STATUS}",
        "  INTEGER :: MPI_SOURCE, MPI_TAG, MPI_ERROR",
        f"  INTEGER, PRIVATE :: internal({rest})",
        f"END TYPE {_STATUS}",
    ]
    return lines


def _handle_names() -> list[str]:
    return sorted(set(declarations.handle_types().values()))


def _constants() -> list[str]:
    numbers, addresses = declarations.constants()
    handles = declarations.handle_types()
    lines = []
    for name, value in numbers.items():
        if kind := handles.get(name):
            lines.append(f"TYPE({kind}), PARAMETER :: {name} = {kind}({value})")
        else:
            base = _WIDE["MPI_Offset"] if name in OFFSETS else "INTEGER"
            lines.append(f"{base}, PARAMETER :: {name} = {value - 1 if name.startswith(LENGTH_PREFIX) else value}")
    lines += [f"INTEGER, PARAMETER :: {name} = {value}" for name, value in KINDS.items()]
    lines += [f"LOGICAL, PARAMETER :: {name} = {value}" for name, value in SWITCHES.items()]
    for name in addresses:
        if name in NOT_IN_FORTRAN:
            continue
        kind, shape = "INTEGER", VARIABLES[name]
        if name in ("MPI_STATUS_IGNORE", "MPI_STATUSES_IGNORE"):
            kind, shape = f"TYPE({_STATUS})", "(1)" if "STATUSES" in name else ""
        lines += [f"{kind} :: {name}{shape}", f"COMMON /{common_block(name)}/ {name}"]
    return lines


def _declaration(parameter: Parameter) -> list[str]:
    """What an interface says of one argument."""
    name, kind = standard_name(parameter), parameter.type
    if kind == "void":
        return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"TYPE(*), DIMENSION(*) :: {name}"]
    if kind.endswith(("_function", "_fn")):
        return [f"EXTERNAL :: {name}"]
    if kind == "char":
        return [f"CHARACTER(LEN=*){', INTENT(IN)' if parameter.constant else ''} :: {name}"]
    if parameter.array == "[][3]":
        return [f"INTEGER :: {name}(3,*)"]
    if kind == _STATUS or kind in _handle_names():
        base = f"TYPE({kind})"
    else:
        base = _WIDE.get(kind, "LOGICAL" if parameter.name in LOGICALS else "INTEGER")
    intent = ", INTENT(IN)" if parameter.by_value or (parameter.constant and parameter.array) else ""
    return [f"{base}{intent} :: {name}{'(*)' if parameter.array else ''}"]


def _arguments(function: Function) -> tuple[list[str], list[str]]:
    """The names of a function's arguments, and their declarations."""
    names, lines = [], []
    for parameter in function.parameters:
        if parameter.name == "argc" or parameter.depth == 3 or parameter.type == "...":
            continue
        names.append(standard_name(parameter))
        if parameter.type == "void" and (attribute_role(function) or function.name in WITH_STATE):
            lines.append(f"{_ADDRESS} :: {names[-1]}")
        else:
            lines += _declaration(parameter)
    if has_error_argument(function):
        names.append("ierror")
        lines.append("INTEGER, OPTIONAL, INTENT(OUT) :: ierror")
    return names, lines


def _interface(function: Function) -> list[str]:
    names, lines = _arguments(function)
    name = f"MPI_{function.name}"
    if function.result == "int":
        head = f"SUBROUTINE {name}"
    else:
        head = f"FUNCTION {name}"
        lines = [*lines, f"{'REAL(KIND=8)' if function.result == 'double' else _ADDRESS} :: {name}"]
    text = [f"{head}( &", *(f"    {argument}, &" for argument in names)]
    text[-1] = text[-1].replace(", &", ")") if names else f"{head}()"
    body = [line if line.startswith("!") else f"  {line}" for line in lines]
    return [*text, "  IMPORT", *body, f"END {head}"]


def _procedure(name: str, arguments: dict[str, str], uses: tuple[str, ...] = ()) -> list[str]:
    """The interface of a subroutine whose arguments have these types, in this order."""
    return [
        f"SUBROUTINE {name}( &",
        *(f"    {argument}, &" for argument in list(arguments)[:-1]),
        f"    {list(arguments)[-1]})",
        *(f"  USE, INTRINSIC :: {module}" for module in uses),
        "  IMPORT",
        *(f"  {kind} :: {argument}" for argument, kind in arguments.items()),
        f"END SUBROUTINE {name}",
    ]


def _copy_function(name: str, owner: str) -> list[str]:
    word = _WORDS[owner]
    return _procedure(
        name,
        {
            f"old{word}": f"TYPE({owner})",
            f"{word}_keyval": "INTEGER",
            "extra_state": _ADDRESS,
            "attribute_val_in": _ADDRESS,
            "attribute_val_out": _ADDRESS,
            "flag": "LOGICAL",
            "ierror": "INTEGER",
        },
    )


def _delete_function(name: str, owner: str) -> list[str]:
    word = _WORDS[owner]
    return _procedure(
        name,
        {
            "datatype" if word == "type" else word: f"TYPE({owner})",
            f"{word}_keyval": "INTEGER",
            "attribute_val": _ADDRESS,
            "extra_state": _ADDRESS,
            "ierror": "INTEGER",
        },
    )


def _conversion_function(name: str) -> list[str]:
    return _procedure(
        name,
        {
            "userbuf": "TYPE(C_PTR), VALUE",
            "datatype": "TYPE(MPI_Datatype)",
            "count": "INTEGER",
            "filebuf": "TYPE(C_PTR), VALUE",
            "position": _WIDE["MPI_Offset"],
            "extra_state": _ADDRESS,
            "ierror": "INTEGER",
        },
        uses=("ISO_C_BINDING, ONLY: C_PTR",),
    )


def _predefined_functions() -> list[str]:
    lines = _conversion_function("MPI_CONVERSION_FN_NULL")
    for prefix, owner in _OWNERS.items():
        lines += _copy_function(f"MPI_{prefix}NULL_COPY_FN", owner)
        lines += _copy_function(f"MPI_{prefix}DUP_FN", owner)
        lines += _delete_function(f"MPI_{prefix}NULL_DELETE_FN", owner)
    return lines


def _abstract_interfaces() -> list[str]:
    """What programs declare the procedures with that they pass."""
    buffer = "TYPE(C_PTR), VALUE"
    lines = _procedure(
        "MPI_User_function",
        {"invec": buffer, "inoutvec": buffer, "len": "INTEGER", "datatype": "TYPE(MPI_Datatype)"},
        uses=("ISO_C_BINDING, ONLY: C_PTR",),
    )
    for owner, word in _WORDS.items():
        lines += _copy_function(f"MPI_{word.capitalize()}_copy_attr_function", owner)
        lines += _delete_function(f"MPI_{word.capitalize()}_delete_attr_function", owner)
    for word in ("comm", "win", "file"):
        name = word.capitalize()
        lines += _procedure(f"MPI_{name}_errhandler_function", {word: f"TYPE(MPI_{name})", "error_code": "INTEGER"})
    for name, more in {
        "query": {"status": f"TYPE({_STATUS})"},
        "free": {},
        "cancel": {"complete": "LOGICAL"},
    }.items():
        lines += _procedure(f"MPI_Grequest_{name}_function", {"extra_state": _ADDRESS, **more, "ierror": "INTEGER"})
    lines += _conversion_function("MPI_Datarep_conversion_function")
    lines += _procedure(
        "MPI_Datarep_extent_function",
        {"datatype": "TYPE(MPI_Datatype)", "extent": _ADDRESS, "extra_state": _ADDRESS, "ierror": "INTEGER"},
    )
    return lines


def _operator(kind: str, name: str, relation: str) -> list[str]:
    function = f"{kind.lower().replace('mpi', 'mpii')}_{name}"
    return [
        f"ELEMENTAL FUNCTION {function}(first, second) RESULT(answer)",
        f"  TYPE({kind}), INTENT(IN) :: first, second",
        "  LOGICAL :: answer",
        f"  answer = first%MPI_VAL {relation} second%MPI_VAL",
        f"END FUNCTION {function}",
    ]


def module_source() -> str:
    """The module mpi_f08."""
    lines = [*_types(), *_constants()]
    interfaces = _predefined_functions()
    for function in declarations.functions():
        if function.name not in C_ONLY:
            interfaces += _interface(function)
    body = [f"  {line}" for line in lines]
    body += ["  ABSTRACT INTERFACE", *(f"    {line}" for line in _abstract_interfaces()), "  END INTERFACE"]
    body += [
        "  INTERFACE",
        *(line if line.startswith("!") else f"    {line}" for line in interfaces),
        "  END INTERFACE",
    ]
    procedures = []
    for name, relation in {"equal": "==", "unequal": "/="}.items():
        functions = [f"{kind.lower().replace('mpi', 'mpii')}_{name}" for kind in _handle_names()]
        body += [f"  INTERFACE OPERATOR({relation})", *(f"    MODULE PROCEDURE {function}" for function in functions)]
        body += [f"  END INTERFACE OPERATOR({relation})", *(f"  PRIVATE :: {function}" for function in functions)]
        for kind in _handle_names():
            procedures += _operator(kind, name, relation)
    return (
        "\n".join(
            [
                *HEAD[:1],
                "! The module mpi_f08.",
                *HEAD[1:],
                "MODULE mpi_f08",
                "  USE mpi, ONLY: MPI_SIZEOF",
                "  IMPLICIT NONE",
                "  PUBLIC",
                *body,
                "CONTAINS",
                *(f"  {line}" for line in procedures),
                "END MODULE mpi_f08",
            ]
        )
        + "\n"
    )
