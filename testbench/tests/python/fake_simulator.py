#!/usr/bin/env -S --default-signal=INT --block-signal=INT python3
# SPDX-License-Identifier: Apache-2.0
"""Stands for the simulator in tests of the command line: echoes its configuration into a result of made-up figures.

What the "program" does is said by its first argument: exit N | fault | sleep | killed | crash | refuse.
With --hot-fraction 1 traffic is refused; with core.clock 0 every program is, by --check as well; with 1 by
the run alone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

configuration = json.loads(Path(sys.argv[2 if sys.argv[1] == "--check" else 1]).read_text())
if configuration["kind"] == "run" and configuration["parameters"]["core.clock"] == 0:
    print("toroid-sim: core.clock is 0", file=sys.stderr)
    sys.exit(2)
if sys.argv[1] == "--check":
    sys.exit(0)
if configuration["kind"] == "run" and configuration["parameters"]["core.clock"] == 1:
    print("toroid-sim: the host is too small", file=sys.stderr)
    sys.exit(2)
IO_COUNTS = ["calls", "request_packets", "reply_packets", "request_bytes", "reply_bytes"]
result_path = Path(sys.argv[2])
progress = os.fdopen(int(sys.argv[4]), "w")
interrupted = False


def on_interrupt(_number: int, _frame: FrameType | None) -> None:
    global interrupted
    interrupted = True


# Blocked until here: what an interrupt does to a Python that is starting, no simulator does.
signal.signal(signal.SIGINT, on_interrupt)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
result = {"version": 1, "configuration": configuration, "ended": "completed", "error": None, "simulated_ns": 1000}
result["stuck"] = None
status = 0
figures = {"simulated_ns": 1000, "fraction": None, "instructions": 100, "packets": 7, "packet_hops": 10}
if configuration["kind"] == "run":
    figures["live_ranks"] = configuration["run"]["ranks"] - 1
print(json.dumps(figures), file=progress, flush=True)

if configuration["kind"] == "traffic":
    if configuration["traffic"]["hot_fraction"] == 1:
        print("toroid-sim: the configuration is impossible", file=sys.stderr)
        sys.exit(2)
    print("toroid-sim: warning: made up", file=sys.stderr)
    names = ["offered", "latency_mean_cycles", "latency_p50", "p95", "p99", "max", "link_load_mean", "link_load_max"]
    result["traffic"] = [
        {"load": load, "accepted": min(load, 0.8), "packet_hops": 5, **dict.fromkeys(names, load * 100)}
        for load in configuration["traffic"]["loads"]
    ]
else:
    run = configuration["run"]
    what, *rest = run["arguments"] or ["exit", "0"]
    ranks = []
    for rank in range(run["ranks"]):
        ranks.append(
            {"rank": rank, "coordinates": [rank, 0, 0, 0], "status": 0, "fault": None, "waiting": None}
            | {"instructions": 50, "cycles": 70, "memory": {"l1_hits": 9}, "system_calls": {"write": 1}}
            | {"unknown_system_calls": {}, "io": dict.fromkeys(IO_COUNTS, 1)}
        )
    result["ranks"] = ranks
    result["network"] = {"packets_injected": 2, "packets_delivered": 2, "packet_hops": 4, "retransmissions": 0}
    result["network"]["links"] = [
        {"node": [0, 0, 0], "direction": "X+", "packets": 2, "bytes": 92, "retransmissions": 0, "busy_fraction": 0.5}
    ]
    print("output of the program", flush=True)
    if what == "exit":
        status = ranks[-1]["status"] = int(rest[0])
    elif what == "fault":
        ranks[1]["status"], ranks[1]["fault"] = (
            None,
            "rank 1 (node 1,0,0): illegal instruction at 0x10000400 (main+0x0)",
        )
        result["ended"], result["error"], status = "fault", ranks[1]["fault"], 1
    elif what == "sleep":
        result_path.with_name("sleeping").touch()
        deadline = time.monotonic() + 20
        while not interrupted and time.monotonic() < deadline:
            time.sleep(0.01)
        result["ended"], status = "interrupted", 130
    elif what == "killed":
        number = getattr(signal, rest[0])
        if number != signal.SIGKILL:  # under nohup it is ignored
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    elif what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "refuse":
        print("toroid-sim: the configuration is impossible", file=sys.stderr)
        sys.exit(2)

result_path.write_text(json.dumps(result))
done = {"done": True, "host_seconds": 0.2, "cpu_seconds": 0.1, "elaboration_seconds": 0.01, "peak_memory_kib": 2048}
print(json.dumps(done | figures), file=progress, flush=True)
sys.exit(status)
