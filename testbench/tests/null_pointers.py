# SPDX-License-Identifier: Apache-2.0
"""A C program that calls every function of mpi.h with a null pointer for each of its pointers, one at a time.

The other arguments are right, by rules about types and names of parameters. A function that no rule fits is an error
here, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from toroid import paths

# Not called: they begin, end or abort MPI, or have nothing to refuse.
_LEFT_OUT = {"Init", "Init_thread", "Finalize", "Abort", "Pcontrol", "DUP_FN"}

# Where a null pointer is right: the standard gives it a meaning, or any address will do.
_ALLOWED = {
    ("*", "extra"),
    ("*", "copy"),  # MPI_NULL_COPY_FN
    ("*", "del"),  # MPI_NULL_DELETE_FN
    ("Comm_set_attr", "value"),
    ("Attr_put", "value"),
    ("Type_set_attr", "value"),
    ("Win_set_attr", "value"),
    ("Free_mem", "base"),
    ("Register_datarep", "read_conversion"),  # MPI_CONVERSION_FN_NULL
    ("Register_datarep", "write_conversion"),
    ("Get_address", "location"),
    ("Address", "location"),
}
_CLASSES = {
    ("Buffer_detach", "buffer"): "MPI_ERR_ARG",
    ("Win_create", "base"): "MPI_ERR_BASE",
    ("Win_attach", "base"): "MPI_ERR_BASE",
    ("Win_detach", "base"): "MPI_ERR_RMA_ATTACH",
    ("Info_set", "key"): "MPI_ERR_INFO_KEY",
    ("Info_get", "key"): "MPI_ERR_INFO_KEY",
    ("Info_get_valuelen", "key"): "MPI_ERR_INFO_KEY",
    ("Info_delete", "key"): "MPI_ERR_INFO_KEY",
    ("Info_set", "value"): "MPI_ERR_INFO_VALUE",
    ("File_open", "filename"): "MPI_ERR_BAD_FILE",
    ("File_delete", "filename"): "MPI_ERR_BAD_FILE",
    # Nothing that this ends has begun.
    **{
        (f"File_{access}_{which}_end", "buffer"): "MPI_ERR_OTHER"
        for access in ("read", "write")
        for which in ("all", "at_all", "ordered")
    },
}
_BUFFERS = {
    "buffer": "out",
    "send": "out",
    "in": "out",
    "origin": "out",
    "compare": "third",
    "receive": "in",
    "inout": "in",
    "out": "in",
    "result_address": "in",
}

# Arguments, by function and name or by name alone.
_VALUES = {
    ("Comm_remote_size", "comm"): "inter",
    ("Comm_remote_group", "comm"): "inter",
    ("Intercomm_merge", "comm"): "inter",
    ("Type_get_contents", "datatype"): "structure",
    ("Type_get_attr", "key"): "type_key",
    ("Type_set_attr", "key"): "type_key",
    ("Win_get_attr", "key"): "win_key",
    ("Win_set_attr", "key"): "win_key",
    ("Win_attach", "win"): "dynamic",
    ("Win_detach", "win"): "dynamic",
    ("Win_shared_query", "win"): "shared",
    ("Win_test", "win"): "posted",
    ("Info_set", "info"): "info",
    ("Type_create_darray", "distributions"): "distributions",
    ("Type_create_darray", "arguments"): "arguments",
    ("Type_create_darray", "rank"): "0",
    ("Pack_external", "size"): "sizeof in",
    ("Unpack_external", "size"): "sizeof out",
    ("Pack", "size"): "sizeof in",
    ("Unpack", "size"): "sizeof out",
    ("Type_match_size", "size"): "4",
    ("Type_create_f90_integer", "range"): "4",
    ("Type_create_f90_real", "range"): "4",
    ("Type_create_f90_complex", "range"): "4",
    ("Cart_shift", "displacement"): "1",
    ("Graph_neighbors", "rank"): "0",
    ("Add_error_string", "code"): "own_code",
    ("Add_error_code", "error_class"): "MPI_ERR_ARG",
    ("Op_commutative", "op"): "MPI_SUM",
    ("Comm_create_errhandler", "function"): "on_error",
    ("Errhandler_create", "function"): "on_error",
    ("Win_create_errhandler", "function"): "on_error",
    ("Op_create", "function"): "add",
    ("File_create_errhandler", "function"): "on_error",
    ("Register_datarep", "datarep"): "another_name()",
    ("Register_datarep", "read_conversion"): "MPI_CONVERSION_FN_NULL",
    ("Register_datarep", "write_conversion"): "MPI_CONVERSION_FN_NULL",
    ("Register_datarep", "file_extent"): "extent_of",
    ("File_set_view", "displacement"): "0",
    ("Type_get_contents", "max_integers"): "ROOM",
    ("Type_get_contents", "max_addresses"): "ROOM",
    ("Type_get_contents", "max_datatypes"): "ROOM",
    ("Type_match_size", "type_class"): "MPI_TYPECLASS_INTEGER",
    ("Dist_graph_neighbors", "max_in"): "ROOM",
    ("Dist_graph_neighbors", "max_out"): "ROOM",
    ("Graph_get", "max_index"): "ROOM",
    ("Graph_get", "max_edges"): "ROOM",
    ("Cart_get", "dimensions"): "1",
    ("Startall", "requests"): "requests",
    ("Pack", "position"): "&position",
    ("Unpack", "position"): "&position",
    ("Pack_external", "position"): "&far_position",
    ("Unpack_external", "position"): "&far_position",
    ("*", "order"): "MPI_ORDER_C",
    ("*", "handler"): "&handler",
    ("*", "query"): "query",
    ("*", "free"): "release",
    ("*", "cancel"): "cancel",
    ("*", "copy"): "NULL",
    ("*", "del"): "NULL",
    ("*", "extra"): "NULL",
    ("*", "value"): "value",
    ("*", "key"): "comm_key",
    ("*", "root"): "0",
    ("*", "tag"): "0",
    ("*", "send_tag"): "0",
    ("*", "receive_tag"): "0",
    ("*", "destination"): "0",
    ("*", "source"): "0",
    ("*", "target"): "0",
    ("*", "target_displacement"): "0",
    ("*", "rank"): "0",
    ("*", "leader"): "0",
    ("*", "remote_leader"): "0",
    ("*", "reorder"): "0",
    ("*", "high"): "0",
    ("*", "direction"): "0",
    ("*", "code"): "MPI_ERR_ARG",
    ("*", "split_type"): "MPI_COMM_TYPE_SHARED",
    ("*", "starts"): "zeros",
    ("*", "displacements"): "zeros",
    ("*", "send_displacements"): "zeros",
    ("*", "receive_displacements"): "zeros",
    ("*", "edges"): "zeros",
    ("*", "sources"): "zeros",
    ("*", "destinations"): "zeros",
    ("*", "ranks"): "zeros",
    ("*", "coordinates"): "zeros",
    ("*", "ranges"): "ranges",
    ("*", "lb"): "0",
    ("*", "n"): "0",
    ("*", "colour"): "0",
    ("*", "commutes"): "1",
    ("*", "op"): "MPI_SUM",
}
_BY_TYPE = {
    "int": "1",
    "MPI_Aint": "sizeof(int)",
    "MPI_Count": "1",
    "MPI_Comm": "MPI_COMM_SELF",
    "MPI_Datatype": "MPI_INT",
    "MPI_Group": "group",
    "MPI_Info": "info",
    "MPI_Win": "win",
    "MPI_File": "file",
    "MPI_Offset": "0",
    "MPI_Op": "MPI_SUM",
    "MPI_Errhandler": "MPI_ERRORS_RETURN",
    "MPI_Request": "MPI_REQUEST_NULL",
}
_ARRAYS = {
    "MPI_Datatype": "types",
    "MPI_Request": "requests",
    "MPI_Aint": "addresses",
    "int": "ones",
    "MPI_Status": "MPI_STATUSES_IGNORE",
}
# Results and handles that are changed: a variable of the type.
_VARIABLES = {
    "int": "number",
    "MPI_Fint": "fortran_status",
    "MPI_Aint": "address",
    "MPI_Count": "wide",
    "MPI_Comm": "made",
    "MPI_Datatype": "type",
    "MPI_Group": "made_group",
    "MPI_Info": "made_info",
    "MPI_Win": "made_win",
    "MPI_File": "made_file",
    "MPI_Offset": "place",
    "MPI_Op": "made_op",
    "MPI_Errhandler": "handler",
    "MPI_Request": "request",
    "MPI_Message": "message",
    "MPI_Status": "status",
}

_HEAD = """\
#include "check.h"

