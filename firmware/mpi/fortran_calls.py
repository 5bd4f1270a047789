# SPDX-License-Identifier: Apache-2.0
"""fortran_calls.c: MPI's functions under the names and with the arguments of Fortran.

Most only dereference: handles are the same integers, a status is an array of them, and an INTEGER of MPI_ADDRESS_KIND
is as long as a pointer; of MPI-1, a default INTEGER. What differs is said by rules about types and names of
parameters, below; a function that no rule fits is an error here, not a wrong binding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from declarations import DeclarationError, Function, Parameter

# They have no Fortran binding: mpi.h has them for C, or Fortran has them as its own (fortran_callbacks.c).
C_ONLY = {"Status_c2f", "Status_f2c", "DUP_FN"}

# Results that are LOGICAL; the standard's functions call them so throughout.
_LOGICAL_RESULTS = {"flag", "commutes", "weighted"}
# `void*` parameters that are the address of an address, in Fortran an INTEGER(KIND=MPI_ADDRESS_KIND) result.
_ADDRESS_RESULTS = {"Alloc_mem", "Win_allocate", "Win_allocate_shared", "Win_shared_query"}
# Texts whose leading blanks do not count either.
_INFO_TEXTS = {"key", "value"}
_DIRECT_FUNCTIONS = {  # Fortran's procedures take what C's do, all by reference
    "MPI_User_function",
    "MPI_Comm_errhandler_function",
    "MPI_Win_errhandler_function",
    "MPI_File_errhandler_function",
    "MPI_Handler_function",
}
_INTEGERS = {"int", "MPI_Fint"}
_HANDLES = {
    f"MPI_{kind}"
    for kind in ["Comm", "Group", "Datatype", "Op", "Request", "Errhandler", "Info", "Win", "Message", "File"]
}
_WIDE = {"MPI_Aint", "MPI_Offset", "MPI_Count"}
# MPI-1's functions with addresses and attributes, which in Fortran are default INTEGERs, however long an address is.
MPI_1 = {
    "Address", "Attr_get", "Attr_put", "Keyval_create", "Type_extent", "Type_hindexed", "Type_hvector", "Type_lb",
    "Type_struct", "Type_ub",
}  # fmt: skip


@dataclass
class _Call:
    """The parts of one function of Fortran."""

    formal: list[str] = field(default_factory=list)
    lengths: list[str] = field(default_factory=list)  # of texts: hidden arguments after the others
    before: list[str] = field(default_factory=list)
    actual: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)  # where the function has succeeded
    release: list[str] = field(default_factory=list)  # in any case


def fortran_name(function: Function) -> str:
    return f"mpi_{function.name.lower()}_"


def has_error_argument(function: Function) -> bool:
    return function.result == "int" and function.name != "Pcontrol"


def attribute_role(function: Function) -> str:
    """create, set or get where the function handles attributes' values; the rest have nothing special."""
    name = function.name
    if name.endswith("_create_keyval") or name == "Keyval_create":
        return "create"
    if name.endswith("_set_attr") or name == "Attr_put":
        return "set"
    if name.endswith("_get_attr") or name == "Attr_get":
        return "get"
    return ""


def _text_in(call: _Call, parameter: Parameter) -> None:
    name = parameter.name
    strip = "true" if name in _INFO_TEXTS else "false"
    call.formal.append(f"const char* {name}")
    call.lengths.append(f"size_t {name}_length")
    call.before.append(f"char* {name}_text = mpii_fortran_text({name}, {name}_length, {strip});")
    call.actual.append(f"{name}_text")
    call.release.append(f"free({name}_text);")


def _text_out(call: _Call, function: Function, parameter: Parameter) -> None:
    name = parameter.name
    call.formal.append(f"char* {name}")
    call.lengths.append(f"size_t {name}_length")
    call.before.append(f"char {name}_text[MPII_FORTRAN_TEXT];")
    call.actual.append(f"{name}_text")
    condition = "if (*flag) " if any(other.name == "flag" for other in function.parameters) else ""
    call.after.append(f"{condition}mpii_fortran_pad({name}, {name}_length, {name}_text);")


