"""The order page in Chromium: its lines, inputs, mails and accessibility."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Position, parse_phase
from judge.config import Config, StoreSection
from judge.daemon.order_pages import write_board
from judge.games.diplomacy.boards import board, opening_on
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Hold,
    Order,
    Retreat,
    Support,
    order_text,
)
from judge.games.diplomacy.rules.possible import possible_orders, possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.mail.outbound.compose import list_enclosures
from judge.phrases import phrasebook
from tests.games.diplomacy.random_boards import random_case
from tests.journeys.gallery import TOO_WIDE, Browser, axe_core, browser, faults, has_browser
from tests.journeys.rig import Rig, text_of
from tests.site.order_pages import page_of_position

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed"),
]
GM, ANN = "gm@example.org", "ann@example.org"
MAX_MAIL_OCTETS = 1800
SENTENCES = {
    code or "en": phrasebook("diplomacy", code).sentences for code in ("", "de")
}

ACT = """
const [power, steps, byKey] = ARGUMENTS;
const find = place => document.querySelector(
  `#layer-areas > [data-place='${place}'], #layer-frames > [data-place='${place}']`);
const press = place => {
  const node = find(place);
  if (!byKey) return node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  if (node.tabIndex !== 0 || !node.getAttribute("aria-label")) throw new Error("no key: " + place);
  node.focus();
  node.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
};
const chosen = document.getElementById("power");
if (chosen.value !== power) { chosen.value = power; chosen.dispatchEvent(new Event("change")); }
const codes = () => [...document.querySelectorAll("#list code")];
const has = line => codes().some(one => one.textContent === line);
const missed = [];
for (const [places, act, line] of steps) {
  document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
  press(places[0]);
  const button = document.querySelector(`#acts [data-act='${act}']`);
  if (button && button.getAttribute("aria-pressed") !== "true") button.click();
  for (const place of places.slice(1)) if (!has(line)) press(place);
  const asked = document.querySelector(`#ask [data-line='${line}']`);
  if (asked) asked.click();
  if (byKey && document.activeElement === document.body) missed.push("focus lost: " + line);
  if (!has(line)) missed.push(line + " / " + document.getElementById("told").textContent);
  for (const one of document.querySelectorAll("#list li:not(.todo) button")) {
    if (one.parentNode.textContent.startsWith(line)) { one.click(); break; }
  }
}
return missed;
"""
"""Script that composes orders one after the other. Return those that failed."""

SELECT = """
const [power, unit, act, other, goal] = ARGUMENTS;
const set = (id, value) => {
  const node = document.getElementById(id);
  node.value = value;
  if (node.value !== String(value)) throw new Error(id + " has no " + value);
  node.dispatchEvent(new Event("change"));
};
set("power", power);
set("unit", [...document.querySelectorAll("#unit option")].find(o => o.textContent === unit).value);
document.querySelector(`#acts [data-act='${act}']`).click();
if (other) set("other", [...document.querySelectorAll("#other option")]
  .find(o => o.textContent === other).value);
if (goal) set("goal", goal);
return document.getElementById("lines").value;
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as found:
        yield found


def run(window: Browser, script: str, *arguments: object) -> object:
    return window.run(script.replace("ARGUMENTS", json.dumps(arguments)))


def open_page(window: Browser, folder: Path, page: bytes, width: int = 1280) -> Path:
    """Write a page and open it. It must cause no message and no request."""
    file = folder / "order.html"
    file.write_bytes(page)
    window.open(file, width)
    assert window.complaints() == []
    assert window.run("return performance.getEntriesByType('resource').length") == 0
    return file


def later_position(on: Map, position: Position, orders: dict[str, list[Order]]) -> Position:
    """Return the position after the orders, with retreats if any are due."""
    given = {power: tuple(orders.get(power, ())) for power in position.units}
    return adjudicate(on, position, given, Rules()).position


def winter_position(name: str, seed: int) -> Position:
    """Return a position with builds and removals."""
    on, rng = board(name), random.Random(seed)
    opening = opening_on(on)
    units = {
        power: tuple(rng.sample(own, rng.randint(0, len(own))))
        for power, own in opening.units.items()
    }
    owners = dict(opening.owners)
    for centre in rng.sample(sorted(on.centres), 12):
        owners[centre] = rng.choice([power.name for power in on.powers])
    return replace(opening, phase=parse_phase("F1901A"), units=units, owners=owners)


def positions(seeds: Sequence[int]) -> Iterator[tuple[Map, Position]]:
    """Yield movement, retreat and build positions of both maps."""
    for seed in seeds:
        name = ("standard", "youngstown")[seed % 2]
        on, position, orders = random_case(seed, 40, name)
        if seed % 5 == 3:
            after = later_position(on, position, orders)
            yield on, after if after.phase.kind.title == "Retreat" else position
        elif seed % 5 == 4:
            yield board(name), winter_position(name, seed)
        else:
            yield on, position


