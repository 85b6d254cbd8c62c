"""Contents of a digest, by role and by muted kinds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.model.letter import Kind, Letter
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.seatsettings import SeatSettings
from judge.play import notification_filter
from judge.play.game import Context
from judge.play.notification_filter import _is_wanted, release
from judge.store.schema import Bundle

MOMENT = timedelta(microseconds=1)

SEAT = Seat(3, 1, Role.PLAYER, SeatState.HELD, "France", "ann@example.org")
PLAYED = (Kind.PRESS, Kind.VOTE, Kind.VACANCY)
WATCHED = (Kind.RESULTS, *PLAYED, Kind.NOTICE)
NEVER = (Kind.START, Kind.END)


@pytest.mark.parametrize(("role", "muted", "wanted"), [
    (Role.PLAYER, (), PLAYED),
    (Role.PLAYER, ("PRESS",), (Kind.VOTE, Kind.VACANCY)),
    (Role.MASTER, (), PLAYED),
    (Role.OBSERVER, (), WATCHED),
    (Role.OBSERVER, ("PRESS",), (Kind.RESULTS, Kind.VOTE, Kind.VACANCY, Kind.NOTICE)),
    (Role.MONITOR, (), (Kind.RESULTS, Kind.VOTE, Kind.VACANCY, Kind.NOTICE)),
])
def test_a_digest_contains_the_kinds_of_its_role(
    role: Role, muted: tuple[str, ...], wanted: tuple[Kind, ...]
) -> None:
    seat = replace(SEAT, role=role, settings=replace(SeatSettings(), muted=muted))
    found = {kind for kind in (*WATCHED, *NEVER) if _is_wanted(seat, kind.value)}
    assert found == set(wanted)


NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize("state", [GameState.RUNNING, GameState.FORMING])
@pytest.mark.parametrize("bundle, seat, kinds, told", [
    (True, SEAT, ["results"], [Kind.RESULTS]), (True, SEAT, ["press"], [Kind.NOTICE]),
    (True, SEAT, ["press", "results"], [Kind.RESULTS]), (True, SEAT, [], []),
    (False, SEAT, ["results"], []), (True, None, ["results"], []),
    (True, replace(SEAT, state=SeatState.LEFT), ["results"], []),
])
def test_a_digest_is_sent_as_one_letter_and_cleared(
    bundle: bool, seat: Seat | None, kinds: list[str], told: list[Kind], state: GameState
) -> None:
    """Vacated seats and empty digests get none, and results include the board."""
    dropped: list[int] = []
    shown: list[Letter] = []
    begun = "results" in kinds and state is GameState.RUNNING
    game = SimpleNamespace(state=state, table=SimpleNamespace(standing=lambda reader: "standing"))
    context = SimpleNamespace(
        bundles=SimpleNamespace(
            get=lambda number: Bundle(number, NOW - DAY, NOW) if bundle else None,
            drop=dropped.append,
        ),
        games=SimpleNamespace(seat=lambda number: seat, get=lambda number: game),
    )
    moments = [NOW - DAY - MOMENT, NOW - DAY, NOW, NOW + MOMENT]
    entries = [{"kind": kind, "letter": kind} for kind in kinds]

    def found(of: object, whose: object, has: Callable[[str, datetime], bool]) -> list[Any]:
        assert [has("S1901M", at) for at in moments] == [False, True, True, False]
        return [*entries, {"kind": "start", "letter": "start"}]

    def letter(of: object, whose: object, kind: Kind, name: str, facts: Any, event: object) -> Any:
        assert facts["entries"] == entries and facts["since"] == NOW - DAY
        assert facts["standing"] == ("standing" if begun else None)
        return Letter(kind, "", "", name)

    def illustrated(letter: Letter, view: object) -> Letter:
        shown.append(letter)
        return letter

    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "entries_for": found, "letter_to": letter, "told_since": lambda *_: (),
            "_is_wanted": lambda seat, kind: kind in kinds, "_last_turn": lambda *_: None,
            "illustrated": illustrated, "reader_of": lambda *_: None,
        }.items():
            patch.setattr(notification_filter, name, value)
        sent = release(cast(Context, context), 3, NOW)
    assert [one.kind for one in sent] == told and dropped == [3]
    assert shown == (sent if begun else [])
