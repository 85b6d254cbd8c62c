"""What the operator decided, as the play rooms need it."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's choices.

    `create` is "anyone" or "keeper": who may make games. `strangers_per_hour` bounds the
    answers to one address that opened no seat. After an outage a deadline that passed meanwhile
    moves to at least `outage_grace` from now. No clock computes a deadline before `shortest` is
    over. On `holidays` (first and last day) no deadline falls. A game whose masters send no
    mail for `silent_master` is offered to its people; 0: never. `confirm`: new addresses are
    asked whether they are right. `maps`: how letters show the board to those who have not said
    how they want it. One press letter has `press_size` octets at most; a seat writes
    `press_per_day` letters and `press_volume` octets a day. A game has so many `observers`, and
    an address is master of so many `open_games`. EXPORT sends it `export_volume` octets a day. One
    person has `unconfirmed_per_day` letters sent to addresses that never confirmed. `archive` is
    where the public archive can be seen, with a slash at its end; empty: nowhere that is known.
    """

    judge: str = "Judge"
    address: str = "judge@localhost"
    keeper: str = "postmaster@localhost"
    create: str = "anyone"
    strangers_per_hour: int = 20
    press_size: int = 32 * 2**10
    press_per_day: int = 50
    press_volume: int = 2**20
    observers: int = 50
    open_games: int = 5
    export_volume: int = 4 * 2**20
    unconfirmed_per_day: int = 20
    outage_grace: timedelta = timedelta(hours=1)
    shortest: timedelta = timedelta()
    holidays: tuple[tuple[date, date], ...] = ()
    silent_master: timedelta = timedelta(days=60)
    confirm: bool = False
    maps: str = "png"
    archive: str = ""

    def is_keeper(self, address: str) -> bool:
        """Tell whether an address is the keeper's: by a From line alone, which proves nothing."""
        return address.casefold() == self.keeper.casefold()
