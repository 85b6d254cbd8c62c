"""The tables, field by field as the records of `judge.words.record` name them.

What a field becomes in the database is said here; keys and indexes are made by `migrations.py`.
"""

import json
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

import peewee

from judge.words.picture import NOWHERE, Place
from judge.words.record import GameState, MailState, OutState, Role, SeatState

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(instant: datetime) -> int:
    """Return an instant as microseconds since 1970, exactly.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC))
    1000005
    """
    return (instant - EPOCH) // timedelta(microseconds=1)


class InstantField(peewee.BigIntegerField):
    """An aware instant, kept as whole microseconds: they compare and sort as they happened."""

    def db_value(self, value: datetime | None) -> int | None:
        """Return the microseconds."""
        return None if value is None else micros(value)

    def python_value(self, value: int | None) -> datetime | None:
        """Return the instant, in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class JSONField(peewee.TextField):
    """A JSON value."""

    def db_value(self, value: object) -> str:
        """Return it as text, the same text for the same value."""
        return json.dumps(value, ensure_ascii=False, sort_keys=True)

    def python_value(self, value: str) -> Any:
        """Return the value."""
        return json.loads(value)


class WordsField(JSONField):
    """A tuple of texts."""

    def python_value(self, value: str) -> tuple[str, ...]:
        """Return the tuple."""
        return tuple(json.loads(value))


class PlacesField(JSONField):
    """The places of pictures in a message."""

    def python_value(self, value: str) -> tuple[Place, ...]:
        """Return the tuple; of what cannot be read one place that is nowhere.

        One damaged row must not keep all others from being read; who fills the places finds it.
        """
        try:
            return tuple(Place(*place) for place in json.loads(value))
        except (ValueError, TypeError):
            return (NOWHERE,)


class EnumField(peewee.TextField):
    """A member of an enumeration, by its value."""

    def __init__(self, members: type[Enum]) -> None:
        super().__init__()
        self.members = members

    def db_value(self, value: Enum | str) -> str:
        """Return the text of a member."""
        return str(value.value) if isinstance(value, Enum) else value

    def python_value(self, value: str) -> Enum:
        """Return the member."""
        return self.members(value)


class GameRow(peewee.Model):
    """A `GameRecord`."""

    id = peewee.AutoField()
    name = peewee.TextField()
    system = peewee.TextField()
    map = peewee.TextField()
    state = EnumField(GameState)
    phase = peewee.TextField()
    turn = peewee.IntegerField()
    position = peewee.TextField()
    settings = JSONField()
    seed = peewee.BlobField()
    created = InstantField()
    started = InstantField(null=True)
    ended = InstantField(null=True)
    opened = InstantField(null=True)
    deadline = InstantField(null=True)
    grace_until = InstantField(null=True)
    due = InstantField(null=True)
    marks = JSONField()
    result = peewee.TextField()
    branch = peewee.IntegerField()

    class Meta:
        table_name = "games"


class SeatRow(peewee.Model):
    """A `Seat`."""

    id = peewee.AutoField()
    game = peewee.IntegerField()
    role = EnumField(Role)
    state = EnumField(SeatState)
    power = peewee.TextField()
    address = peewee.TextField()
    password = peewee.TextField()
    epoch = peewee.IntegerField()
    preference = peewee.TextField()
    wait = peewee.BooleanField()
    ready = peewee.BooleanField()
    missed = peewee.IntegerField()
    settings = JSONField()
    since = InstantField(null=True)

    class Meta:
        table_name = "seats"


class OrderRow(peewee.Model):
    """The orders one power has on file for one phase, as the game system dumped them."""

    game = peewee.IntegerField()
    phase = peewee.TextField()
    power = peewee.TextField()
    text = peewee.TextField()

    class Meta:
        table_name = "orders"
        primary_key = peewee.CompositeKey("game", "phase", "power")


class TurnRow(peewee.Model):
    """A `Turn`."""

    game = peewee.IntegerField()
    number = peewee.IntegerField()
    phase = peewee.TextField()
    before = peewee.TextField()
    orders = JSONField()
    outcome = peewee.TextField()
    after = peewee.TextField()
    at = InstantField()
    options = JSONField()

    class Meta:
        table_name = "turns"
        primary_key = peewee.CompositeKey("game", "number")


class EventRow(peewee.Model):
    """An `Event`."""

    id = peewee.AutoField()
    game = peewee.IntegerField()
    at = InstantField()
    phase = peewee.TextField()
    kind = peewee.TextField()
    text = peewee.TextField()
    readers = WordsField()

    class Meta:
        table_name = "events"


class BallotRow(peewee.Model):
    """A `Ballot`."""

    game = peewee.IntegerField()
    seat = peewee.IntegerField()
    matter = peewee.TextField()
    choice = peewee.TextField()

    class Meta:
        table_name = "ballots"
        primary_key = peewee.CompositeKey("game", "seat", "matter")


class PlanRow(peewee.Model):
    """A `Plan`."""

    game = peewee.IntegerField()
    phase = peewee.TextField()
    power = peewee.TextField()
    text = peewee.TextField()
    wait = peewee.BooleanField()

    class Meta:
        table_name = "plans"
        primary_key = peewee.CompositeKey("game", "phase", "power")


class MailRow(peewee.Model):
    """A `StoredMail`, with where it came from and when it was finished."""

    id = peewee.AutoField()
    accepted = InstantField()
    sender = peewee.TextField()
    recipients = WordsField()
    peer = peewee.TextField()
    # The library's own word "raw" is taken.
    octets = peewee.BlobField(column_name="raw")
    state = EnumField(MailState)
    digest = peewee.TextField()
    note = peewee.TextField()
    finished = InstantField(null=True)
    part = peewee.TextField()

    class Meta:
        table_name = "mails"


class OutgoingRow(peewee.Model):
    """An `Outgoing`, with when it was sent or given up."""

    id = peewee.AutoField()
    to = peewee.TextField()
    sender = peewee.TextField()
    message_id = peewee.TextField()
    message = peewee.BlobField()
    queued = InstantField()
    due = InstantField()
    game = peewee.TextField()
    kind = peewee.TextField()
    answers = peewee.IntegerField()
    tries = peewee.IntegerField()
    state = EnumField(OutState)
    error = peewee.TextField()
    finished = InstantField(null=True)
    places = PlacesField()
    waits = peewee.BooleanField()
    claimed = InstantField(null=True)
    """Until when a sender has it in hand."""
    owner = peewee.IntegerField()
    """The number of that sender; 0: nobody knows."""

    class Meta:
        table_name = "outgoing"


class BounceRow(peewee.Model):
    """An address whose letters came back: how badly, and since when nothing is sent to it."""

    address = peewee.TextField(primary_key=True)
    points = peewee.IntegerField()
    last = InstantField()
    suspended = InstantField(null=True)

    class Meta:
        table_name = "bounces"


class MemoryRow(peewee.Model):
    """One remembered value."""

    name = peewee.TextField(primary_key=True)
    value = peewee.BlobField()

    class Meta:
        table_name = "memory"


TABLES: tuple[type[peewee.Model], ...] = (
    GameRow, SeatRow, OrderRow, TurnRow, EventRow, BallotRow, PlanRow, MailRow, OutgoingRow,
    BounceRow, MemoryRow,
)