enum { ROOM = 16 };
static int cases;
static int out[ROOM], in[ROOM], third[ROOM], numbers[ROOM], fortran_status[ROOM];
static int zeros[ROOM], ones[ROOM], arguments[] = {MPI_DISTRIBUTE_DFLT_DARG}, distributions[] = {MPI_DISTRIBUTE_BLOCK};
static int ranges[1][3] = {{0, 0, 1}};
static MPI_Aint addresses[ROOM], far[ROOM];
static MPI_Datatype types[ROOM];
static MPI_Request requests[ROOM];
static char text[MPI_MAX_INFO_VAL] = "text";
static MPI_Comm grid, graph, dist, inter, made;
static MPI_Group group, made_group;
static MPI_Info info, made_info;
static MPI_Win win, dynamic, shared, posted, made_win;
static MPI_File file, made_file;
static MPI_Offset place;
static MPI_Op made_op;
static MPI_Errhandler handler;
static MPI_Datatype structure, type = MPI_INT;
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Message message = MPI_MESSAGE_NO_PROC;
static MPI_Status status;
static int position, number, comm_key, type_key, win_key, own_code;
static MPI_Aint address, far_position;
static MPI_Count wide;
static void* value[ROOM];

static void on_error(int* object, int* code, ...) { (void)object, (void)code; }
static void add(void* a, void* b, int* length, MPI_Datatype* kind) { (void)a, (void)b, (void)length, (void)kind; }
static int extent_of(MPI_Datatype kind, MPI_Aint* extent, void* extra) {
  (void)kind, (void)extent, (void)extra;
  return MPI_SUCCESS;
}
static const char* another_name(void) {
  static char name[] = "a";
  ++name[0];
  return name;
}
static int query(void* extra, MPI_Status* s) { (void)extra, (void)s; return MPI_SUCCESS; }
static int release(void* extra) { (void)extra; return MPI_SUCCESS; }
static int cancel(void* extra, int complete) { (void)extra, (void)complete; return MPI_SUCCESS; }

