"""Contents of a digest, by role and by muted kinds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.model.letter import Letter, LetterKind
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.seat_settings import SeatSettings
from judge.play import notification_filter
from judge.play.game import Context
from judge.play.notification_filter import _is_wanted, flush_digest
from judge.store.schema import PendingDigest

MOMENT = timedelta(microseconds=1)

SEAT = Seat(3, 1, Role.PLAYER, SeatState.OCCUPIED, "France", "ann@example.org")
PLAYED = (LetterKind.PRESS, LetterKind.VOTE, LetterKind.VACANCY)
WATCHED = (LetterKind.RESULTS, *PLAYED, LetterKind.NOTICE)
NEVER = (LetterKind.START, LetterKind.END)


@pytest.mark.parametrize(
    ("role", "muted", "wanted"),
    [
        (Role.PLAYER, (), PLAYED),
        (Role.PLAYER, ("PRESS",), (LetterKind.VOTE, LetterKind.VACANCY)),
        (Role.MASTER, (), PLAYED),
        (Role.OBSERVER, (), WATCHED),
        (
            Role.OBSERVER, ("PRESS",),
            (LetterKind.RESULTS, LetterKind.VOTE, LetterKind.VACANCY, LetterKind.NOTICE),
        ),
        (
            Role.MONITOR, (),
            (LetterKind.RESULTS, LetterKind.VOTE, LetterKind.VACANCY, LetterKind.NOTICE),
        ),
    ],
)
def test_a_digest_contains_the_kinds_of_its_role(
    role: Role, muted: tuple[str, ...], wanted: tuple[LetterKind, ...]
) -> None:
    seat = replace(SEAT, role=role, settings=replace(SeatSettings(), muted=muted))
    found = {kind for kind in (*WATCHED, *NEVER) if _is_wanted(seat, kind.value)}
    assert found == set(wanted)


NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize("state", [GameState.RUNNING, GameState.FORMING])
@pytest.mark.parametrize("bundle, seat, kinds, told", [
    (True, SEAT, ["results"], [LetterKind.RESULTS]), (True, SEAT, ["press"], [LetterKind.NOTICE]),
    (True, SEAT, ["press", "results"], [LetterKind.RESULTS]), (True, SEAT, [], []),
    (False, SEAT, ["results"], []), (True, None, ["results"], []),
    (True, replace(SEAT, state=SeatState.LEFT), ["results"], []),
])
def test_a_digest_is_sent_as_one_letter_and_cleared(
    bundle: bool, seat: Seat | None, kinds: list[str], told: list[LetterKind], state: GameState
) -> None:
    """Vacated seats and empty digests get none, and results include the board."""
    dropped: list[int] = []
    shown: list[Letter] = []
    begun = "results" in kinds and state is GameState.RUNNING
    game = SimpleNamespace(
        state=state, table=SimpleNamespace(position_facts=lambda reader: "standing")
    )
    context = SimpleNamespace(
        bundles=SimpleNamespace(
            get=lambda number: PendingDigest(number, NOW - DAY, NOW) if bundle else None,
            drop=dropped.append,
        ),
        games=SimpleNamespace(seat=lambda number: seat, get=lambda number: game),
    )
    moments = [NOW - DAY - MOMENT, NOW - DAY, NOW, NOW + MOMENT]
    entries = [{"kind": kind, "letter": kind} for kind in kinds]

    def list_entries(of: object, whose: object, has: Callable[[str, datetime], bool]) -> list[Any]:
        assert [has("S1901M", at) for at in moments] == [False, True, True, False]
        return [*entries, {"kind": "start", "letter": "start"}]

    def letter(
        of: object, whose: object, kind: LetterKind, name: str, facts: Any, event: object
    ) -> Any:
        assert facts["entries"] == entries and facts["since"] == NOW - DAY
        assert facts["standing"] == ("standing" if begun else None)
        return Letter(kind, "", "", name)

    def add_pictures(letter: Letter, view: object) -> Letter:
        shown.append(letter)
        return letter

    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "entries_for": list_entries, "letter_to": letter, "changed_since": lambda *_: (),
            "_is_wanted": lambda seat, kind: kind in kinds, "_last_turn": lambda *_: None,
            "illustrate_letter": add_pictures, "reader_of": lambda *_: None,
        }.items():
            patch.setattr(notification_filter, name, value)
        sent = flush_digest(cast(Context, context), 3, NOW)
    assert [one.kind for one in sent] == told and dropped == [3]
    assert shown == (sent if begun else [])
