"""What belongs into a digest: by who reads, and by what he wants to hear nothing of."""

from dataclasses import replace

from judge.model.letter import Kind
from judge.model.record import Role, Seat, SeatState
from judge.model.seatsettings import SeatSettings
from judge.play.notification_filter import _is_wanted
from tests.rows import every

SEAT = Seat(3, 1, Role.PLAYER, SeatState.HELD, "France", "ann@example.org")
PLAYED = (Kind.PRESS, Kind.VOTE, Kind.VACANCY)
WATCHED = (Kind.RESULTS, *PLAYED, Kind.NOTICE)
NEVER = (Kind.START, Kind.END)


@every(("role", "muted", "wanted"), [
    (Role.PLAYER, (), PLAYED),
    (Role.PLAYER, ("PRESS",), (Kind.VOTE, Kind.VACANCY)),
    (Role.MASTER, (), PLAYED),
    (Role.OBSERVER, (), WATCHED),
    (Role.OBSERVER, ("PRESS",), (Kind.RESULTS, Kind.VOTE, Kind.VACANCY, Kind.NOTICE)),
    (Role.MONITOR, (), (Kind.RESULTS, Kind.VOTE, Kind.VACANCY, Kind.NOTICE)),
])
def test_who_reads_what_in_a_digest(
    role: Role, muted: tuple[str, ...], wanted: tuple[Kind, ...]
) -> None:
    seat = replace(SEAT, role=role, settings=replace(SeatSettings(), muted=muted))
    found = {kind for kind in (*WATCHED, *NEVER) if _is_wanted(seat, kind.value)}
    assert found == set(wanted)
