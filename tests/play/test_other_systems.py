"""A game of a minimal system: the commands it offers, and its order lines."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.play.archive.gamefile import archive_of, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from judge.play.archive.orderlists import order_list, read_order_list
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.race.installed import race_installed

ANN, BEN, GM = "ann@example.org", "ben@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A race between Ada, played by Ann, and Bob, played by Ben."""
    with race_installed():
        rig = Rig()
        rig.mail(GM, "CREATE ?dash masterpw track\nSET POWER CHOICE\n")
        rig.mail(ANN, "JOIN Ada@dash annpw\n")
        rig.mail(BEN, "JOIN Bob@dash benpw\n")
        yield rig
        rig.close()


def a_turn_later(rig: Rig) -> None:
    """Advance past the deadline and the grace period."""
    rig.clock.set(rig.clock.now() + timedelta(hours=30))
    rig.run()


def answer_mail(rig: Rig, address: str, text: str) -> str:
    """Return the judge's reply to a mail, with single blanks."""
    rig.mail(address, text)
    letter = next(one for one in reversed(rig.boxes[address]) if one["In-Reply-To"])
    return squeeze_text(text_of(letter))


def as_ada(rig: Rig, *lines: str) -> str:
    """Return the reply to lines of Ada."""
    return answer_mail(rig, ANN, "\n".join(["SIGNON Adash annpw", *lines, ""]))


def as_bob(rig: Rig, *lines: str) -> str:
    """Return the reply to lines of Bob."""
    return answer_mail(rig, BEN, "\n".join(["SIGNON Bdash benpw", *lines, ""]))


def as_master(rig: Rig, *lines: str) -> str:
    """Return the reply to lines of the master."""
    return answer_mail(rig, GM, "\n".join(["SIGNON Mdash masterpw", *lines, ""]))


def position(rig: Rig) -> tuple[str, dict[str, int]]:
    """Return the phase of the race, and the steps of all runners."""
    game = rig.application.games.find("dash")
    assert game is not None
    return game.phase, json.loads(game.position)["steps"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("OPTIONS", "Race has no list of possible orders. HELP ORDERS"),
        ("PREVIEW", "Race has no preview."),
        ("PHASE T3", "Race has no orders for later phases."),
        ("IF A Bur THEN A Par H ENDIF", "Race has no orders for later phases."),
        ("FORK", "Race positions cannot be set up."),
        ("SUMMARY", "Race has no table of years. HISTORY dash"),
        ("HELP OPTIONS", "Race has no list of possible orders."),
        ("HELP PROXY", "Race has no proxy orders."),
        ("SET MAP PNG", "Race has no pictures."),
        ("SET PREVIEW ON", "Race has no pictures."),
        ("MAP", "Race has no pictures."),
    ],
)
def test_unsupported_requests_get_alternatives(rig: Rig, line: str, told: str) -> None:
    assert told in as_ada(rig, line)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("SETUP\nAda: 7\nENDSETUP", "Race positions cannot be set up."),
        ("SET CD SUPPORT", "In Race a power without a player cannot support itself"),
        ("SET TOUCH PRESS", "Race has no neighbours, so press cannot be limited to them."),
        ("SET ABANDONED BOT", "Race has no bots"),
        ("DUMMY Bob SUPPORT", "In Race a power without a player cannot support itself"),
    ],
)
def test_a_master_cannot_set_unsupported_options(rig: Rig, line: str, told: str) -> None:
    assert told in as_master(rig, line)


def test_help_omits_unsupported_topics(rig: Rig) -> None:
    index = as_ada(rig, "HELP")
    assert "HELP ORDERS " in index
    for topic in ("LATER", "OPTIONS", "PROXY", "MAP", "SETUP", "BLIND", "STANDARD"):
        assert f"HELP {topic} " not in index
    settings = as_ada(rig, "HELP SETTINGS")
    assert "CD HOLD" in settings
    assert not [each for each in ("CD SUPPORT", "TOUCH PRESS", "MAP PNG") if each in settings]


def test_help_topics_are_those_of_the_open_game(rig: Rig) -> None:
    assert "A Par" not in as_ada(rig, "HELP ORDERS")
    assert "A Par - Bur" in answer_mail(rig, "eve@example.org", "HELP ORDERS\n")
    assert "HELP BLIND " in answer_mail(rig, "eve@example.org", "HELP\n")


def test_an_unsupported_feature_may_be_switched_off(rig: Rig) -> None:
    assert "Race" not in as_master(rig, "SET NO TOUCH PRESS", "SET MAP OFF").split("Variant")[1]


