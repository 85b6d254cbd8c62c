"""Letters nobody must get: to observers, and to those who stand by for a seat."""

from dataclasses import replace

from judge.play.game import Office
from judge.play.office import is_present
from judge.words.record import Role, SeatState

_NEEDED = (Role.PLAYER, Role.MASTER)


def is_needed(office: Office, address: str, game_id: int = 0) -> bool:
    """Tell whether somebody plays or is a master, in one game or in any: he must hear of it."""
    return any(
        seat.role in _NEEDED and is_present(seat) and game_id in (0, seat.game)
        for seat in office.games.seats_at(address)
    )


def stop_optional(office: Office, address: str) -> list[str]:
    """End what an address gets without playing; return what that was, in words for the keeper."""
    ended = []
    for seat in office.games.seats_at(address):
        if seat.role not in _NEEDED and is_present(seat):
            office.bundles.drop(seat.id)
            gone = replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1)
            office.games.save_seat(gone)
            ended.append(f"observing {office.games.get(seat.game).name}")
    person = office.register.person(address)
    if person.standby:
        office.register.save(replace(person, standby=()))
        ended.append("the standby list")
    return ended
