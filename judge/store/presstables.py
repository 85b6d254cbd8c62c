"""The tables of press: what waits for the results or the end of the game, and who sent how much."""

import peewee

from judge.store.tables import EnumField, InstantField
from judge.words.paper import PaperKind


class PaperRow(peewee.Model):
    """A `Paper`."""

    id = peewee.AutoField()
    game = peewee.IntegerField()
    seat = peewee.IntegerField()
    kind = EnumField(PaperKind)
    phase = peewee.TextField()
    at = InstantField()
    text = peewee.TextField()

    class Meta:
        table_name = "papers"


class SpokenRow(peewee.Model):
    """One text that a seat had sent or kept: when, and how long it was."""

    id = peewee.AutoField()
    seat = peewee.IntegerField()
    at = InstantField()
    octets = peewee.IntegerField()

    class Meta:
        table_name = "spoken"


PRESS_TABLES: tuple[type[peewee.Model], ...] = (PaperRow, SpokenRow)
