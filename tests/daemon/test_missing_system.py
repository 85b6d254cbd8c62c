"""A broken or missing game system stops no other system, and its games wait."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from judge import games, plugins
from judge.config import StoreSection
from judge.errors import JudgeError
from judge.games.diplomacy import Diplomacy
from judge.model.record import GameRecord, GameState
from judge.terminal.archiving import export_game, replay_game
from judge.terminal.checking import faulty_systems
from judge.terminal.games import about_rating, run_game_command
from tests.journeys.rig import START, Rig, squeeze_text, text_of
from tests.plugin.fords_installed import forget

ANN, GM, KEEPER = "ann@example.org", "gm@example.org", "postmaster@localhost"
Install = Callable[..., None]
STANDS_ON_A_MAP = (
    "powers", "options", "initial_position", "table", "turn", "with_past", "chronicle",
    "years", "is_schematic", "examples", "map_rules", "turn_of",
)


class Other(Diplomacy):
    """Second system, much like Diplomacy, with a map of its own."""

    name = "other"
    title = "Other"

    def maps(self) -> dict[str, str]:
        """Return one map with a name of its own."""
        return {"elsewhere": "Elsewhere"}

    def map_title(self, map_name: str) -> str | None:
        """Return the title of its map."""
        return self.maps().get(map_name)

    def __getattribute__(self, name: str) -> Any:
        """Return the attribute of Diplomacy, bound to the standard map."""
        found = super().__getattribute__(name)
        if name not in STANDS_ON_A_MAP:
            return found
        return lambda map_name, *given, **named: found("standard", *given, **named)


class Nameless(Other):
    """System declared under another name."""

    name = "unnamed"


class Thief(Other):
    """System whose map belongs to another system too."""

    def maps(self) -> dict[str, str]:
        """Return a map of Diplomacy."""
        return {"standard": "Standard"}


class Grabbing(Other):
    """System whose order words include a word of the judge."""

    order_words = games.system.OrderWords(frozenset({"HELP"}))


class Clockless(Other):
    """System without a clock."""

    clocks = ()


SYSTEMS = {each.__name__.lower(): each for each in (Other, Nameless, Thief, Grabbing, Clockless)}


def __getattr__(name: str) -> object:
    """Return a system by the name in its entry point."""
    if name == "failing":
        raise ZeroDivisionError("a fault of theirs")
    if name == "number":
        return 7
    if name in SYSTEMS:
        return SYSTEMS[name]()
    raise AttributeError(name)


@contextmanager
def installing() -> Iterator[Install]:
    """Install Diplomacy and the declared systems until the block ends."""
    own = EntryPoint("diplomacy", "judge.games.diplomacy:SYSTEM", plugins.GROUP)
    with pytest.MonkeyPatch.context() as patch:

        def points(**values: str) -> None:
            found = [own, *(EntryPoint(*each, plugins.GROUP) for each in values.items())]
            patch.setattr(plugins, "entry_points", lambda group: found)
            forget()

        yield points
    forget()


@pytest.fixture
def install() -> Iterator[Install]:
    """Installer of Diplomacy and the systems that a test declares."""
    with installing() as points:
        yield points


def here(name: str) -> str:
    """Return the entry point value of a system in this module."""
    return f"{__name__}:{name}"


BROKEN = (
    ("no.such.package:SYSTEM", "cannot be imported: ModuleNotFoundError"),
    (here("failing"), "cannot be imported: ZeroDivisionError"),
    (here("number"), "7 is no GameSystem"),
    (here("nameless"), "calls itself 'unnamed'"),
    (here("thief"), "diplomacy has a map called standard too"),
    (here("grabbing"), "'HELP', which works everywhere"),
    (here("clockless"), "clocks"),
)


@pytest.mark.parametrize(("value", "why"), BROKEN)
def test_a_broken_system_is_named_and_stops_no_other(
    install: Install, value: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    install(other=value)
    assert [system.name for system in games.all_systems()] == ["diplomacy"]
    (left_out,) = games.broken_systems()
    assert left_out.name == "other" and why in left_out.why
    assert any(why in line for line in faulty_systems())
    rig = Rig()
    rig.run()
    rig.mail(GM, "CREATE ?fine gmsecret standard\nSTART")
    told = text_of(rig.letter(KEEPER))
    assert why in squeeze_text(told) and "other" in told
    assert "the game system other" in caplog.text
    assert game(rig, "fine").state is GameState.RUNNING
    again = rig.again()
    again.boxes.clear()
    again.run()
    assert not again.boxes.get(KEEPER), "it is told once"
    rig.close()
    again.close()


def game(rig: Rig, name: str) -> GameRecord:
    found = rig.application.games.find(name)
    assert found
    return found


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A rig with a running game of the other system and one of Diplomacy."""
    with installing() as install:
        install(other=here("other"))
        made = Rig()
        made.mail(GM, "CREATE ?strange gmsecret elsewhere\nSTART")
        made.mail(GM, "CREATE ?usual gmsecret standard\nSTART")
        made.mail(ANN, "TAKEOVER Fstrange annsecret")
        made.boxes.clear()
    yield made
    made.close()


@pytest.fixture(scope="module")
def left(begun: Rig) -> Iterator[Rig]:
    """The same rig after the other system was removed."""
    with installing() as install:
        made = without(install, begun)
    yield made
    made.close()


@pytest.fixture
def both_systems(install: Install, begun: Rig) -> Iterator[Rig]:
    """The rig with both systems, for one test."""
    install(other=here("other"))
    made = begun.again()
    yield made
    made.close()


@pytest.fixture
def gone(install: Install, left: Rig) -> Iterator[Rig]:
    """The rig without the other system, for one test."""
    install()
    made = left.again()
    yield made
    made.close()