def test_page_makes_each_legal_order_of_200_positions(window: Browser, tmp_path: Path) -> None:
    for on, position in positions(range(200)):
        open_page(window, tmp_path, page_of_position(on, position))
        found = window.run("return orderBoard.lines()")
        legal = {
            str(unit): sorted(lines)
            for own in possible_texts(on, position, Rules()).values()
            for unit, lines in own.items()
        }
        assert {unit: sorted(lines) for unit, lines in found.items()} == legal


def step_of(order: Order) -> tuple[list[str], str, str]:
    """Return the places to press for an order, its action, and its line."""
    line = order_text(order)
    match order:
        case Hold(unit):
            return [unit.province], "H", line
        case Support(unit, other, to):
            return [unit.province, other.province, to or other.province], "S", line
        case Convoy(unit, army, to):
            return [unit.province, army.province, to], "C", line
        case Retreat(unit, to):
            return [unit.province, to.partition("/")[0]], "R", line
        case Build(unit):
            return [unit.province], "B", line
    if hasattr(order, "to"):
        act = "V" if order.via else "M"
        return [order.unit.province, order.to.partition("/")[0]], act, line
    return [order.unit.province], "D", line


@pytest.mark.parametrize("by_key", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_orders_are_composed_by_taps_and_keys(
    window: Browser, tmp_path: Path, by_key: bool, width: int
) -> None:
    """75 orders for each width and kind of input, 300 in all."""
    rng = random.Random(width + by_key)
    done = 0
    for on, position in positions(range(15)):
        if done >= 75:
            break
        page = open_page(window, tmp_path, page_of_position(on, position), width)
        assert page.exists()
        able = possible_orders(on, position, Rules())
        for power in rng.sample(sorted(able), min(3, len(able))):
            every = [order for orders in able[power].values() for order in orders]
            steps = [step_of(order) for order in rng.sample(every, min(5, len(every)))]
            letter = next(p.letter for p in on.powers if p.name == power)
            assert run(window, ACT, letter, steps, by_key) == []
            done += len(steps)
    assert done >= 75


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        (("France", "Army Paris", "M", "", "BUR"), "A PAR - BUR"),
        (("France", "Army Marseilles", "S", "Army Paris", "="), None),
        (("France", "Fleet Brest", "H", "", ""), "F BRE H"),
        (("Russia", "Fleet St Petersburg (south coast)", "M", "", "BOT"), "F STP/SC - BOT"),
    ],
)
def test_orders_are_composed_by_select_boxes(
    window: Browser, tmp_path: Path, steps: tuple[str, ...], lines: str | None
) -> None:
    on = board("standard")
    open_page(window, tmp_path, page_of_position(on, opening_on(on)))
    power, unit, act, other, goal = steps
    letter = next(p.letter for p in on.powers if p.name == power)
    if lines is None:
        lines, goal = "A MAR S A PAR - BUR", "BUR"
    assert run(window, SELECT, letter, unit, act, other, goal) == f"PHASE S1901M\n{lines}"


CHAIN = [
    ("England", Unit(UnitKind.ARMY, "Lon")), ("England", Unit(UnitKind.FLEET, "Eng")),
    ("England", Unit(UnitKind.FLEET, "MAO")), ("France", Unit(UnitKind.FLEET, "Iri")),
]


def test_a_convoy_offers_the_orders_of_the_own_fleets(window: Browser, tmp_path: Path) -> None:
    on = board("standard")
    units: dict[str, tuple[Unit, ...]] = {}
    for power, unit in CHAIN:
        units[power] = (*units.get(power, ()), unit)
    open_page(window, tmp_path, page_of_position(on, replace(opening_on(on), units=units)))
    run(window, ACT, "E", [], False)
    window.run(
        "const tap = p => document.querySelector(`#layer-areas > [data-place='${p}']`)"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        "tap('Lon'); tap('Por'); document.querySelector('#ask button').click();"
    )
    first, *lines = str(window.run("return document.getElementById('lines').value")).split("\n")
    assert first == "PHASE S1901M"
    assert sorted(lines) == ["A LON - POR VIA", "F ENG C A LON - POR", "F MAO C A LON - POR"]