def _pointer(call: _Call, function: Function, parameter: Parameter) -> None:
    name, kind = parameter.name, parameter.type
    if kind == "MPI_Status":
        call.formal.append(f"MPI_Fint* {name}")
        call.actual.append(f"mpii_fortran_status({name})")
        return
    if "weights" in name:
        call.formal.append(f"MPI_Fint* {name}")
        call.actual.append(f"mpii_fortran_weights({name})")
        return
    if kind == "MPI_Aint" and function.name in MPI_1:
        _short_address(call, parameter)
        return
    shape = "(*{})[3]" if parameter.array == "[][3]" else "* {}"
    call.formal.append(f"{kind if kind in _WIDE else 'MPI_Fint'}{shape.format(name)}")
    call.actual.append(name)
    if parameter.constant or kind not in _INTEGERS:
        return
    if name in _LOGICAL_RESULTS:
        call.after.append(f"*{name} = *{name} != 0;")
    elif name == "periods":
        call.after.append("for (int i = 0; i < *dimensions; ++i) periods[i] = periods[i] != 0;")
    elif name == "index" and not parameter.array:
        call.after.append("if (*index != MPI_UNDEFINED) *index += 1;")
    elif name == "indices":
        call.before.append("*done = 0;")
        call.release.append("for (int i = 0; i < *done; ++i) indices[i] += 1;")


def _short_address(call: _Call, parameter: Parameter) -> None:
    """A result, or an array of as many as there are `count`."""
    name = parameter.name
    call.formal.append(f"MPI_Fint* {name}")
    call.actual.append(f"{name}_long" if parameter.array else f"&{name}_long")
    if parameter.array:
        call.before.append(f"MPI_Aint* {name}_long = mpii_fortran_addresses({name}, *count);")
        call.release.append(f"free({name}_long);")
    else:
        call.before.append(f"MPI_Aint {name}_long;")
        call.after.append(f"*ierror = mpii_fortran_shorten({name}_long, {name});")


def _ordinary(call: _Call, function: Function, parameter: Parameter) -> None:
    name, kind = parameter.name, parameter.type
    if kind == "...":
        return
    if (kind == "char" and parameter.depth == 3) or name == "argc":  # argv; Fortran's programs have neither
        call.actual.append("NULL")
    elif kind == "char" and parameter.constant:
        _text_in(call, parameter)
    elif kind == "char":
        _text_out(call, function, parameter)
    elif kind == "void":
        call.formal.append(f"void* {name}")
        call.actual.append(name if function.name in _ADDRESS_RESULTS else f"mpii_fortran_buffer({name})")
    elif kind in _DIRECT_FUNCTIONS:
        call.formal.append(f"{kind}* {name}")
        call.actual.append(name)
    elif kind in _INTEGERS | _HANDLES | _WIDE and parameter.by_value:
        is_wide = kind in _WIDE and function.name not in MPI_1
        call.formal.append(f"const {kind if is_wide else 'MPI_Fint'}* {name}")
        call.actual.append(f"*{name}")
    elif kind in _INTEGERS | _HANDLES | _WIDE | {"MPI_Status"}:
        _pointer(call, function, parameter)
    else:
        raise DeclarationError(f"MPI_{function.name}: nothing is known of a parameter of type {kind} in Fortran")


def _attribute_call(function: Function, role: str) -> _Call:
    """Fortran's values are integers, C's are pointers; Fortran's functions of the user are called in Fortran's way."""
    old, number = ("old_", "MPI_Fint") if function.name in MPI_1 else ("", "MPI_Aint")
    if role == "create":
        return _Call(
            [
                f"mpii_fortran_{old}copy_t* copy",
                f"mpii_fortran_{old}delete_t* del",
                "MPI_Fint* key",
                f"const {number}* extra",
            ],
            actual=[
                f"mpii_fortran_call_{old}copy",
                f"mpii_fortran_call_{old}delete",
                "key",
                f"mpii_fortran_{old}keyval(copy, del, *extra)",
            ],
        )
    owner = function.parameters[0].name
    call = _Call([f"const MPI_Fint* {owner}", "const MPI_Fint* key"], actual=[f"*{owner}", "*key"])
    if role == "set":
        call.formal.append(f"const {number}* value")
        call.actual.append("mpii_fortran_cell(*value)")
    else:
        call.formal += [f"{number}* value", "MPI_Fint* flag"]
        call.before.append("void* pointer;")
        call.actual += ["&pointer", "flag"]
        call.after += ["*flag = *flag != 0;", f"if (*flag) *value = ({number})mpii_fortran_value(*key, pointer);"]
    return call


