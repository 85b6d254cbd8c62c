"""The table of letters that somebody has others sent."""

import peewee

from judge.store.tables import InstantField


class OutreachRow(peewee.Model):
    """One letter: whose doing, to whom, about what, from when on it may go; `letter` is its number
    in the outgoing queue, 0 before it is there."""

    id = peewee.AutoField()
    asker = peewee.TextField()
    address = peewee.TextField()
    about = peewee.TextField()
    due = InstantField()
    letter = peewee.IntegerField(default=0)

    class Meta:
        table_name = "outreach"
