# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, for pictures and for tests of pages, controlled by its DevTools protocol over a pair of pipes,
which needs no driver and no package."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

EXECUTABLE = "chromium-headless-shell"
_SECONDS = 60.0  # for an answer


class BrowserError(Exception):
    """The browser did not answer, or the page's script failed."""


class Page:
    """One page in its own browser. `errors`: errors on the page; `requests`: the URLs that it requested."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Network", "Page"):
            self._call(f"{domain}.enable")

    def open(self, path: Path, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        self.resize(width, height)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=features)
        self._call("Page.navigate", url=path.resolve().as_uri())
        deadline = time.monotonic() + _SECONDS
        while self.evaluate("document.readyState") != "complete":
            if time.monotonic() > deadline:
                raise BrowserError(f"{path} is not loaded after {_SECONDS:.0f} s")
        self.settle()

    def resize(self, width: int, height: int) -> None:
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def settle(self) -> None:
        """Waits until all requested drawing is complete."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def evaluate(self, expression: str) -> Any:
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """`kind`: mouseMoved, mousePressed, mouseReleased, mouseWheel; in CSS pixels of the window."""
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.settle()

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", x + dx, y + dy, button="left", buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)

    def screenshot(self, path: Path, clip: tuple[float, float, float, float] | None = None) -> None:
        """A picture of the window's contents, or of a part of it: x, y, width and height."""
        part = (
            {} if clip is None else {"clip": dict(zip(("x", "y", "width", "height", "scale"), (*clip, 1), strict=True))}
        )
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", **part)["data"]))

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(method)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._event(answer)

    def _receive(self, method: str) -> Any:
        deadline = time.monotonic() + _SECONDS
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            part = os.read(self._answers, 1 << 20) if ready else b""
            if not part:
                raise BrowserError(f"{method}: the browser has not answered in {_SECONDS:.0f} s, or has ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _event(self, event: Any) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith("data:"):
            self.requests.append(parameters["request"]["url"])


@contextmanager
def browser_page() -> Iterator[Page]:
    """A page, with a browser that starts and ends with it."""
    with ExitStack() as stack:
        profile = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="toroid-browser-", ignore_cleanup_errors=True)  # its children may write
        )
        # The browser reads commands from 3 and writes answers to 4. It is a shell's part to put them there.
        to_browser, commands = os.pipe()
        answers, from_browser = os.pipe()
        for end in (commands, answers):
            stack.callback(os.close, end)
        arguments = [
            EXECUTABLE, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", f"--user-data-dir={profile}",
        ]  # fmt: skip
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        process = subprocess.Popen(
            ["bash", "-c", shell, "browser", *arguments], pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        try:
            yield Page(commands, answers)
        finally:
            os.write(commands, b'{"id": 0, "method": "Browser.close"}\0')
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