#define TRY(wanted, function, argument, call)                                                    \\
  do {                                                                                           \\
    const int error_ = (call);                                                                   \\
    CHECK(error_ == (wanted), function " without " argument " gives error class %d, not " #wanted, error_); \\
    ++cases;                                                                                     \\
  } while (0)

static void set_up(void) {
  int world_size, world_rank;
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < ROOM; ++i) {
    ones[i] = 1;
    types[i] = MPI_INT;
    requests[i] = MPI_REQUEST_NULL;
  }
  MPI_Comm_group(MPI_COMM_SELF, &group);
  MPI_Cart_create(MPI_COMM_SELF, 1, ones, ones, 0, &grid);
  MPI_Graph_create(MPI_COMM_SELF, 1, ones, zeros, 0, &graph);
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, zeros, ones, 1, zeros, ones, MPI_INFO_NULL, 0, &dist);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - world_rank, 0, &inter);
  MPI_Info_create(&info);
  MPI_Info_set(info, "text", "something");
  MPI_Type_create_struct(1, ones, addresses, types, &structure);
  MPI_Win_create(out, sizeof out, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &dynamic);
  MPI_Win_allocate_shared(4, 1, MPI_INFO_NULL, MPI_COMM_SELF, value, &shared);
  MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_SELF, value, &posted);
  MPI_File_open(MPI_COMM_SELF, world_rank == 0 ? "file 0" : "file 1",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Win all[] = {win, dynamic, shared, posted};
  for (int i = 0; i < 4; ++i) MPI_Win_set_errhandler(all[i], MPI_ERRORS_RETURN);
  MPI_Win_lock_all(0, win);
  MPI_Win_post(group, 0, posted);
  MPI_Comm_create_keyval(NULL, NULL, &comm_key, NULL);
  MPI_Type_create_keyval(NULL, NULL, &type_key, NULL);
  MPI_Win_create_keyval(NULL, NULL, &win_key, NULL);
  MPI_Add_error_code(MPI_ERR_ARG, &own_code);
}

