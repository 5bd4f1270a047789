# SPDX-License-Identifier: Apache-2.0
"""The command line as processes of its own that need not begin: each is forked from one that has loaded its modules.

A command of a person's takes 0.35 seconds of processor time before its work begins, which thousands of tests need not
pay. What precedes that work, the launcher and the loading of modules, has tests of its own (test_launcher.py,
test_start_up.py, test_ctrl_c.py).

`python command_server.py FD` answers at a socket that keeps messages apart. A request is a line of JSON with the
descriptors of the three standard streams; two answers follow, the command's process and its exit status.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toroid import cli, interrupts, paths

_LARGEST_REQUEST = 200_000
_LARGEST_ANSWER = 64


class CommandServer:
    """One for each process that runs tests; it runs one command at a time. What Python looks at when it begins
    (PYTHON*, LC_*) has no effect on commands."""

    _running: CommandServer | None = None

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=os.environ | {"PYTHONPATH": str(paths.ROOT / "testbench")},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # no terminal, as none of a command's streams is one
                start_new_session=True,
            )

    @classmethod
    def running(cls) -> CommandServer:
        if cls._running is None:
            cls._running = cls()
        return cls._running

    def run(
        self, command: Sequence[str], cwd: Path, env: Mapping[str, str], streams: Sequence[int], timeout: float
    ) -> int:
        """Runs a command to its end, in a session of its own. Returns its status, or the negative number of the signal
        that ended it. Raises TimeoutExpired if it hangs, when it has been ended."""
        request = json.dumps({"command": list(command), "cwd": str(cwd), "env": dict(env)}).encode()
        assert len(request) < _LARGEST_REQUEST
        socket.send_fds(self._socket, [request], list(streams))
        process = int(self._socket.recv(_LARGEST_ANSWER))
        self._socket.settimeout(timeout)
        try:
            return int(self._socket.recv(_LARGEST_ANSWER))
        except TimeoutError:
            # With the simulator that it started: left alone, that would run for ever.
            os.killpg(process, signal.SIGKILL)
            self._socket.settimeout(None)
            self._socket.recv(_LARGEST_ANSWER)
            raise subprocess.TimeoutExpired(command, timeout) from None
        finally:
            self._socket.settimeout(None)


def _become(request: dict[str, Any], streams: Sequence[int]) -> None:
    """Makes this process what the launcher would have begun."""
    os.setsid()
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.argv = request["command"]
    paths.RESULTS = paths.results()
    interrupts.install()


def main() -> None:
    asked = socket.socket(fileno=int(sys.argv[1]))
    for module in {module for module, _ in cli._COMMANDS.values()}:
        importlib.import_module(f"toroid.commands.{module}")
    gc.freeze()  # what has been loaded stays shared with the commands
    while True:
        message, streams, _, _ = socket.recv_fds(asked, _LARGEST_REQUEST, 3)
        if not message:
            return
        command = os.fork()
        if command == 0:
            asked.close()
            _become(json.loads(message), streams)
            cli.main()
        for stream in streams:
            os.close(stream)
        asked.send(str(command).encode())
        _, status = os.waitpid(command, 0)
        asked.send(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    main()
