"""The size of the respondent's page, and the time until its first question, on a slow line and on a slow phone.

    python -m benchmarks page

The whole site runs as `make run` starts it. Every visit has an empty cache. The line is limited to 1.6 Mbit/s, with 150
ms until each answer; for the slow phone the processor runs at a quarter of its speed. A script presses Begin and
Continue as soon as they can be pressed. The baseline is the time of fetching one tiny file on the same line: no page
can show a question in less than three such fetches in a row (page, program, questionnaire).
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from surveys.domain.page import bundle
from tests.browsers import chromium
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}  # bytes a second
VISITS = 5
PHONES = {"first question": 1, "first question, slow phone": 4}  # how many times slower the processor is than here
HURRY = """
const seen = (name) => { window.times ??= {}; window.times[name] ??= performance.now(); };
const timer = setInterval(() => {
  if (document.querySelector('.protection')) seen('welcome');
  if (document.querySelector('.question')) { seen('question'); clearInterval(timer); return; }
  document.querySelector('button.main')?.click();
}, 5);
"""


@contextmanager
def running_site(survey: str) -> Iterator[tuple[str, dict[str, str]]]:
    """A site as `make run` starts it, once it hands out this survey: its address, and the environment it runs in."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        environment = {**os.environ, "CANDOR_DATA": data, "PORT": str(port)}
        site = subprocess.Popen(
            [sys.executable, "-m", "config.run.serve"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            address = f"http://localhost:{port}"
            wait_for(f"{address}/s/{survey}/questionnaire")
            yield address, environment
        finally:
            site.terminate()
            site.wait(30)


def main() -> list[tuple[str, float]]:
    own = {name: file for name, file in bundle.files().items() if not name.startswith("vendor/")}
    print(f"{len(own)} files, {sum(len(file.body) for file in own.values()) / 1000:.1f} kB as they are written,")
    print(f"{sum(len(bundle.pack_file(name)) for name in own) / 1000:.1f} kB as they travel")
    with running_site("demo") as (address, _environment), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=os.getuid() != 0)
        visits = {phone: [visit(browser, address, slower) for _ in range(VISITS)] for phone, slower in PHONES.items()}
        browser.close()
    first = next(iter(visits.values()))[0]
    print(f"{first['requests']:.0f} requests and {first['bytes'] / 1000:.1f} kB with headers until the first question")
    ratios = []
    for phone, times in visits.items():
        tiny, welcome, question = (
            statistics.median(visit[name] for visit in times) / 1000 for name in ("tiny", "welcome", "question")
        )
        print(f"{phone}: {question:.2f} s (welcome {welcome:.2f} s, one tiny file {tiny:.2f} s)")
        ratios.append((phone, question / (3 * tiny)))
    return ratios


def visit(browser: Browser, address: str, slower: int) -> dict[str, float]:
    """One visit by a browser with an empty cache: requests, bytes and milliseconds."""
    context = browser.new_context()
    page = context.new_page()
    page.goto("about:blank")
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", LINE)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    tiny = time_of_one_file(page, address)
    arrived: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: arrived.append(event["encodedDataLength"]))
    page.add_init_script(HURRY)
    page.goto(f"{address}/s/demo/")
    page.locator(".question").first.wait_for()
    times = page.evaluate("window.times")
    context.close()
    return {"requests": len(arrived), "bytes": sum(arrived), "tiny": tiny, **times}


def time_of_one_file(page: Page, address: str) -> float:
    page.goto(f"{address}/client/icon.svg")
    timing: float = page.evaluate("performance.getEntriesByType('navigation')[0].responseEnd")
    return timing


def wait_for(address: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} did not answer within a minute")


if __name__ == "__main__":
    main()
