"""Letters of the other games on a phone, of all journeys and all kinds."""

from base64 import b64encode
from collections import Counter
from email.message import EmailMessage
from importlib.resources import files
from pathlib import Path

import pytest

from tests.journeys.gallery import TOO_WIDE, WIDTHS, browser, has_browser
from tests.journeys.pages import page_of
from tests.journeys.rig import Rig, walk

JOURNEYS = [
    file for file in sorted(Path(__file__).parent.glob("*.txt"))
    if file.stem.startswith(("nations", "yorktown"))
]
KINDS = {"results", "start", "receipt", "end"}
MAX_LETTERS = 4
"""Maximum number of letters of a kind that are looked at in each journey."""
BOXED = """
const boxed = one => { const pre = one.closest("pre");
  return pre && getComputedStyle(pre).overflowX == "auto"; };
"""
"""Script that finds elements wider than the window.

The box of a board in words scrolls sideways, so it may be wider.
"""
FACES = "".join(
    "@font-face { font-family: Broad; font-weight: %s; src: url(data:font/ttf;base64,%s); }\n"
    % (weight, b64encode(files("judge.drawing").joinpath("fonts", name).read_bytes()).decode())
    for name, weight in (("DejaVuSans.ttf", "normal"), ("DejaVuSans-Bold.ttf", "bold"))
)
BROAD = f"<style>{FACES} :not(pre) {{ font-family: Broad !important; }}</style></head>"
"""Style with a wide font, for results that do not depend on installed fonts."""
LOADED = """
const done = arguments[arguments.length - 1];
Promise.all([document.fonts.load("16px Broad"), document.fonts.load("bold 16px Broad")])
  .then(found => done(found.every(one => one.length == 1)));
"""


def letters_of(file: Path) -> list[EmailMessage]:
    """Play a journey, and return all its letters."""
    found: list[EmailMessage] = []

    class Collector(Rig):
        """Rig that collects every delivered letter."""

        def put(self, address: str, message: bytes) -> None:
            """Put a letter into its box, and collect it."""
            super().put(address, message)
            found.append(self.newest[address])

    walk(file, Collector)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_no_letter_of_these_games_is_wider_than_its_window(tmp_path: Path) -> None:
    script = BOXED + TOO_WIDE.replace("const spills", "if (boxed(one)) continue;\n  const spills")
    seen, wide = Counter[tuple[str, str, bool]](), []
    with browser() as window:
        for journey in JOURNEYS:
            for number, message in enumerate(letters_of(journey), 1):
                page = page_of(message)
                kind = journey.stem, message["X-Judge-Kind"], "PREVIEW:" in page
                if not page or seen[kind] == MAX_LETTERS:
                    continue
                file = tmp_path / f"{journey.stem}-{number}.html"
                seen[kind] += 1
                for width, broad in [(width, False) for width in WIDTHS] + [(WIDTHS[0], True)]:
                    file.write_text(page.replace("</head>", BROAD) if broad else page, "utf-8")
                    window.open(file, width)
                    assert not broad or window.wait_for(LOADED)
                    wide += [(file.stem, width, told) for told in window.run(script)]
                    # A box that scrolls sideways must itself fit into the window.
                    boxes = window.run(
                        'return [...document.querySelectorAll("pre")]'
                        ".map(one => one.getBoundingClientRect().right);"
                    )
                    wide += [(file.stem, width, "pre") for right in boxes if right > width + 0.5]
    assert not wide
    kinds = {kind for _, kind, _ in seen}
    previews = sum(count for (*_, has_preview), count in seen.items() if has_preview)
    assert KINDS <= kinds and previews > 1, "letters that matter most are not looked at"
