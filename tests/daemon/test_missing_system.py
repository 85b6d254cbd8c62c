"""A game system that is broken or no longer installed: it stops no other, and its games wait."""

from collections.abc import Callable, Iterator
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
from judge.terminal.archiving import exported, replayed
from judge.terminal.checking import _faulty_systems
from judge.terminal.games import about_game, about_rating
from tests.journeys.rig import START, Rig, squeezed, text_of
from tests.plugin.fords_installed import forget

ANN, GM, KEEPER = "ann@example.org", "gm@example.org", "postmaster@localhost"
Install = Callable[..., None]
STANDS_ON_A_MAP = (
    "sides", "options", "opening", "table", "retell", "brief", "result", "sketch_turn", "with_past",
    "chronicle", "years",
)


class Other(Diplomacy):
    """A second system, with a map of its own, which is much like one we know."""

    name = "other"
    title = "Other"

    def maps(self) -> dict[str, str]:
        """Return one map, under a name of its own."""
        return {"elsewhere": "Elsewhere"}

    def __getattribute__(self, name: str) -> Any:
        """Return what it has, on the map it is like."""
        found = super().__getattribute__(name)
        if name not in STANDS_ON_A_MAP:
            return found
        return lambda map_name, *given, **named: found("standard", *given, **named)


class Nameless(Other):
    """It is declared under another name."""

    name = "unnamed"


class Thief(Other):
    """Its map is another system's too."""

    def maps(self) -> dict[str, str]:
        """Return a map of Diplomacy's."""
        return {"standard": "Standard"}


class Grabbing(Other):
    """Its orders take a word that works everywhere."""

    order_words = games.system.OrderWords(frozenset({"HELP"}))


class Clockless(Other):
    """It has no clock."""

    clocks = ()


SYSTEMS = {
    each.__name__.lower(): each for each in (Other, Nameless, Thief, Grabbing, Clockless)
}


