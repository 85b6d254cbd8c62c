"""Pictures of every golden letter as shown by a browser.

`python -m tests.journeys.gallery DIR` opens each page in headless Chromium, controlled by
chromedriver (WebDriver: HTTP and JSON), at the widths of a phone and a desktop, light and dark.
DIR receives a PNG of each letter with the four pictures side by side, its page and its text. Names
after DIR limit the letters.
"""

import html
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import Request, urlopen

from PIL import Image, ImageDraw

from judge.games.painting import paint
from tests.journeys.golden import STORIES, Kept, format_letter, play
from tests.journeys.pages import page_of

WIDTHS = (360, 800)
SCHEMES = ("light", "dark")
TALLEST = 6000
"""Height of a page that is captured, in pixels."""
GAP = 16

_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars",
)


def has_browser() -> bool:
    """Return whether Chromium and its driver are installed."""
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


class Browser:
    """One window of a headless Chromium."""

    def __init__(self, place: str, profile: str) -> None:
        self._place = place
        options = {"args": [*_OPTIONS, f"--user-data-dir={profile}"]}
        always = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": always}})
        self._session = f"/session/{made['sessionId']}"

    def open(self, page: Path, width: int, scheme: str = "light") -> None:
        """Open a page in a window of a width."""
        self._do("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._do("Emulation.setDeviceMetricsOverride",
                 width=width, height=600, deviceScaleFactor=1, mobile=width < 500)
        self._ask("POST", f"{self._session}/url", {"url": page.resolve().as_uri()})

    def run(self, script: str):  # type: ignore[no-untyped-def]
        """Return the result of a script on the open page."""
        asked = {"script": script, "args": []}
        return self._ask("POST", f"{self._session}/execute/sync", asked)

    def wait_for(self, script: str):  # type: ignore[no-untyped-def]
        """Return the value that a script passes to its last argument, a function."""
        asked = {"script": script, "args": []}
        return self._ask("POST", f"{self._session}/execute/async", asked)

    def shot(self, page: Path, width: int, scheme: str) -> Image.Image:
        """Return a picture of a whole page."""
        self.open(page, width, scheme)
        seen = self._do("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": max(width, seen["width"]), "scale": 1,
                "height": min(seen["height"], TALLEST)}
        taken = self._do("Page.captureScreenshot", format="png", clip=clip,
                         captureBeyondViewport=True)
        return Image.open(io.BytesIO(b64decode(taken["data"]))).convert("RGB")

    def complaints(self) -> list[str]:
        """Return the warnings and errors of the browser console since the last call."""
        told = self._ask("POST", f"{self._session}/se/log", {"type": "browser"})
        return [each["message"] for each in told if each["level"] in ("WARNING", "SEVERE")]

    def close(self) -> None:
        """Close the window and thereby the browser."""
        self._ask("DELETE", self._session)

    def _do(self, command: str, **params):  # type: ignore[no-untyped-def]
        """Execute a command of the DevTools protocol."""
        asked = {"cmd": command, "params": params}
        return self._ask("POST", f"{self._session}/goog/cdp/execute", asked)

    def _ask(self, verb: str, path: str, body=None):  # type: ignore[no-untyped-def]
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._place + path, data, method=verb)
        with urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser with a profile of its own. Close it at the end of the block."""
    with socket.socket() as free, TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=os.environ | {"TMPDIR": folder},
        )
        try:
            place = f"http://127.0.0.1:{port}"
            _wait_for(place)
            window = Browser(place, f"{folder}/profile")
            try:
                yield window
            finally:
                window.close()
        finally:
            driver.terminate()
            driver.wait(30)


def _wait_for(place: str) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            with urlopen(f"{place}/status", timeout=5):
                return
        except (URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


TOO_WIDE = """
const found = [];
for (const one of document.body.querySelectorAll("*")) {
  // A board that is wider than a phone scrolls in its figure, which fits the window itself.
  if (one.closest("a > .stack")?.closest(".board") || one.matches(".board")) {
    const figure = one.closest(".board").getBoundingClientRect();
    if (figure.right > window.innerWidth + 0.5)
      found.push("FIGURE: " + one.textContent.slice(0, 60));
    continue;
  }
  const box = one.getBoundingClientRect();
  const spills = getComputedStyle(one).display != "inline" && one.clientWidth > 0
    && one.scrollWidth > one.clientWidth + 1;
  if (box.right > window.innerWidth + 0.5 || spills)
    found.push(one.tagName + ": " + one.textContent.slice(0, 60));
}
return found;
"""
"""Script that finds elements wider than the window or their container."""
BELOW = """
const wanted = WANTED.map(text => text.replace(/\\s+/g, " "));
const all = [...document.body.querySelectorAll("h1, p, div, td, th")]
  .filter(one => one.getBoundingClientRect().height > 0);
