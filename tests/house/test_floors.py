"""The floors of `judge/__init__.py`, held by reading every import."""

import ast
import configparser
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.syntax import nodes_of, tree_of
from tests.rows import every

ROOT = Path(__file__).parents[2]

MAPS = "judge_maps"
"""The tool in `mapmaking`, for the shapes of maps: no part of the judge, but held like one."""

FLOORS = {
    "model": 0,
    "errors": 0,
    "clock": 0,
    "dice": 0,
    "folders": 0,
    "digits": 0,
    "textfiles": 0,
    "failpoints": 0,
    "plugins": 0,
    "config": 1,
    "date_words": 1,
    "board": 1,
    "drawing": 1,
    "grammars": 1,
    "languages": 0,
    "phrases": 1,
    "topics": 1,
    "games": 2,
    "mail": 2,
    "site": 2,
    "store": 2,
    MAPS: 2,
    "play": 3,
    "diplomacy": 3,
    "daemon": 4,
    "demo": 4,
    "terminal": 4,
    "cli": 5,
    "__main__": 6,
}
"""Wing → floor. The command line is the roof over the fourth: it starts what is wired there."""

LIBRARY_ROOMS = {
    "aiosmtpd": ["judge.mail.smtp.server"],
    "argon2": ["judge.play.passwords"],
    "authres": ["judge.mail.inbound.auth_results"],
    "babel": ["judge.languages"],
    "bs4": ["judge.mail.inbound.html_text"],
    "lxml": [],
    "flufl": ["judge.mail.inbound.automatic"],
    "cronsim": ["judge.play.schedule"],
    "icalendar": ["judge.mail.outbound.calendars"],
    "jinja2": [
        "judge.mail.outbound.templates", "judge.drawing.svg", "judge.site.pages",
    ],
    "lark": [
        "judge.grammars",
        "judge.games.*.grammar",
        "judge.mail.language.commands",
        "judge.mail.language.vocabulary",
        "judge.mail.language.meanings",
        "judge.mail.language.parts",
    ],
    "peewee": ["judge.store.*"],
    "openskill": ["judge.play.rating"],
    "prometheus_client": ["judge.daemon.metrics"],
    "numpy": ["judge_maps.*"],
    "PIL": ["judge.drawing.png", "judge_maps.*"],
    "rapidfuzz": [
        "judge.mail.language.vocabulary", "judge.games.*.lexicon", "judge.games.*.repair",
    ],
    "tzdata": [],
    "resvg_py": ["judge.drawing.png"],
    "sqlite3": ["judge.store.*"],
    "smtplib": ["judge.mail.outbound.sender"],
    "mailbox": [],
    "random": [],
    "secrets": ["judge.dice"],
    "uuid": [],
}
"""Library → the rooms that may import it."""

PACKAGES = {
    "argon2-cffi": "argon2",
    "beautifulsoup4": "bs4",
    "flufl.bounce": "flufl",
    "pillow": "PIL",
}
"""Distribution → what is imported of it, where the names differ."""

SYSTEM_ROOMS = [
    "judge.games.{system}*",
    "judge.demo.*",
    "judge.diplomacy*",
    "judge.terminal.adjudicating",
]
"""Where the name of a game system may stand: at home, and in the tool for one system."""


