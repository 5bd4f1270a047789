#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the message layer's own ports into the dissector, from firmware/bgl/msglayer/own_ports.h.

    python testbench/wireshark/generate_ports.py           write them
    python testbench/wireshark/generate_ports.py --check   compare instead; status 1 where they are out of date

People copy the dissector into Wireshark's folder, so it cannot read the header itself.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from toroid.trace.functions import own_ports

DISSECTOR = Path(__file__).with_name("toroid.lua")
_TABLE = re.compile(r"(?<=-- Ports of the layer's own, by generate_ports\.py\.\n).*?(?=-- End of them\.\n)", re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the dissector instead of writing")
    check = parser.parse_args().check
    lines = [f'  [{number}] = "{purpose}",\n' for number, (purpose, _) in enumerate(own_ports("bgl"))]
    text = DISSECTOR.read_text(encoding="utf-8")
    new = _TABLE.sub("local OWN = {\n" + "".join(lines) + "}\n", text)
    if new == text:
        return 0
    if check:
        print(f"{DISSECTOR.name}: the ports are out of date; run testbench/wireshark/generate_ports.py")
        return 1
    DISSECTOR.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
