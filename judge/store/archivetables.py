"""The tables of what was undone: turns that no longer count, and how a game stood before."""

import peewee

from judge.store.tables import EnumField, InstantField, JSONField
from judge.words.record import GameState


class UndoneRow(peewee.Model):
    """An `Undone`."""

    id = peewee.AutoField()
    game = peewee.IntegerField()
    at = InstantField()
    turn = peewee.IntegerField()
    phase = peewee.TextField()
    position = peewee.TextField()
    orders = JSONField()
    state = EnumField(GameState)
    ended = InstantField(null=True)
    result = peewee.TextField()

    class Meta:
        table_name = "undone"


class UndoneTurnRow(peewee.Model):
    """A `Turn` that was undone, and by which rollback."""

    undone = peewee.IntegerField()
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
        table_name = "undone_turns"
        primary_key = peewee.CompositeKey("undone", "number")


ARCHIVE_TABLES: tuple[type[peewee.Model], ...] = (UndoneRow, UndoneTurnRow)