return wanted.map(text => {
  const ends = all.filter(one => one.textContent.replace(/\\s+/g, " ").includes(text))
    .map(one => one.getBoundingClientRect().bottom);
  return ends.length ? Math.min(...ends) : null;
});
"""
"""Script that returns the bottom of each text, null if it is not on the page."""
HOLES = "return [...document.images].map(one => one.getBoundingClientRect().height);"
"""Script that returns the heights of pictures."""


AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(found => done(
  found.violations.map(one => one.id + ": " + one.nodes.map(node => node.html).join(" | "))));
"""
"""Script that runs axe-core on the open page.

Its result are the violated rules with their places.
"""


def axe_core() -> str:
    """Return the source of axe-core, or an empty string if it is not installed."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        return ""
    return Path(found.origin).with_name("axe.min.js").read_text("utf-8")


def faults(window: Browser) -> list[str]:
    """Return the accessibility faults that axe-core finds on the open page."""
    window.run(axe_core())
    found: list[str] = window.wait_for(AXE)
    return found


def bottoms(window: Browser, texts: list[str]) -> list[float | None]:
    """Return the bottom of each text on the open page in pixels."""
    found: list[float | None] = window.run(BELOW.replace("WANTED", json.dumps(texts)))
    return found


def write_page(kept: Kept, folder: Path) -> Path:
    """Write the page of a letter, with its pictures next to it.

    A letter without HTML is written as preformatted text.
    """
    page = page_of(kept.message)
    if not page:
        text = html.escape(format_letter(kept.message).partition("\n\n")[2])
        page = (
            "<!DOCTYPE html><html><head><meta charset='utf-8'/>"
            "<meta name='viewport' content='width=device-width'/>"
            "<style>:root{color-scheme:light dark}pre{white-space:pre-wrap}</style></head>"
            f"<body><pre>{text}</pre></body></html>"
        )
    for picture in kept.letter.pictures if kept.letter else ():
        name = f"{picture.sketch.key[:24]}.png"
        if name[:-4] in page:
            if not (folder / name).exists():
                (folder / name).write_bytes(paint(picture.sketch))
            page = page.replace(f"cid:{name[:-4]}@localhost", name)
    file = folder / f"{kept.name}.html"
    file.write_text(page, "utf-8")
    return file


def sheet(window: Browser, page: Path) -> Image.Image:
    """Return a page at all widths and in all schemes, side by side."""
    shots = [window.shot(page, width, scheme) for width in WIDTHS for scheme in SCHEMES]
    size = sum(shot.width + GAP for shot in shots) + GAP, max(shot.height for shot in shots)
    made = Image.new("RGB", (size[0], size[1] + 2 * GAP + 10), "#9a9a9a")
    left = GAP
    for shot in shots:
        ImageDraw.Draw(made).text((left, 4), f"{page.stem}, {shot.width} px", fill="black")
        made.paste(shot, (left, GAP + 6))
        left += shot.width + GAP
    return made


def gallery(folder: Path, names: list[str]) -> list[str]:
    """Write the pictures of letters into a folder. Return their names."""
    folder.mkdir(parents=True, exist_ok=True)
    done = []
    with browser() as window:
        for story in STORIES:
            for kept in play(story):
                if names and kept.name not in names:
                    continue
                (folder / f"{kept.name}.txt").write_text(format_letter(kept.message), "utf-8")
                sheet(window, write_page(kept, folder)).save(folder / f"{kept.name}.png")
                done.append(kept.name)
    rows = "".join(
        f"<h2>{name}</h2><p><a href='{name}.html'>page</a> <a href='{name}.txt'>text</a></p>"
        f"<img src='{name}.png' alt='{name}'>"
        for name in sorted(done)
    )
    (folder / "index.html").write_text(f"<!DOCTYPE html><title>Letters</title>{rows}", "utf-8")
    return done


if __name__ == "__main__":
    print(f"{len(gallery(Path(sys.argv[1]), sys.argv[2:]))} letters in {sys.argv[1]}")