class Room(NamedTuple):
    """One module of ours: its dotted name and its file, which is read when somebody looks in."""

    name: str
    file: Path

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return tree_of(self.file)

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All that stands in its tree."""
        return nodes_of(self.file)

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.file.read_text(encoding="utf-8").count("\n")

    @property
    def wing(self) -> str:
        """The first name under `judge`."""
        return wing_of(self.name)


def read_rooms() -> tuple[Room, ...]:
    """Return every module of the judge, and of the tool for maps."""
    found = []
    for home in (ROOT / "judge", ROOT / "mapmaking" / MAPS):
        for file in sorted(home.rglob("*.py")):
            parts = file.relative_to(home.parent).with_suffix("").parts
            found.append(Room(".".join(parts).removesuffix(".__init__"), file))
    return tuple(found)


ROOMS = read_rooms()
NAMES = {room.name for room in ROOMS}
SYSTEMS = sorted(p.name for p in (ROOT / "judge/games").iterdir() if (p / "__init__.py").exists())


def imports_of(room: Room) -> Iterator[tuple[ast.stmt, str]]:
    """Yield every import of a room as (statement, dotted name of the module)."""
    for node in room.nodes:
        match node:
            case ast.Import(names=names):
                yield from ((node, alias.name) for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    whole = f"{module}.{alias.name}"
                    yield node, whole if whole in NAMES else module
            case ast.ImportFrom():
                yield node, "." * node.level


@cache
def own_imports(room: Room) -> frozenset[str]:
    """Return what a room imports of ours."""
    return frozenset(
        name for _, name in imports_of(room) if name.partition(".")[0] in ("judge", MAPS)
    )


def wing_of(module: str) -> str:
    """Return the wing of a module of ours; the tool for maps is one.

    >>> wing_of("judge.play.game"), wing_of("judge"), wing_of("judge_maps.plan")
    ('play', '', 'judge_maps')
    """
    home, _, rest = module.partition(".")
    return MAPS if home == MAPS else rest.partition(".")[0]


def may_see(room: Room, other: str) -> bool:
    """Tell whether a room may import a module of ours; everybody names the faults of the house."""
    here, there = room.wing, wing_of(other)
    if not there or here == there or there == "errors":
        return True
    return FLOORS[there] < FLOORS[here]


@every("room", ROOMS, ids=lambda room: room.name)
def test_imports_point_down_only(room: Room) -> None:
    assert not [other for other in own_imports(room) if not may_see(room, other)]


@every("room", ROOMS, ids=lambda room: room.name)
def test_no_import_is_relative_or_hidden_in_a_function(room: Room) -> None:
    nodes = [node for node, _ in imports_of(room)]
    assert not [node.lineno for node in nodes if getattr(node, "level", 0)]
    assert not [node.lineno for node in nodes if node.col_offset], "every import stands at the top"


def test_no_room_imports_itself_by_a_detour() -> None:
    try:
        TopologicalSorter({room.name: own_imports(room) - {room.name} for room in ROOMS}).prepare()
    except CycleError as fault:
        pytest.fail(" → ".join(fault.args[1]))


def test_every_wing_stands_on_a_floor() -> None:
    assert {room.wing for room in ROOMS} - {""} <= set(FLOORS)


def test_the_judge_does_not_know_the_tool_for_maps() -> None:
    assert any(room.wing == MAPS for room in ROOMS)
    for room in ROOMS:
        seen = {wing_of(name) for name in own_imports(room)}
        assert room.wing == MAPS or MAPS not in seen, room.name


@every("room", ROOMS, ids=lambda room: room.name)
def test_each_library_has_its_rooms(room: Room) -> None:
    for _, module in imports_of(room):
        rooms = LIBRARY_ROOMS.get(module.split(".")[0])
        assert rooms is None or any(fnmatchcase(room.name, pattern) for pattern in rooms), module


@pytest.mark.parametrize("folder", [".", "mapmaking"])
def test_every_library_of_setup_cfg_has_its_row(folder: str) -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / folder / "setup.cfg")
    lines = setup["options"]["install_requires"].splitlines()
    wanted = [re.split(r"[<>=]", line)[0] for line in lines if line and not line.startswith("#")]
    assert wanted
    ours = {"postal-judge"}
    assert {PACKAGES.get(name, name) for name in wanted} - ours <= set(LIBRARY_ROOMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_system_is_named_at_home_only(system: str) -> None:
    homes = [pattern.format(system=system) for pattern in SYSTEM_ROOMS]
    for room in ROOMS:
        if any(fnmatchcase(room.name, home) for home in homes):
            continue
        assert not [name for name in own_imports(room) if name.startswith(f"judge.games.{system}")]
        assert system not in set(plain_texts(room)), room.name


def plain_texts(room: Room) -> Iterator[str]:
    """Yield every text constant that is no docstring."""
    said = {id(node.value) for node in room.nodes if isinstance(node, ast.Expr)}
    for node in room.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_games_are_known_to_play_by_their_contract_only() -> None:
    allowed = {"judge.games", "judge.games.system", "judge.games.capabilities", "judge.games.facts"}
    for room in ROOMS:
        if room.wing == "play":
            seen = {name for name in own_imports(room) if wing_of(name) == "games"}
            assert seen <= allowed, room.name


BELOW_GAMES = {
    "rules": {"language", "views", "standins", "table"},
    "language": {"views", "standins", "table"},
}
"""Inner room of a game system → what it stands below, and so must not know."""


def test_in_each_game_rules_stand_below_language_and_language_below_views() -> None:
    looked_at = set()
    for room in ROOMS:
        home, inner, *_ = f"{room.name}...".removeprefix("judge.games.").split(".")
        if room.wing == "games" and inner in BELOW_GAMES:
            above = {f"judge.games.{home}.{name}" for name in BELOW_GAMES[inner]}
            seen = {".".join(name.split(".")[:4]) for name in own_imports(room)}
            assert not seen & above, room.name
            looked_at.add((home, inner))
    systems = ("diplomacy", "nations1940", "yorktown")
    assert looked_at == {(home, inner) for home in systems for inner in BELOW_GAMES}


PLAY_DOORS = {"dispatcher", "resolver", "touching"}
"""Where mails and the clock come into play."""
PLAY_GROUND = {"game", "policy", "queries", "tokens", "passwords", "chosen", "dealings"}
"""What all rooms of play work with."""
PLAY_TIMES = {"parse_time", "schedule"}
"""Times as arithmetic: they know nothing of games."""


def part_of_play(name: str) -> str:
    """Return the part of play a room stands in: its folder, "doors" or "ground".

    >>> part_of_play("judge.play.commands.seats.signup"), part_of_play("judge.play.game")
    ('commands', 'ground')
    """
    first, _, rest = name.removeprefix("judge.play.").partition(".")
    if first in PLAY_TIMES:
        return "times"
    if rest or first not in PLAY_DOORS | PLAY_GROUND:
        return first
    return "doors" if first in PLAY_DOORS else "ground"


def test_play_has_two_floors_and_letters_beside() -> None:
    """Commands stand over services: no service knows one, and no two services know each other."""
    seen: dict[str, set[str]] = {}
    for room in ROOMS:
        if room.name.startswith("judge.play."):
            names = {name for name in own_imports(room) if name.startswith("judge.play.")}
            part = part_of_play(room.name)
            seen.setdefault(part, set()).update(map(part_of_play, names - {room.name}))
    for part, others in seen.items():
        others -= {part}
        assert "commands" not in others or part == "doors", part
        assert "doors" not in others, part
    assert seen["times"] == set()
    assert seen["ground"] <= {"times"}
    assert seen["letters"] <= {"ground", "times", "choices"}
    pairs = {(a, b) for a, others in seen.items() for b in others if a in seen[b]}
    assert not pairs
    TopologicalSorter(seen).prepare()


@every("room", ROOMS, ids=lambda room: room.name)
def test_the_time_is_asked_for_in_the_clock_only(room: Room) -> None:
    asked = [
        node.lineno
        for node in room.nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr)
        in {
            ("datetime", "now"),
            ("datetime", "utcnow"),
            ("datetime", "today"),
            ("date", "today"),
            ("time", "time"),
            ("time", "time_ns"),
        }
    ]
    assert not asked or room.name == "judge.clock"


@every("room", ROOMS, ids=lambda room: room.name)
def test_rooms_and_functions_stay_small(room: Room) -> None:
    assert room.lines <= 600
    for node in room.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name


def public_things(room: Room) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the public classes and functions of a room, and the methods of such classes.

    The rules of a Transformer are named by their grammar, which says what they are.
    """
    for node in room.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not node.name.startswith("_"):
                yield node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            if any("Transformer" in ast.unparse(base) for base in node.bases):
                continue
            for method in node.body:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                    if not method.name.startswith("_"):
                        yield method


