"""Letters of the other games on a phone: those of all their journeys, of every kind."""

from pathlib import Path

import pytest

from tests.journeys.gallery import TOO_WIDE, WIDTHS, browser, has_browser
from tests.journeys.ledger import HERE, letters_of
from tests.journeys.pages import page_of

JOURNEYS = [
    file for file in sorted(HERE.glob("*.txt")) if file.stem.startswith(("nations", "yorktown"))
]
KINDS = {"results", "start", "receipt", "end"}
BOXED = """
const boxed = one => { const pre = one.closest("pre");
  return pre && getComputedStyle(pre).overflowX == "auto"; };
"""
"""A board in words keeps its columns; its box is moved sideways, and the letter stands still."""


@pytest.mark.deep
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_no_letter_of_these_games_is_wider_than_its_window(tmp_path: Path) -> None:
    script = BOXED + TOO_WIDE.replace("const spills", "if (boxed(one)) continue;\n  const spills")
    kinds, wide, previews = set(), [], 0
    with browser() as window:
        for journey in JOURNEYS:
            for number, message in enumerate(letters_of(journey), 1):
                if not (page := page_of(message)):
                    continue
                file = tmp_path / f"{journey.stem}-{number}.html"
                file.write_text(page, "utf-8")
                kinds.add(message["X-Judge-Kind"])
                previews += "A PREVIEW" in page
                for width in WIDTHS:
                    window.open(file, width)
                    wide += [(file.stem, width, told) for told in window.run(script)]
                    # Of a box that is moved sideways the box itself is no wider than the window.
                    boxes = window.run(
                        'return [...document.querySelectorAll("pre")]'
                        ".map(one => one.getBoundingClientRect().right);"
                    )
                    wide += [(file.stem, width, "pre") for right in boxes if right > width + 0.5]
    assert not wide
    assert KINDS <= kinds and previews > 1, "letters that matter most are not looked at"
