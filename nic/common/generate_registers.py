#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the C register headers, the register banks and the register tables of the docs from the SystemRDL descriptions.

    python nic/common/generate_registers.py           write them
    python nic/common/generate_registers.py --check   compare instead; status 1 where a file is out of date

nic/ROOM/registers.yaml lists the devices of a room. The results are committed, so that building needs neither this
script nor its packages (systemrdl-compiler, the compiler behind PeakRDL, and Jinja2). PeakRDL's own C exporter lays
structures over the registers; our header has integer macros only, because a FIFO window and a DCR are no memory and C
leaves the order of bit-fields open.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
from ruamel.yaml import YAML
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegfileNode, RegNode

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Device:
    """One description nic/ROOM/NAME_regs.rdl and what is made of it.

    `guide` is the page of docs/guide that shows the device's use. `prefixes` gives each address map of the description
    the prefix of its C names. With `bank`, the device's model takes its registers from the description as well. A
    device that is not `placed` lies elsewhere in each machine: its blocks begin at 0 in the description, and the header
    has no _BASE.
    """

    room: str
    name: str
    title: str
    guide: str
    prefixes: dict[str, str]
    bank: bool = False
    placed: bool = True

    @property
    def description(self) -> Path:
        return ROOT / f"nic/{self.room}/{self.name}_regs.rdl"

    @property
    def header(self) -> Path:
        return self.description.with_suffix(".h")

    @property
    def bank_header(self) -> Path:
        return self.description.with_name(f"{self.name}_bank.h")

    @property
    def table(self) -> Path:
        return ROOT / f"docs/reference/{self.room}_{self.name}_registers.md"


def devices() -> Iterator[Device]:
    """Those that nic/ROOM/registers.yaml lists, of all rooms."""
    for path in sorted(ROOT.glob("nic/*/registers.yaml")):
        for name, entry in YAML(typ="safe").load(path).items():
            yield Device(path.parent.name, name, **entry)


@dataclass
class Field:
    name: str
    high: int
    low: int
    access: str
    reset: int | None
    description: str
    register_bits: int

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low

    @property
    def byte(self) -> int | None:
        """Place in the big-endian register, for a byte-wide field of a register too wide for integer macros."""
        if self.register_bits <= 64 or self.width != 8 or self.low % 8:
            return None
        return (self.register_bits - 1 - self.high) // 8

    @property
    def reset_text(self) -> str:
        return "" if self.reset is None else str(self.reset)

    @property
    def ibm_bits(self) -> str:
        first, last = self.register_bits - 1 - self.high, self.register_bits - 1 - self.low
        return str(first) if first == last else f"{first}:{last}"

    @property
    def bits(self) -> str:
        return str(self.low) if self.width == 1 else f"{self.high}:{self.low}"


@dataclass
class Register:
    name: str
    offset: int
    count: int
    stride: int
    window: int | None
    bits: int
    description: str
    mark: str
    consumes: bool
    fields: list[Field] = field(default_factory=list)

    @property
    def reset(self) -> int | None:
        values = [f.reset << f.low for f in self.fields if f.reset is not None]
        return sum(values) if values else None

    @property
    def stored(self) -> int:
        """Bits that a write replaces."""
        return sum(f.mask for f in self.fields if f.access in ("rw", "wo"))

    @property
    def cleared(self) -> int:
        """Bits that a written 1 clears."""
        return sum(f.mask for f in self.fields if f.access == "w1c")

    @property
    def readable(self) -> bool:
        return any(f.access != "wo" for f in self.fields)

    @property
    def writable(self) -> bool:
        return any(f.access != "ro" for f in self.fields)


@dataclass
class Space:
    """The registers of a block, or of one of its repeated groups."""

    addrmap: str
    name: str
    prefix: str
    description: str
    base: int
    count: int
    stride: int
    dcr: bool
    registers: list[Register]

    @property
    def places(self) -> list[int]:
        """Of each register among the values of the block."""
        return [sum(register.count for register in self.registers[:i]) for i in range(len(self.registers) + 1)]