@every("room", ROOMS, ids=lambda room: room.name)
def test_every_public_thing_has_a_docstring(room: Room) -> None:
    assert ast.get_docstring(room.tree), "the module"
    assert not [thing.name for thing in public_things(room) if not ast.get_docstring(thing)]


def test_only_the_command_line_prints_or_exits() -> None:
    for room in ROOMS:
        if room.wing in ("cli", "__main__"):
            continue
        for node in room.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "exit", "quit", "input"), room.name


def test_broad_catches_stand_only_where_one_must_not_stop_the_rest() -> None:
    allowed = {
        "judge.daemon.error_reports",
        "judge.daemon.sending",
        "judge.daemon.publishing",
        "judge.daemon.worker",
        "judge.daemon.resolving",
        "judge.daemon.scheduling",
        "judge.daemon.service",
        "judge.drawing.render_process",
        "judge.mail.smtp.server",
        "judge.store.writer",
        "judge.plugins",
        "judge.games.contract",
        "judge.terminal.telling",
    }
    for room in ROOMS:
        for node in room.nodes:
            # What cleans up and raises again hides nothing.
            if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
                caught = node.type.id if isinstance(node.type, ast.Name) else ""
                if node.type is None or caught in ("Exception", "BaseException"):
                    assert room.name in allowed, f"{room.name}:{node.lineno}"


def test_nothing_is_read_from_beside_the_checkout() -> None:
    for room in ROOMS:
        assert not [text for text in plain_texts(room) if text.startswith("..")], room.name
