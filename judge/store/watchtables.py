"""The tables of what the judge keeps an eye on: masters who write, addresses it does not hear."""

import peewee

from judge.store.tables import EPOCH, InstantField


class HeardRow(peewee.Model):
    """When a master was last heard of, and when he was asked whether he is still there."""

    seat = peewee.IntegerField(primary_key=True)
    at = InstantField()
    asked = InstantField(null=True)
    again = InstantField(null=True, default=EPOCH)
    """When to look at him again; `EPOCH`: once he is silent for long enough, None: never."""

    class Meta:
        table_name = "heard"


class BanRow(peewee.Model):
    """An address, or "@" and a domain, whose mail is kept and not carried out."""

    address = peewee.TextField(primary_key=True)
    at = InstantField()

    class Meta:
        table_name = "bans"


WATCH_TABLES: tuple[type[peewee.Model], ...] = (HeardRow, BanRow)
