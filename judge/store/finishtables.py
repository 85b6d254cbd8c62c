"""The table of how games ended."""

import peewee

from judge.store.tables import InstantField, JSONField


class FinishRow(peewee.Model):
    """A `Finished`, as it was worked out from the records of its game."""

    game = peewee.IntegerField(primary_key=True)
    ended = InstantField()
    told = JSONField()

    class Meta:
        table_name = "finishes"