def test_map_describes_a_game_without_pictures_in_words(rig: Rig) -> None:
    as_ada(rig, "RUN 3")
    as_bob(rig, "RUN 4")
    a_turn_later(rig)
    assert "The race in turn 2: Ada: 3. Bob: 4." in as_ada(rig, "MAP")
    assert "Turn 1 was run" in as_ada(rig, "MAP dash T1")


@pytest.mark.parametrize(
    "line",
    [
        "STATUS", "LIST dash", "HISTORY dash", "MAP dash T1", "VOTE DRAW", "VOTE CONCEDE B",
        "VOTE EXTEND 24h", "CLEAR", "WAIT", "SET ORDERS REPLACE", "HELP RULES", "HELP CHOICES",
        "STATISTICS track", "RATING", "INFO PLAYER", "EXPORT dash", "SET DIGEST PHASE",
        "PRESS TO B\nhello\nENDPRESS", "DIARY\nmine\nENDDIARY", "CALENDAR", "Turn 1",
        "SET PREFERENCE A", "SET LANGUAGE DE",
    ],
)
def test_no_command_fails_without_a_capability(rig: Rig, line: str) -> None:
    assert "the judge failed to do this" not in as_ada(rig, line)
    faults = [letter for box in rig.boxes.values() for letter in box if "set aside" in str(letter)]
    assert not faults


def test_future_orders_are_shown_and_used_in_their_turn(rig: Rig) -> None:
    answer = as_ada(rig, "RUN 1", "T2 RUN 5", "T4 RUN 6")
    assert "Orders for turn 2 (T2), on file for later: RUN 5" in answer
    assert "Orders for turn 4 (T4), on file for later: RUN 6" in answer
    as_bob(rig, "RUN 1")
    a_turn_later(rig)
    assert position(rig) == ("T2", {"Ada": 1, "Bob": 1})
    status = as_ada(rig, "STATUS")
    assert "Orders for turn 2 RUN 5" in status
    assert "Orders for turn 4 (T4), on file for later" in status
    as_ada(rig, "CLEAR T4")
    assert "on file for later" not in as_ada(rig, "STATUS")


def test_order_lines_can_be_final(rig: Rig) -> None:
    as_ada(rig, "RUN 1", "DONE")
    game = rig.application.games.find("dash")
    assert game is not None
    seats = {seat.power: seat.ready for seat in rig.application.games.seats(game.id)}
    assert seats["Ada"] and not seats["Bob"]
    assert "READY" in as_ada(rig, "NOT DONE")
    seats = {seat.power: seat.ready for seat in rig.application.games.seats(game.id)}
    assert not seats["Ada"]


def test_carried_orders_are_on_file_next_turn_and_after_rollback(rig: Rig) -> None:
    as_ada(rig, "PACE 2")
    as_bob(rig, "RUN 1")
    a_turn_later(rig)
    assert "Orders for turn 2 PACE 2" in as_ada(rig, "STATUS")
    as_bob(rig, "RUN 1")
    a_turn_later(rig)
    assert position(rig) == ("T3", {"Ada": 4, "Bob": 2})
    as_master(rig, "ROLLBACK dash T3 TO T2")
    assert position(rig) == ("T2", {"Ada": 2, "Bob": 1})
    assert "Orders for turn 2 PACE 2" in as_ada(rig, "STATUS")


def test_a_race_is_played_to_its_end_and_counted(rig: Rig) -> None:
    as_ada(rig, "PACE 9")
    as_bob(rig, "PACE 1")
    for _ in range(3):
        a_turn_later(rig)
    game = rig.application.games.find("dash")
    assert game is not None and game.state.value == "ended"
    assert "Ada is home." in squeeze_text(text_of(rig.newest[ANN]))
    assert "A Ada 1 0 0 0" in answer_mail(rig, ANN, "STATISTICS track\n")
    with rig.application.context.unit_of_work() as context:
        over = context.games.find("dash")
        assert over is not None
        archived = archive_of(over.record, over.turns(), over.events())
    assert list(replay(read_archive(write_archive(archived)))) == []
    assert read_order_list(order_list(archived), rig.clock.now()).game.phase == "T4"


def test_an_imported_game_keeps_the_carried_orders(rig: Rig) -> None:
    as_ada(rig, "RUN 1")
    as_bob(rig, "PACE 1")
    a_turn_later(rig)
    with rig.application.context.unit_of_work() as context:
        game = context.games.find("dash")
        assert game is not None
        archived = archive_of(game.record, game.turns(), game.events())
        copy, _ = import_game(context, archived, "again", GM, rig.clock.now(), force=False)
        assert (copy.phase, copy.orders("T2")) == ("T2", {"Bob": "PACE 1"})
