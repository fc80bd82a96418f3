"""Firefox and WebKit, driven by the commands of the W3C's WebDriver, which both of them speak by themselves.

Firefox takes them over a socket of its own (Marionette), WebKitGTK's WebKitWebDriver over HTTP. That needs no package:
Playwright's Firefox follows a build of its own, and newer ones call what the stock Firefox does not have.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.cases import first
from tests.servers import PATIENCE, free_port, stop, wait_until

Ask = Callable[..., Any]

# What WebDriver calls its commands, and where they are in HTTP.
COMMANDS = {
    "NewSession": ("POST", "/session"),
    "DeleteSession": ("DELETE", "/session/{session}"),
    "Navigate": ("POST", "/session/{session}/url"),
    "GetCurrentURL": ("GET", "/session/{session}/url"),
    "Refresh": ("POST", "/session/{session}/refresh"),
    "NewWindow": ("POST", "/session/{session}/window/new"),
    "GetWindowHandle": ("GET", "/session/{session}/window"),
    "SwitchToWindow": ("POST", "/session/{session}/window"),
    "SwitchToFrame": ("POST", "/session/{session}/frame"),
    "SetWindowRect": ("POST", "/session/{session}/window/rect"),
    "CloseWindow": ("DELETE", "/session/{session}/window"),
    "FindElements": ("POST", "/session/{session}/elements"),
    "ElementClick": ("POST", "/session/{session}/element/{id}/click"),
    "ElementSendKeys": ("POST", "/session/{session}/element/{id}/value"),
    "ExecuteScript": ("POST", "/session/{session}/execute/sync"),
    "PerformActions": ("POST", "/session/{session}/actions"),
    "TakeScreenshot": ("GET", "/session/{session}/screenshot"),
}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name of an element's number in WebDriver
TRY_AGAIN = ("stale element reference", "element not interactable", "element click intercepted", "no such element")


class RefusedError(Exception):
    """What a browser answers to a command that it does not carry out; `kind` is WebDriver's word for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


@dataclass(frozen=True)
class Window:
    """The present tab of a browser; what it is asked to do waits until the page can do it."""

    engine: str
    ask: Ask

    def new_tab(self) -> None:
        """A tab without a history, of the same browser."""
        self.ask("SwitchToWindow", handle=self.ask("NewWindow", type="tab")["handle"])

    @property
    def tab(self) -> str:
        return str(self.ask("GetWindowHandle"))

    def to_tab(self, tab: str) -> None:
        self.ask("SwitchToWindow", handle=tab)

    def resize(self, width: int, height: int) -> int:
        """The size of a phone; how wide it became, which may be more."""
        self.ask("SetWindowRect", width=width, height=height)
        return int(self.run("return innerWidth"))

    def go(self, address: str) -> None:
        self.ask("Navigate", url=address)

    @property
    def address(self) -> str:
        return str(self.ask("GetCurrentURL"))

    def back(self) -> None:
        """As the browser's Back; WebDriver's own waits in WebKit for a page to load, and inside one page none does."""
        self.run("setTimeout(() => history.back())")

    def forward(self) -> None:
        self.run("setTimeout(() => history.forward())")

    def reload(self) -> None:
        self.ask("Refresh")

    def run(self, script: str, *arguments: object) -> Any:
        """What a script of the page returns."""
        return self.ask("ExecuteScript", script=script, args=arguments)

    def on_element(self, command: str, xpath: str, **details: object) -> Any:
        """Carry a command out on the first element of that path, as soon as there is one that can take it."""
        outcome: list[Any] = []
        why = "there is none"

        def succeeds() -> bool:
            nonlocal why
            try:
                for element in self.ask("FindElements", using="xpath", value=xpath)[:1]:
                    self.run("arguments[0].scrollIntoView({ block: 'center' })", element)  # WebKit does not by itself
                    outcome.append(self.ask(command, id=element[ELEMENT], **details))
            except RefusedError as refused:
                if refused.kind not in TRY_AGAIN:
                    raise
                why = str(refused)
            return bool(outcome)

        try:
            wait_until(succeeds, PATIENCE, f"{self.engine}: {command} on {xpath}")
        except AssertionError as failure:
            raise AssertionError(f"{failure}, because {why}; the page says: {self.words()}") from None
        return outcome[0]

    def press(self, name: str) -> None:
        """A button, by its words."""
        self.on_element("ElementClick", f"//button[normalize-space() = '{name}']")

    def tick(self, question: str, answer: str) -> None:
        self.on_element("ElementClick", f"{asked(question)}//label[normalize-space() = '{answer}']")

    def write(self, question: str, text: str) -> None:
        """Type into the field of a question."""
        self.on_element("ElementSendKeys", f"{asked(question)}//*[self::input or self::textarea]", text=text)

    def fill(self, field: str, text: str) -> None:
        """As a browser does that completes forms."""
        script = "const [field, text] = arguments; document.getElementById(field).value = text"
        self.run(f"{script}; document.getElementById(field).dispatchEvent(new Event('input'))", field, text)

    def type_into(self, field: str, keys: str) -> None:
        """Press key after key, as a person does; WebDriver sets dates whole."""
        self.run("document.getElementById(arguments[0]).focus()", field)
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("PerformActions", actions=[{"type": "key", "id": "keys", "actions": pressed}])

    def words(self) -> str:
        """All that the page says now."""
        return str(self.run("return document.body.innerText"))

    def see(self, words: str) -> None:
        """Wait until the page says it."""

        def says() -> bool:
            with suppress(RefusedError):  # between two pages there is none
                return words in self.words()
            return False

        try:
            wait_until(says, PATIENCE, f"{self.engine} shows “{words}”")
        except AssertionError as failure:
            raise AssertionError(f"{failure}; the page says: {self.words()}") from None

    def see_address(self, address: str) -> None:
        wait_until(lambda: self.address == address, PATIENCE, f"{self.engine} comes to {address}")

    def ticked(self) -> list[str]:
        return list(
            self.run("return [...document.querySelectorAll('label:has(:checked)')].map((one) => one.textContent)")
        )