static void tear_down(void) {
  MPI_Win_start(group, 0, posted);
  MPI_Win_complete(posted);
  MPI_Win_wait(posted);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Win_free(&dynamic);
  MPI_Win_free(&shared);
  MPI_Win_free(&posted);
  MPI_File_close(&file);
}

"""


class NoRuleError(Exception):
    """A parameter of mpi.h that nothing here knows an argument for."""


@dataclass(frozen=True)
class Case:
    function: str
    parameter: str
    wanted: str
    call: str


def _declarations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("declarations", paths.ROOT / "firmware" / "mpi" / "declarations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["declarations"] = module
    spec.loader.exec_module(module)
    return module


def _is_function(parameter: Any) -> bool:
    return str(parameter.type).endswith("_function")


def _communicator(function: str) -> str:
    if function in ("Cart_create", "Cart_map", "Graph_create", "Graph_map") or function.startswith("Dist_graph_create"):
        return "MPI_COMM_SELF"
    for beginning, name in (("Cart", "grid"), ("Graph", "graph"), ("Dist_graph", "dist")):
        if function.startswith(beginning):
            return name
    return "grid" if "eighbor_" in function else "MPI_COMM_SELF"


def _argument(function: str, parameter: Any) -> str:
    name, kind = parameter.name, parameter.type
    if (found := _VALUES.get((function, name))) is not None:
        return found
    if parameter.depth == 0 and kind == "MPI_Comm":
        return _communicator(function)
    if kind == "void" and name in _BUFFERS:
        return _BUFFERS[name]
    if kind == "void":
        return "value"
    if kind == "char":
        return '"external32"' if name == "datarep" else "text"
    if parameter.array:
        if kind == "MPI_Aint" and ("displacements" in name):
            return "far"
        if kind == "int" and not parameter.constant:
            return "ranges" if name == "ranges" else "numbers"
        found = _VALUES.get(("*", name)) if kind == "int" else None
        found = found or _ARRAYS.get(kind)
    elif parameter.depth == 1 and not _is_function(parameter):
        found = _VARIABLES.get(kind)
        found = found if kind == "MPI_Fint" else found and f"&{found}"
    else:
        found = _VALUES.get(("*", name)) or _BY_TYPE.get(kind)
    if found is None:
        raise NoRuleError(f"MPI_{function}: no argument is known for {kind} {name}")
    return found


def _wanted(function: str, parameter: Any) -> str:
    for key in ((function, parameter.name), ("*", parameter.name)):
        if key in _ALLOWED:
            return "MPI_SUCCESS"
        if key in _CLASSES:
            return _CLASSES[key]
    return "MPI_ERR_BUFFER" if parameter.type == "void" and parameter.name in _BUFFERS else "MPI_ERR_ARG"


def _may_be_ignored(function: str, parameter: Any) -> bool:
    """MPI_STATUS_IGNORE is a null pointer here, as everywhere; MPI_Status_set_... and the like need a status."""
    return parameter.type == "MPI_Status" and not parameter.constant and not function.startswith("Status_")


def cases() -> Iterator[Case]:
    for function in _declarations().functions():
        if function.name in _LEFT_OUT or function.result != "int":
            continue
        for parameter in function.parameters:
            if not (parameter.depth or _is_function(parameter)) or _may_be_ignored(function.name, parameter):
                continue
            arguments = [
                "NULL" if other is parameter else _argument(function.name, other) for other in function.parameters
            ]
            call = f"MPI_{function.name}({', '.join(arguments)})"
            yield Case(function.name, parameter.name, _wanted(function.name, parameter), call)


def program() -> str:
    calls = "\n".join(f'  TRY({c.wanted}, "MPI_{c.function}", "{c.parameter}", {c.call});' for c in cases())
    return f"""{_HEAD}static void all(void) {{
{calls}
}}

int main(int argc, char** argv) {{
  MPI_Init(&argc, &argv);
  set_up();
  all();
  tear_down();
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%d cases\\n", cases);
  return check_end();
}}
"""