def without(install: Install, rig: Rig) -> Rig:
    """Return a copy of a rig after the other system was removed."""
    install()
    made = rig.again()
    made.clock.set(made.clock.now() + timedelta(hours=1))
    made.run()
    return made


def test_game_of_a_missing_system_is_paused_and_reported_once(gone: Rig) -> None:
    strange = game(gone, "strange")
    assert strange.state is GameState.PAUSED and strange.due is None
    told = squeeze_text(text_of(gone.letter(GM)))
    assert "The rules of 'strange' (other) are not installed at this judge" in told
    assert "The game is paused" in told
    assert not any(gone.boxes.values()), "one letter, to the master"
    later = gone.again()
    later.clock.set(later.clock.now() + timedelta(days=9))
    later.run()
    assert game(later, "usual").phase == "F1901M", "other games go on"
    assert not any("strange" in letter["Subject"] for letter in later.boxes.get(GM, ()))
    later.close()


QUESTIONS = (
    "SIGNON Fstrange annsecret\nA Par - Bur",
    "SIGNON Fstrange annsecret\nSTATUS\nVOTE DRAW\nOPTIONS",
    "TAKEOVER Gstrange annsecret",
    "OBSERVE strange annsecret",
    "EXPORT strange",
    "HISTORY strange",
    "SUMMARY strange",
    "MAP strange",
)


@pytest.mark.parametrize("lines", QUESTIONS)
def test_mails_to_its_games_get_a_plain_reply(gone: Rig, lines: str) -> None:
    gone.boxes.clear()
    before = game(gone, "strange")
    gone.mail(ANN, lines)
    told = squeeze_text(text_of(gone.letter(ANN)))
    assert "The rules of 'strange' (other) are not installed at this judge now" in told
    assert game(gone, "strange") == before
    assert not any(gone.boxes.values()), "nobody else hears of it"


def test_replies_to_its_letters_are_answered_too(install: Install, both_systems: Rig) -> None:
    both_systems.mail(ANN, "SIGNON Fstrange annsecret\nSTATUS")
    letter = both_systems.letter(ANN)
    rig = without(install, both_systems)
    rig.boxes.clear()
    rig.reply(ANN, "A Par - Bur", letter)
    told = squeeze_text(text_of(rig.letter(ANN)))
    assert "are not installed at this judge now" in told
    rig.reply(GM, "PROCESS S1901M", rig.newest[GM])
    assert "are not installed at this judge now" in squeeze_text(text_of(rig.letter(GM)))
    rig.close()


def test_lists_include_its_games(gone: Rig) -> None:
    gone.boxes.clear()
    gone.mail(ANN, "LIST")
    told = text_of(gone.letter(ANN))
    assert "strange" in told and "usual" in told
    for lines in ("LIST FULL", "LIST strange", "STATISTICS", "RATING", "HELP", "WHOGAME strange"):
        gone.mail(ANN, lines)
        assert text_of(gone.letter(ANN)), lines
    assert not gone.boxes.get(KEEPER), "nothing of it is a fault of ours"


def test_game_resumes_with_its_remaining_time(install: Install, both_systems: Rig) -> None:
    deadline = game(both_systems, "strange").deadline
    assert deadline
    rig = without(install, both_systems)
    install(other=here("other"))
    later = rig.again()
    rig.close()
    later.boxes.clear()
    later.clock.set(later.clock.now() + timedelta(days=2))
    later.run()
    strange = game(later, "strange")
    assert strange.state is GameState.RUNNING
    assert strange.deadline == deadline + timedelta(days=2)
    assert "are installed again" in squeeze_text(text_of(later.letter(ANN)))
    assert "are installed again" in squeeze_text(text_of(later.letter(GM)))
    later.close()


@pytest.mark.slow
def test_judge_runs_for_months_with_a_missing_system(
    install: Install, both_systems: Rig, tmp_path: Path
) -> None:
    both_systems.mail(GM, "CREATE ?done gmsecret elsewhere")
    both_systems.mail(ANN, "JOIN done annsecret")
    both_systems.mail(GM, "SIGNON Mdone gmsecret\nSTART")
    both_systems.mail(GM, "SIGNON Mdone gmsecret\nTERMINATE done S1901M")
    both_systems.mail(GM, "CREATE ?formed gmsecret elsewhere\nSET MUSTER 24")
    rig = without(install, both_systems)
    rig.boxes.clear()
    for days in (1, 30, 60, 90):
        rig.clock.set(rig.clock.now() + timedelta(days=days))
        rig.run()
    assert not rig.boxes.get(KEEPER), [text_of(one) for one in rig.boxes[KEEPER]]
    assert game(rig, "strange").state is GameState.PAUSED
    rig.boxes.clear()
    rig.mail(ANN, "LIST done\nSTATISTICS\nRATING\nLIST FULL\nJOIN formed annsecret")
    assert "are not installed" in squeeze_text(text_of(rig.letter(ANN)))
    with rig.application.store.transaction(), rig.application.unit_of_work() as application:
        assert about_rating(application.context, recompute=True)
        for what in ("list", "show"):
            told, _ = run_game_command(application.context, START, what, "strange", "", False)
            assert "strange" in told
        with pytest.raises(JudgeError, match="not installed"):
            run_game_command(application.context, START, "resume", "strange", "", False)
    config = replace(rig.config, store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    other = rig.again(config)
    with pytest.raises(JudgeError, match="other"):
        export_game(config, "strange", orders=False)
    with pytest.raises(JudgeError, match="the game system 'other' of done is not installed here"):
        replay_game(config, "done", rig.clock.now())
    other.close()
    rig.close()