def asked(question: str) -> str:
    return f"//*[contains(@class, 'question')][.//*[contains(@class, 'legend')][contains(., '{question}')]]"


@contextmanager
def started(command: list[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        yield process
    finally:
        stop(process)


def over_marionette(address: tuple[str, int], stack: ExitStack) -> Ask:
    """WebDriver's commands as Firefox takes them: [0, number, name, details] with its length before it."""
    line = stack.enter_context(socket.create_connection(address))
    stream = stack.enter_context(line.makefile("rwb"))

    def read() -> Any:
        length = b""
        while (byte := stream.read(1)) != b":":
            assert byte, "Firefox has ended"
            length += byte
        return json.loads(stream.read(int(length)))

    read()  # its greeting

    def ask(command: str, **details: object) -> Any:
        message = json.dumps([0, 0, f"WebDriver:{command}", details]).encode()
        stream.write(b"%d:%s" % (len(message), message))
        stream.flush()
        _kind, _number, error, answer = read()
        if error:
            raise RefusedError(error["error"], error["message"])
        return answer["value"] if isinstance(answer, dict) and answer.keys() == {"value"} else answer

    return ask


def over_http(port: int) -> Ask:
    session = ""

    def ask(command: str, **details: object) -> Any:
        nonlocal session
        method, path = COMMANDS[command]
        path = path.format(session=session, id=details.pop("id") if "{id}" in path else "")
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            line.request(method, path, json.dumps(details) if method == "POST" else None)
            answer = json.loads(line.getresponse().read())["value"]
        finally:
            line.close()
        if isinstance(answer, dict) and "error" in answer:
            raise RefusedError(answer["error"], answer["message"])
        if command == "NewSession":
            session = answer["sessionId"]
        return answer

    return ask


@contextmanager
def firefox(dark: bool = False) -> Iterator[Ask]:
    """The stock Firefox without windows, with a profile of its own."""
    program = program_of("firefox-esr", "firefox")
    with ExitStack() as stack:
        profile = Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        wanted = {"marionette.port": 0, "ui.systemUsesDarkTheme": int(dark), "intl.accept_languages": "en-GB"}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wanted.items()]
        (profile / "user.js").write_text("".join(lines))
        port = profile / "MarionetteActivePort"
        stack.enter_context(started([program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]))
        wait_until(lambda: port.exists() and port.read_text(), PATIENCE, "Firefox takes commands")
        ask = over_marionette(("127.0.0.1", int(port.read_text())), stack)
        ask("NewSession", capabilities={})
        yield ask


@contextmanager
def webkit(dark: bool = False) -> Iterator[Ask]:
    """WebKitGTK's own small browser, on a screen that nobody sees."""
    screen, driver = program_of("Xvfb"), program_of("WebKitWebDriver")
    small = next(iter(sorted(Path("/usr").glob("lib*/**/webkit2gtk-4*/MiniBrowser"))), None) or missing("MiniBrowser")
    with ExitStack() as stack:
        reading, writing = os.pipe()
        command = [screen, "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        stack.enter_context(started(command, pass_fds=[writing]))
        os.close(writing)
        with os.fdopen(reading) as told:
            display = told.readline().strip()
        look = {"GTK_THEME": "Adwaita:dark"} if dark else {}
        environment = os.environ | look | {"DISPLAY": f":{display}", "LC_ALL": "C.UTF-8"}
        port = free_port()
        stack.enter_context(started([driver, f"--port={port}"], env=environment))

        def listens() -> bool:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return True
            return False

        wait_until(listens, PATIENCE, "WebKit takes commands")
        ask = over_http(port)
        options = {"binary": str(small), "args": ["--automation"]}
        ask("NewSession", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        stack.callback(ask, "DeleteSession")
        yield ask


def program_of(*names: str) -> str:
    return next(filter(None, map(shutil.which, names)), None) or missing(names[0])


def missing(name: str) -> str:
    reason = f"no {name}: `make test` installs firefox-esr, webkit2gtk-driver and xvfb for root on Debian"
    pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


BROWSERS = {"Firefox": firefox, "WebKit": webkit}


@pytest.fixture(scope="session", params=first(0, BROWSERS))
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Ask]]:
    """Each of the two browsers in turn; without it its tests are skipped, in CI they fail."""
    with BROWSERS[request.param]() as ask:
        yield request.param, ask


@pytest.fixture
def window(engine: tuple[str, Ask]) -> Iterator[Window]:
    """A tab without a history."""
    name, ask = engine
    window = Window(name, ask)
    first = ask("GetWindowHandle")
    window.new_tab()
    yield window
    ask("CloseWindow")
    ask("SwitchToWindow", handle=first)
