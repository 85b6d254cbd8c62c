"""What the operator decided, as the play rooms need it."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's choices.

    `create` is "anyone" or "keeper": who may make games. `strangers_per_hour` bounds the answers
    to one address that opened no seat. After an outage a deadline that passed meanwhile moves to
    at least `outage_grace` from now. On `holidays` (first and last day) no deadline falls.
    `confirm`: new addresses are asked whether they are right.
    """

    judge: str = "Judge"
    address: str = "judge@localhost"
    keeper: str = "postmaster@localhost"
    create: str = "anyone"
    strangers_per_hour: int = 20
    outage_grace: timedelta = timedelta(hours=1)
    holidays: tuple[tuple[date, date], ...] = ()
    confirm: bool = False