def one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def access_of(node: FieldNode) -> str:
    words = {"r": "ro", "w": "wo", "rw": "rw"}
    onwrite = node.get_property("onwrite")
    return "w1c" if onwrite is not None and onwrite.name == "woclr" else words[node.get_property("sw").name]


def array_of(node: RegNode | RegfileNode) -> tuple[int, int]:
    """Count and stride in bytes; 1 and 0 for what is no array."""
    if node.array_dimensions is None or node.array_stride is None:
        return 1, 0
    return node.array_dimensions[0], node.array_stride


def registers_in(node: AddrmapNode | RegfileNode) -> Iterator[tuple[RegNode, RegfileNode | None]]:
    """Those of a block, each with the array of interleaved registers that it belongs to: an inner register file."""
    for child in node.children(unroll=False):
        if isinstance(child, RegNode):
            yield child, None
        elif isinstance(child, RegfileNode):
            for inner in child.registers(unroll=False):
                yield inner, child


def register_of(node: RegNode, file: RegfileNode | None, base: int, unit: int) -> Register:
    bits = node.get_property("regwidth")
    count, stride = array_of(node if file is None else file)
    within = 0 if file is None else file.raw_address_offset
    register = Register(
        name=node.inst_name if file is None else f"{file.inst_name}_{node.inst_name}",
        offset=(within + node.raw_address_offset) // unit - base,
        count=count,
        stride=stride // unit,
        window=node.get_property("window_bytes"),
        bits=bits,
        description=one_line(node.get_property("desc")),
        mark=node.get_property("mark") or "",
        consumes=bool(node.get_property("read_consumes", default=False)),
    )
    for item in sorted(node.fields(), key=lambda f: -f.high):
        reset = item.get_property("reset")
        register.fields.append(
            Field(
                name=item.inst_name,
                high=item.high,
                low=item.low,
                access=access_of(item),
                reset=reset if isinstance(reset, int) else None,
                description=one_line(item.get_property("desc", default="")),
                register_bits=bits,
            )
        )
    return register