def mails_on(window: Browser) -> list[tuple[str, str, str]]:
    """Return address, subject and text of each mail that the page offers."""
    found = window.run("return [...document.querySelectorAll('#mails a')].map(one => one.href)")
    assert all(len(link.encode()) <= MAX_MAIL_OCTETS for link in found)
    parts = [re.fullmatch(r"mailto:([^?]*)\?subject=([^&]*)&body=(.*)", link) for link in found]
    return [tuple(map(unquote, part.groups())) for part in parts if part]  # type: ignore[misc]


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_mails_of_the_page_are_filed_without_a_complaint(
    window: Browser, tmp_path: Path, name: str
) -> None:
    rig = Rig(Config(store=StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")))
    rig.mail(GM, f"CREATE ?marco gmsecret {name}\nSTART")
    rig.mail(ANN, "TAKEOVER Rmarco annsecret")
    rig.mail("bob@example.org", "TAKEOVER Imarco bobsecret")
    write_board(rig.config, rig.clock, "marco", tmp_path / "order.html")
    window.open(tmp_path / "order.html", 390)
    able = possible_orders(board(name), opening_on(board(name)), Rules())["Russia"]
    rng = random.Random(name)
    chosen = [rng.choice([o for o in orders if type(o) is not Hold]) for orders in able.values()]
    script = ACT.replace("one.click(); break;", "break;")
    assert run(window, script, "R", [step_of(order) for order in chosen], False) == []
    [(to, subject, text)] = mails_on(window)
    head, phase, *lines = text.split("\r\n")
    assert (to, subject, head) == ("judge@localhost", "marco S1901M", "SIGNON Rmarco ")
    assert phase == "PHASE S1901M"
    assert sorted(lines) == sorted([*map(order_text, chosen), ""])
    rig.mail(ANN, text.replace("SIGNON Rmarco ", "SIGNON Rmarco annsecret", 1), to)
    receipt = text_of(rig.newest[ANN])
    assert rig.newest[ANN]["X-Judge-Kind"] == "receipt" and "refused" not in receipt
    found = rig.application.games.orders(1, "S1901M")["Russia"]
    assert sorted(json.loads(found)) == sorted(map(order_text, chosen))
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    rig.mail(ANN, text.replace("SIGNON Rmarco ", "SIGNON Rmarco annsecret", 1), to)
    later = rig.application.games.find("marco")
    assert later and later.phase != "S1901M" and not rig.application.games.orders(1, later.phase)
    assert "S1901M is over" in " ".join(text_of(rig.newest[ANN]).split())
    rig.close()


@pytest.mark.skipif(not axe_core(), reason="axe-core-python is not installed")
@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_attached_page_composes_orders(window: Browser, tmp_path: Path, name: str) -> None:
    """The page in a letter, with simpler outlines, works from its file."""
    rig = Rig()
    rig.mail(GM, f"CREATE ?marco gmsecret {name}\nSTART")
    rig.mail(ANN, "TAKEOVER Rmarco annsecret\nSET BOARD ATTACHED")
    rig.mail("bob@example.org", "TAKEOVER Imarco bobsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    [page] = [
        part for part in list_enclosures(rig.newest[ANN]) if part.get_content_type() == "text/html"
    ]
    open_page(window, tmp_path, str(page.get_content()).encode(), 390)
    on, position = board(name), replace(opening_on(board(name)), phase=parse_phase("F1901M"))
    able = possible_orders(on, position, Rules())["Russia"]
    steps = [step_of(order) for orders in able.values() for order in orders[:2]]
    assert run(window, ACT, "R", steps, False) == []
    assert faults(window) == [] and window.complaints() == []
    rig.close()


def test_page_begins_in_a_known_language(window: Browser, tmp_path: Path) -> None:
    page = page_of_position(board("standard"), opening_on(board("standard")))
    for chosen, shown in (("de", "de"), ("en", "en"), ("", "en")):
        known = page.replace(b'"language":""', f'"language":"{chosen}"'.encode())
        open_page(window, tmp_path, known, 390)
        assert window.run("return document.documentElement.lang") == shown
        heading = window.run("return document.querySelector('[data-say=list]').textContent")
        assert heading == SENTENCES[shown]["order-page-list"]
    assert window.complaints() == []


def test_long_lists_are_split_into_mails(window: Browser, tmp_path: Path) -> None:
    on = board("youngstown")
    sea = [p.abbr for p in on.provinces.values() if p.terrain.takes_fleets and not p.coasts][:60]
    units = {"Russia": tuple(Unit(UnitKind.FLEET, place) for place in sea)}
    position = replace(opening_on(on), units=units)
    open_page(window, tmp_path, page_of_position(on, position))
    able = possible_orders(on, position, Rules())["Russia"].values()
    chosen = [max(orders, key=lambda order: len(order_text(order))) for orders in able]
    steps = [step_of(order) for order in chosen]
    assert run(window, ACT.replace("one.click(); break;", "break;"), "R", steps, False) == []
    mails = mails_on(window)
    lines = [line for _, _, text in mails for line in text.split("\r\n") if line]
    assert len(mails) > 1 and lines.count("SIGNON Rmarco ") == len(mails)
    assert {*lines} == {"SIGNON Rmarco ", "PHASE S1901M", *map(order_text, chosen)}


@pytest.mark.skipif(not axe_core(), reason="axe-core-python is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["en", "de"])
def test_page_is_accessible_and_fits(
    window: Browser, tmp_path: Path, width: int, scheme: str, language: str
) -> None:
    """Only the board, which scrolls in its own frame, is wider than the window."""
    for on, position in positions((0, 3, 4)):
        file = open_page(window, tmp_path, page_of_position(on, position), width)
        window.open(file, width, scheme)
        if language == "de":
            window.run("document.getElementById('language').click()")
        letter = window.run("return document.querySelectorAll('#power option')[1].value")
        run(window, ACT, letter, [], False)
        window.run("document.querySelector('#list button.todo')?.click()")
        assert faults(window) == []
        # A wide frame must not widen the window.
        others = TOO_WIDE.replace('"*"', '":not(#view, #view *, #stage, .unseen)"')
        assert window.run(others.replace("document.body", "document.querySelector('#page')")) == []
        assert window.run("return document.documentElement.scrollWidth") <= width
        assert window.complaints() == []
