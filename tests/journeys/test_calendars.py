"""The .ics files of letters, parsed by a common library."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from icalendar import Calendar, Event

from judge.config import Config, StoreSection
from tests.journeys.rig import Rig

GM, ANN, EVE = "gm@example.org", "ann@q1.example", "eve@q2.example"
MASTER = "SIGNON Mboat gmsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    made = Rig()
    made.mail(GM, "CREATE ?boat gmsecret youngstown\nSET GUNBOAT\nSTART")
    made.mail(ANN, "TAKEOVER Iboat annsecret")
    made.mail(EVE, "OBSERVE boat")
    yield made
    made.close()


def events(letter: EmailMessage) -> list[tuple[str, Event]]:
    """Return the events of a letter, each with its method."""
    found = []
    for part in letter.walk():
        if part.get_content_type() == "application/ics":
            calendar = Calendar.from_ical(part.get_payload(decode=True))
            for event in calendar.walk("VEVENT"):
                assert isinstance(event, Event)
                found.append((str(calendar["METHOD"]), event))
    return found


def newest(rig: Rig, address: str, kind: str) -> EmailMessage:
    return [each for each in rig.boxes[address] if each["X-Judge-Kind"] == kind][-1]


def test_a_phase_played_early_is_cancelled_with_the_results(rig: Rig) -> None:
    (told,) = events(newest(rig, ANN, "start"))
    rig.mail(GM, f"{MASTER}PROCESS S1901M")
    (off, gone), (on, new) = events(newest(rig, ANN, "results"))
    # One file publishes the new event next to the cancelled one (RFC 5546, 3.2.1).
    assert (told[0], off, on) == ("PUBLISH", "PUBLISH", "PUBLISH")
    assert gone["UID"] == told[1]["UID"] != new["UID"]
    assert [int(one["SEQUENCE"]) for one in (told[1], gone, new)] == [0, 1, 0]
    assert str(gone["STATUS"]) == "CANCELLED"


def test_a_past_deadline_is_not_cancelled(rig: Rig) -> None:
    for _ in range(3):
        rig.clock.advance(hours=97)
        rig.run()
    found = [event for letter in rig.boxes[EVE] for event in events(letter)]
    assert [method for method, _ in found] == ["PUBLISH"] * len(found) and len(found) > 2


def test_calendar_entries_reveal_no_player(rig: Rig) -> None:
    told = {address: events(newest(rig, address, "start"))[0][1] for address in (GM, ANN, EVE)}
    assert len({event["SUMMARY"] for event in told.values()}) == 1
    assert len({event["UID"] for event in told.values()}) == 1
    for event in told.values():
        text = event.to_ical().decode()
        assert text.count("@") == 2  # the UID and the organizer, both the judge's
        assert "q1" not in text and "q2" not in text and "Italy" not in text
        assert str(event["ORGANIZER"]) == "mailto:judge@localhost"


def test_the_number_of_changes_survives_a_restart(tmp_path: Path) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    counts = []
    for hours in (0, 1, 2):
        rig = Rig(config)
        rig.clock.advance(hours=hours)
        if not hours:
            rig.mail(GM, "CREATE ?boat gmsecret standard\nSTART")
        else:
            rig.mail(GM, f"{MASTER}SET DEADLINE +{40 + hours}h")
        (told,) = events(rig.newest[GM])
        counts.append(int(told[1]["SEQUENCE"]))
        rig.close()
    assert counts == [0, 1, 2]


def test_calendars_follow_every_action_of_the_master(rig: Rig) -> None:
    """Every recipient opens every file, and each calendar has the deadline after it."""
    acts = {
        "SET DEADLINE +30h": "running S1901M",
        "PAUSE": "paused S1901M",
        "SET MOVE NEXT 50": "paused S1901M",
        "RESUME": "running S1901M",
        "PROCESS S1901M": "running F1901M",
        "FREEZE": "paused F1901M",
        "UNFREEZE": "running F1901M",
        "ROLLBACK boat F1901M TO S1901M": "running S1901M",
        "SET START +90h": "running S1901M",
        "SET HOUSE RULES\nPROCESS S1901M": "running F1901M",
        "ROLLBACK boat F1901M TO S1901M RESTORE": "running S1901M",
        "UNSTART S1901M": "forming S1901M",
        "START": "running S1901M",
        "TERMINATE boat S1901M": "ended S1901M",
    }
    for act, came in acts.items():
        rig.mail(GM, MASTER + act)
        game = rig.application.games.find("boat")
        assert game is not None and f"{game.state.value} {game.phase}" == came, act
        due = [f"{game.deadline:%Y-%m-%d %H:%M}"] if came[:7] == "running" else []
        for address in (GM, ANN, EVE):
            ahead = rig.calendar(address).ahead(rig.clock.now())
            assert [line[:16] for line in ahead] == due, (act, address)