def spaces_of(top: AddrmapNode, prefix: str) -> Iterator[Space]:
    dcr = bool(top.get_property("dcr_space"))
    unit = 4 if dcr else 1
    groups = [child for child in top.children(unroll=False) if isinstance(child, RegfileNode) and not dcr]
    for group in groups:
        base = group.raw_absolute_address
        count, stride = array_of(group)
        yield Space(
            addrmap=top.inst_name,
            name=one_line(top.get_property("name")),
            prefix=prefix,
            description=one_line(top.get_property("desc")),
            base=base,
            count=count,
            stride=stride,
            dcr=False,
            registers=[register_of(reg, file, 0, 1) for reg, file in registers_in(group)],
        )
    registers = list(registers_in(top)) if dcr or not groups else []
    if registers:
        base = min((reg if file is None else file).raw_address_offset // unit for reg, file in registers)
        yield Space(
            addrmap=top.inst_name,
            name=one_line(top.get_property("name")),
            prefix=prefix,
            description=one_line(top.get_property("desc")),
            base=base,
            count=1,
            stride=0,
            dcr=dcr,
            registers=[register_of(reg, file, base, unit) for reg, file in registers],
        )


HEADER_TEMPLATE = """\
// SPDX-License-Identifier: Apache-2.0
//
// {{ title }}.
// Generated by nic/common/generate_registers.py from {{ source }}: change that, not this.
//
// Plain C11 and C++17, integer macros only. Bit 0 is the least significant.
{%- if placed %}
//   _BASE             physical address or DCR number of the block
{%- endif %}
//   _OFFSET           of a register from its block's base, in bytes (in DCR numbers for a DCR)
//   _COUNT, _STRIDE   of an array of registers
//   _BYTES            length of the window a register fills
//   _RESET            value after reset
//   _SHIFT, _WIDTH, _MASK of a field; _BYTE: its place in a quad, byte 0 first
#ifndef {{ guard }}
#define {{ guard }}

// clang-format off
{% for space in spaces %}
// {{ space.name }}. {{ space.description }}
{%- if placed %}
#define {{ space.prefix }}_BASE {{ hex(space.base) }}
{%- endif %}
{%- if space.count > 1 %}
#define {{ space.prefix }}_GROUP_COUNT {{ space.count }}
#define {{ space.prefix }}_GROUP_STRIDE {{ hex(space.stride) }}
{%- endif %}
{% for reg in space.registers %}
{%- set name = space.prefix ~ "_" ~ reg.name %}
// {{ reg.description }}{% if reg.mark == "assumed" %} (Order of the bits assumed.){% endif %}
#define {{ name }}_OFFSET {{ hex(reg.offset) }}
{%- if reg.count > 1 %}
#define {{ name }}_COUNT {{ reg.count }}
#define {{ name }}_STRIDE {{ hex(reg.stride) }}
{%- endif %}
{%- if reg.window %}
#define {{ name }}_BYTES {{ hex(reg.window) }}
{%- endif %}
{%- if reg.reset is not none %}
#define {{ name }}_RESET {{ hex(reg.reset, 8) }}
{%- endif %}
{%- for f in reg.fields %}
{%- if f.byte is not none %}
#define {{ name }}_{{ f.name }}_BYTE {{ f.byte }}
{%- elif reg.bits <= 64 and f.width < reg.bits %}
#define {{ name }}_{{ f.name }}_SHIFT {{ f.low }}
#define {{ name }}_{{ f.name }}_WIDTH {{ f.width }}
#define {{ name }}_{{ f.name }}_MASK {{ hex(f.mask, 8) }}
{%- endif %}
{%- endfor %}
{% endfor %}
{%- endfor %}
#endif  // {{ guard }}
"""

BANK_TEMPLATE = """\
// SPDX-License-Identifier: Apache-2.0
//
// {{ title }}, for the device's register bank (nic/common/register_bank.h).
// Generated by nic/common/generate_registers.py from {{ source }}: change that, not this.
#pragma once

#include "nic/common/register_description.h"

// clang-format off
{% for space in spaces %}
// {{ space.name }}. {{ space.description }}
namespace toroid::{{ space.addrmap }} {

// base, groups, bytes from group to group, values of a group
inline constexpr RegisterBlock kBlock{
    {{- hex(space.base) }}, {{ space.count }}, {{ hex(space.stride) }}, {{ space.places[-1] }}};

// name, offset, count, stride, bytes, place, reset, bits stored, bits cleared by a 1, readable, writable, pure
{%- for reg in space.registers %}
inline constexpr RegisterDescription {{ camel(reg.name) }}{ {{- description(reg, space.places[loop.index0]) }}};
{%- endfor %}
{% for reg in space.registers if reg.bits <= 64 and detailed(reg) %}
namespace {{ reg.name.lower() }} {
{%- for f in reg.fields %}
inline constexpr RegisterField {{ camel(f.name) }}{ {{- f.low }}, {{ hex(f.mask) }}};
{%- endfor %}
}
{%- endfor %}

}  // namespace toroid::{{ space.addrmap }}
{% endfor %}"""

TABLE_TEMPLATE = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Generated by nic/common/generate_registers.py from {{ source }}: change that, not this. -->

# {{ title }}

How to use them: [{{ guide_name }}]({{ guide }}). The C names are those of `{{ header }}`.
Bits are numbered from the least significant; the column *IBM* counts from the most significant, as the machine's own
documents do. Marks: `driver` = place and content from the machine's own driver source, `assumed` = the order of the
bits was chosen here.
{% for space in spaces %}
## {{ space.name }}

{{ space.description }} {% if placed %}Base {{ md_hex(space.base) }}{% else %}Each machine has a base of its own
{%- endif %}
{%- if space.count > 1 %}, {{ space.count }} groups {{ md_hex(space.stride) }} apart{% endif %}.

| offset | register | content | reset | mark |
| --- | --- | --- | --- | --- |
{%- for reg in space.registers %}
| {{ place(reg) }} | {{ link(space, reg) }} | {{ reg.description }} | {{ reset(reg) }} | {{ reg.mark }} |
{%- endfor %}
{% for reg in space.registers if detailed(reg) %}
<a id="{{ anchor(space, reg) }}"></a>

### {{ reg.name }}

{{ reg.description }}

| bits | IBM | field | access | reset | meaning |
| --- | --- | --- | --- | --- | --- |
{%- for f in reg.fields %}
| {{ f.bits }} | {{ f.ibm_bits }} | {{ f.name }} | {{ f.access }} | {{ f.reset_text }} | {{ f.description }} |
{%- endfor %}
{% endfor %}
{%- endfor %}"""


def c_hex(value: int, digits: int = 1) -> str:
    return f"0x{value:0{digits}X}u"


def camel(name: str) -> str:
    return "k" + "".join(word.capitalize() for word in name.split("_"))


def flag(value: bool) -> str:
    return "true" if value else "false"


def description(register: Register, place: int) -> str:
    """Of a register in its bank, in the order of RegisterDescription's members."""
    stored = register.stored if register.bits <= 64 else 0
    numbers = (register.offset, register.count, register.stride, register.bits // 8, place)
    masks = (register.reset or 0, stored, register.cleared)
    flags = (register.readable, register.writable, not register.consumes)
    return ", ".join([f'"{register.name}"', *map(c_hex, numbers), *map(c_hex, masks), *map(flag, flags)])


def md_hex(value: int) -> str:
    return f"0x{value:X}"


def place(register: Register) -> str:
    first = f"0x{register.offset:02X}"
    if register.count == 1:
        return first
    return f"{first} + n x 0x{register.stride:X}, n < {register.count}"


def detailed(register: Register) -> bool:
    """Whether the fields say more than the register's own line."""
    return len(register.fields) > 1 or register.fields[0].width < register.bits


def link(space: Space, register: Register) -> str:
    return f"[{register.name}](#{anchor(space, register)})" if detailed(register) else register.name


def reset_text(register: Register) -> str:
    return "" if register.reset is None else md_hex(register.reset)


def anchor(space: Space, register: Register) -> str:
    return f"{space.prefix}-{register.name}".lower().replace("_", "-")


def generate(device: Device) -> dict[Path, str]:
    """The text of every file made from one description."""
    spaces: list[Space] = []
    for addrmap, prefix in device.prefixes.items():
        compiler = RDLCompiler()
        compiler.compile_file(str(device.description))
        top = compiler.elaborate(top_def_name=addrmap).top
        spaces.extend(spaces_of(top, prefix))

    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    values = {
        "title": device.title,
        "source": device.description.relative_to(ROOT).as_posix(),
        "header": device.header.relative_to(ROOT).as_posix(),
        "guard": f"TOROID_{device.header.relative_to(ROOT).as_posix().upper().replace('/', '_').replace('.', '_')}_",
        "guide": f"../guide/{device.guide}",
        "guide_name": device.guide,
        "spaces": spaces,
        "placed": device.placed,
        "hex": c_hex,
        "camel": camel,
        "description": description,
        "md_hex": md_hex,
        "place": place,
        "detailed": detailed,
        "anchor": anchor,
        "link": link,
        "reset": reset_text,
    }
    templates = {device.header: HEADER_TEMPLATE, device.table: TABLE_TEMPLATE}
    if device.bank:
        templates[device.bank_header] = BANK_TEMPLATE
    return {
        path: environment.from_string(template).render(values).rstrip("\n") + "\n"
        for path, template in templates.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Write register headers and tables from SystemRDL descriptions.")
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing")
    check = parser.parse_args().check
    stale = 0
    for device in devices():
        for path, text in generate(device).items():
            if check:
                if not path.exists() or path.read_text(encoding="utf-8") != text:
                    print(
                        f"{path.relative_to(ROOT)}: does not match {device.description.relative_to(ROOT)}; "
                        "run nic/common/generate_registers.py and commit the result",
                        file=sys.stderr,
                    )
                    stale += 1
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
