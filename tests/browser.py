"""A headless Chromium for tests and pictures, driven by its DevTools protocol, for pages of this machine."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
START = 30.0  # seconds until a browser must answer; a cold one takes three
PAGE = 20.0  # seconds until a page must be there

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # it runs as root in CI, and opens our own pages only
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def path() -> str | None:
    """The browser's program, None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One page of a browser. `errors` are the console's errors, exceptions and failed requests."""

    def __init__(self, runner: asyncio.Runner, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.errors: list[str] = []
        self._runner = runner
        self._socket = socket
        self._count = 0
        self._loaded = False
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one command of the protocol. Raises RuntimeError for its errors."""
        return self._runner.run(self._call(method, params))

    async def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        number = self._count
        await self._socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PAGE):
            while True:
                told = await self._next()
                if told.get("id") == number:
                    if "error" in told:
                        raise RuntimeError(f"{method}: {told['error']['message']}")
                    found: dict[str, Any] = told["result"]
                    return found

    async def _next(self) -> dict[str, Any]:
        message = await self._socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise RuntimeError("the browser is gone")
        told: dict[str, Any] = json.loads(message.data)
        self._note(told.get("method", ""), told.get("params", {}))
        return told

    def _note(self, event: str, params: dict[str, Any]) -> None:
        match event:
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.consoleAPICalled" if params["type"] == "error":
                self.errors.append(" ".join(str(arg.get("value", arg)) for arg in params["args"]))
            case "Runtime.exceptionThrown":
                self.errors.append(params["exceptionDetails"].get("text", "exception"))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    def open(self, address: str) -> None:
        """Go to an address and wait until the page and its pictures are there."""
        self._loaded = False
        self.call("Page.navigate", url=address)
        self.loaded()

    def loaded(self) -> None:
        """Wait until the page that is on its way is there."""
        self._runner.run(self._until_loaded())

    async def _until_loaded(self) -> None:
        async with asyncio.timeout(PAGE):
            while not self._loaded:
                await self._next()

    def click(self, selector: str) -> None:
        """Press the first element that a CSS selector finds, and wait for the page it leads to."""
        self._loaded = False
        found = self.run(f"!!document.querySelector({json.dumps(selector)})")
        assert found, f"no {selector} on the page"
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        self.loaded()

    def run(self, script: str) -> Any:
        """The value of an expression, awaited where it is a promise. Raises RuntimeError where it throws."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise RuntimeError(told["exceptionDetails"]["exception"].get("description", script))
        return told["result"].get("value")

    @property
    def text(self) -> str:
        """What a reader sees of the page."""
        return str(self.run("document.body.innerText"))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that a CSS selector finds."""
        found = self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)")
        return [str(text) for text in found]

    def size(self, width: int, height: int, *, scale: float = 1.0, dark: bool = False) -> None:
        """Set the size of the window, the pixels for each of its units, and the reader's theme."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[theme])

    def picture(self, selector: str | None = None) -> bytes:
        """The window as PNG, or the first element that a CSS selector finds, whole."""
        clip: dict[str, Any] = {}
        if selector:
            box = self.run(
                f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                " return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()"
            )
            clip = {"clip": {**dict(zip(("x", "y", "width", "height"), box, strict=True)), "scale": 1}}
        told = self.call("Page.captureScreenshot", captureBeyondViewport=bool(selector), **clip)
        return base64.b64decode(told["data"])


@contextmanager
def browser() -> Iterator[Page]:
    """A browser with one empty page. Raises RuntimeError where there is none or it does not start."""
    program = path()
    if program is None:
        raise RuntimeError(f"no browser: none of {', '.join(NAMES)}")
    folder = Path(tempfile.mkdtemp(prefix="smallprint-browser-"))
    command = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with asyncio.Runner() as runner:
            session, socket = runner.run(_connected(_address(folder, process)))
            try:
                yield Page(runner, socket)
            finally:
                runner.run(session.close())
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the browser listens: it writes its port into its folder once it is ready."""
    told = folder / "DevToolsActivePort"
    until = time.monotonic() + START
    while time.monotonic() < until and process.poll() is None:
        if told.exists() and (lines := told.read_text().split()):
            return f"http://127.0.0.1:{lines[0]}"
        time.sleep(0.02)
    raise RuntimeError("the browser did not start")


async def _connected(address: str) -> tuple[aiohttp.ClientSession, aiohttp.ClientWebSocketResponse]:
    session = aiohttp.ClientSession()
    async with session.get(f"{address}/json/list") as answer:
        pages = [page for page in await answer.json(content_type=None) if page["type"] == "page"]
    socket = await session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0)
    return session, socket