def _special_call(function: Function) -> _Call | None:
    if role := attribute_role(function):
        return _attribute_call(function, role)
    if function.name == "Grequest_start":
        return _Call(
            [
                "mpii_fortran_query_t* query",
                "mpii_fortran_free_t* free_it",
                "mpii_fortran_cancel_t* cancel",
                "const MPI_Aint* extra",
                "MPI_Fint* request",
            ],
            actual=[
                "mpii_fortran_call_query",
                "mpii_fortran_call_free",
                "mpii_fortran_call_cancel",
                "mpii_fortran_grequest(query, free_it, cancel, *extra)",
                "request",
            ],
        )
    if function.name == "Register_datarep":  # which never calls the functions
        call = _Call()
        _text_in(call, function.parameters[0])
        for name in ("read_conversion", "write_conversion"):
            call.formal.append(f"mpii_fortran_conversion_t* {name}")
            call.actual.append(f"mpii_fortran_conversion({name})")
        call.formal += ["MPI_Datarep_extent_function* file_extent", "MPI_Aint* extra"]
        call.actual += ["file_extent", "extra"]
        return call
    if function.name == "Buffer_detach":  # the standard: the buffer's address is not given back
        return _Call(
            ["void* buffer", "MPI_Fint* size"], before=["(void)buffer;", "void* address;"], actual=["&address", "size"]
        )
    if function.name == "Info_get":
        call = _Call()
        for parameter in function.parameters:
            _ordinary(call, function, parameter)
        # No longer than the variable: the rest is cut off as in an assignment.
        call.actual[call.actual.index("*length")] = "mpii_fortran_least(*length, MPI_MAX_INFO_VAL - 1)"
        return call
    return None


def wrapper(function: Function) -> str:
    """The definition of a function under its Fortran names, for a source file."""
    call = _special_call(function)
    if call is None:
        call = _Call()
        for parameter in function.parameters:
            _ordinary(call, function, parameter)
    name = fortran_name(function)
    formal = list(call.formal)
    if has_error_argument(function):
        formal.append("MPI_Fint* ierror")
        begin = "*ierror = "
    elif function.result == "int":
        begin = ""
    else:
        begin = "return "
    # mpi_f08's error argument is optional.
    result = "void" if function.result == "int" else function.result
    arguments = ", ".join([*formal, *call.lengths]) or "void"
    actual = ", ".join(call.actual)
    optional = ["MPI_Fint ignored;", "if (ierror == NULL) ierror = &ignored;"] if has_error_argument(function) else []
    body = [*optional, *call.before, f"{begin}PMPI_{function.name}({actual});", *call.release]
    if len(call.after) == 1 and not call.after[0].startswith(("if", "for")):
        body.append(f"if (*ierror == MPI_SUCCESS) {call.after[0]}")
    elif call.after:
        body += ["if (*ierror == MPI_SUCCESS) {", *(f"  {line}" for line in call.after), "}"]
    lines = [f"{result} p{name}({arguments}) {{"]
    lines += [f"  {line}" for line in body]
    lines += ["}", f"MPII_FORTRAN({name});"]
    return "\n".join(lines)


def source(functions: list[Function], parts: Mapping[str, str]) -> str:
    """The file, with a part for each source file that defines functions in C."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// MPI's functions as Fortran calls them.",
        "// Generated by firmware/mpi/generate_bindings.py from mpi.h: change that, not this.",
        "//",
        "// Compiled once for each part, with that alone: a part has the functions of one source file in C, so that a",
        "// program gets no more of the library than it would get in C.",
        '#include "firmware/mpi/fortran.h"',
    ]
    members: dict[str, list[Function]] = {}
    for function in functions:
        if function.name in C_ONLY:
            continue
        if function.name not in parts:
            raise DeclarationError(f"MPI_{function.name} is declared, but no source file has MPII_PUBLIC of it")
        members.setdefault(parts[function.name], []).append(function)
    for part, group in members.items():
        lines += ["", f"#if defined MPII_FORTRAN_ALL || defined MPII_FORTRAN_{part}"]
        lines += [wrapper(function) for function in group]
        lines += ["#endif"]
    return "\n".join(lines) + "\n"