def __getattr__(name: str) -> object:
    """Return a system as its entry point names it."""
    if name == "failing":
        raise ZeroDivisionError("a fault of theirs")
    if name == "number":
        return 7
    if name in SYSTEMS:
        return SYSTEMS[name]()
    raise AttributeError(name)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Have Diplomacy installed, and whatever a test declares beside it."""
    own = EntryPoint("diplomacy", "judge.games.diplomacy:SYSTEM", plugins.GROUP)

    def points(**values: str) -> None:
        found = [own, *(EntryPoint(*each, plugins.GROUP) for each in values.items())]
        monkeypatch.setattr(plugins, "entry_points", lambda group: found)
        forget()

    yield points
    monkeypatch.undo()
    forget()


def here(name: str) -> str:
    """Return where an entry point finds a system of this file."""
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
    (left_out,) = games.broken()
    assert left_out.name == "other" and why in left_out.why
    assert any(why in line for line in _faulty_systems())
    rig = Rig()
    rig.run()
    rig.mail(GM, "CREATE ?fine gmsecret standard\nSTART")
    told = text_of(rig.letter(KEEPER))
    assert why in squeezed(told) and "other" in told
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


def played(install: Install) -> Rig:
    """Return a bench on which a game of the other system, and one of ours, have begun."""
    install(other=here("other"))
    rig = Rig()
    rig.mail(GM, "CREATE ?strange gmsecret elsewhere\nSTART")
    rig.mail(GM, "CREATE ?usual gmsecret standard\nSTART")
    rig.mail(ANN, "TAKEOVER Fstrange annsecret")
    rig.boxes.clear()
    return rig


def gone(install: Install, rig: Rig) -> Rig:
    """Return the bench as it goes on once the other system is no longer installed."""
    install()
    later = rig.again()
    rig.close()
    later.clock.set(later.clock.now() + timedelta(hours=1))
    later.run()
    return later


def test_a_game_whose_system_is_gone_waits_and_its_master_is_told_once(install: Install) -> None:
    rig = gone(install, played(install))
    strange = game(rig, "strange")
    assert strange.state is GameState.PAUSED and strange.due is None
    told = squeezed(text_of(rig.letter(GM)))
    assert "The rules of 'strange' (other) are no longer installed" in told
    assert "The game is paused" in told
    assert not any(rig.boxes.values()), "one letter, to the master"
    later = rig.again()
    later.clock.set(later.clock.now() + timedelta(days=9))
    later.run()
    assert game(later, "usual").phase == "F1901M", "other games go on"
    assert not any("strange" in letter["Subject"] for letter in later.boxes.get(GM, ()))
    rig.close()
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
def test_its_mails_get_a_plain_answer(install: Install, lines: str) -> None:
    rig = gone(install, played(install))
    rig.boxes.clear()
    before = game(rig, "strange")
    rig.mail(ANN, lines)
    told = squeezed(text_of(rig.letter(ANN)))
    assert "The rules of 'strange' (other) are not installed at this judge now" in told
    assert game(rig, "strange") == before
    assert not any(rig.boxes.values()), "nobody else hears of it"
    rig.close()


def test_a_reply_to_one_of_its_letters_is_answered_too(install: Install) -> None:
    rig = played(install)
    rig.mail(ANN, "SIGNON Fstrange annsecret\nSTATUS")
    letter = rig.letter(ANN)
    rig = gone(install, rig)
    rig.boxes.clear()
    rig.reply(ANN, "A Par - Bur", letter)
    told = squeezed(text_of(rig.letter(ANN)))
    assert "are not installed at this judge now" in told
    rig.reply(GM, "PROCESS S1901M", rig.newest[GM])
    assert "are not installed at this judge now" in squeezed(text_of(rig.letter(GM)))
    rig.close()


def test_lists_have_it_with_the_others(install: Install) -> None:
    rig = gone(install, played(install))
    rig.boxes.clear()
    rig.mail(ANN, "LIST")
    told = text_of(rig.letter(ANN))
    assert "strange" in told and "usual" in told
    for lines in ("LIST FULL", "LIST strange", "STATISTICS", "RATING", "HELP", "WHOGAME strange"):
        rig.mail(ANN, lines)
        assert text_of(rig.letter(ANN)), lines
    assert not rig.boxes.get(KEEPER), "nothing of it is a fault of ours"
    rig.close()


def test_it_goes_on_with_the_time_that_was_left(install: Install) -> None:
    rig = played(install)
    deadline = game(rig, "strange").deadline
    assert deadline
    rig = gone(install, rig)
    install(other=here("other"))
    later = rig.again()
    rig.close()
    later.boxes.clear()
    later.clock.set(later.clock.now() + timedelta(days=2))
    later.run()
    strange = game(later, "strange")
    assert strange.state is GameState.RUNNING
    assert strange.deadline == deadline + timedelta(days=2)
    assert "are installed again" in squeezed(text_of(later.letter(ANN)))
    assert "are installed again" in squeezed(text_of(later.letter(GM)))
    later.close()


def test_the_house_goes_on_around_it_for_months(install: Install, tmp_path: Path) -> None:
    rig = played(install)
    rig.mail(GM, "CREATE ?done gmsecret elsewhere")
    rig.mail(ANN, "JOIN done annsecret")
    rig.mail(GM, "SIGNON Mdone gmsecret\nSTART")
    rig.mail(GM, "SIGNON Mdone gmsecret\nTERMINATE done S1901M")
    rig.mail(GM, "CREATE ?formed gmsecret elsewhere\nSET MUSTER 24")
    rig = gone(install, rig)
    rig.boxes.clear()
    for days in (1, 30, 60, 90):
        rig.clock.set(rig.clock.now() + timedelta(days=days))
        rig.run()
    assert not rig.boxes.get(KEEPER), [text_of(one) for one in rig.boxes[KEEPER]]
    assert game(rig, "strange").state is GameState.PAUSED
    rig.boxes.clear()
    rig.mail(ANN, "LIST done\nSTATISTICS\nRATING\nLIST FULL\nJOIN formed annsecret")
    assert "are not installed" in squeezed(text_of(rig.letter(ANN)))
    with rig.application.store.transaction(), rig.application.work() as application:
        assert about_rating(application.context, recompute=True)
        for what in ("list", "show"):
            told, _ = about_game(application.context, START, what, "strange", "", False)
            assert "strange" in told
        with pytest.raises(JudgeError, match="not installed"):
            about_game(application.context, START, "resume", "strange", "", False)
    config = replace(rig.config, store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    other = rig.again(config)
    with pytest.raises(JudgeError, match="other"):
        exported(config, "strange", orders=False)
    with pytest.raises(JudgeError, match="the game system 'other' of done is not installed here"):
        replayed(config, "done")
    other.close()
    rig.close()
