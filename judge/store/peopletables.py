"""The tables of people: their addresses, what waits for them, how they conducted themselves."""

import peewee

from judge.store.tables import EnumField, InstantField, WordsField
from judge.words.person import Deed


class AddressRow(peewee.Model):
    """An address that wrote to us, in lower case, and since when it is confirmed."""

    id = peewee.AutoField()
    address = peewee.TextField(unique=True)
    confirmed = InstantField(null=True)

    class Meta:
        table_name = "addresses"


class AskedRow(peewee.Model):
    """When something that must not be asked too often was last asked."""

    what = peewee.TextField(primary_key=True)
    at = InstantField()

    class Meta:
        table_name = "asked"


class HeldRow(peewee.Model):
    """A line of a mail that waits for its sender's address to be confirmed."""

    mail = peewee.IntegerField()
    line = peewee.IntegerField()
    address = peewee.TextField()
    at = InstantField()
    game = peewee.TextField(default="")
    """The name of the game it is about, in lower case, where it names one."""

    class Meta:
        table_name = "held"
        primary_key = peewee.CompositeKey("mail", "line")


class WrongRow(peewee.Model):
    """A sign-on with a wrong password: at which seat, from which address."""

    id = peewee.AutoField()
    seat = peewee.TextField()
    address = peewee.TextField()
    at = InstantField()

    class Meta:
        table_name = "wrong_signons"


class MoveRow(peewee.Model):
    """A seat's change of address, asked for and perhaps done."""

    id = peewee.AutoField()
    seat = peewee.IntegerField()
    epoch = peewee.IntegerField()
    old = peewee.TextField()
    new = peewee.TextField()
    asked = InstantField()
    done = InstantField(null=True)

    class Meta:
        table_name = "moves"


class PersonRow(peewee.Model):
    """A `Person`."""

    address = peewee.TextField(primary_key=True)
    name = peewee.TextField()
    zone = peewee.TextField()
    level = peewee.TextField()
    standby = WordsField()
    language = peewee.TextField(default="")

    class Meta:
        table_name = "persons"


class ConductRow(peewee.Model):
    """One deed of a person, in one phase, with one power."""

    game = peewee.IntegerField()
    phase = peewee.TextField()
    power = peewee.TextField()
    deed = EnumField(Deed)
    address = peewee.TextField()
    at = InstantField()
    undone = peewee.BooleanField(default=False)
    """The phase was rolled back: it counts neither for nor against anybody."""

    class Meta:
        table_name = "conduct"
        primary_key = peewee.CompositeKey("game", "phase", "power", "deed")


class BundleRow(peewee.Model):
    """A `Bundle`: what a subscriber has not been told yet."""

    seat = peewee.IntegerField(primary_key=True)
    since = InstantField()
    due = InstantField(null=True)

    class Meta:
        table_name = "bundles"


class ServedRow(peewee.Model):
    """Octets that were sent to an address because somebody asked for them."""

    id = peewee.AutoField()
    address = peewee.TextField()
    at = InstantField()
    octets = peewee.IntegerField()

    class Meta:
        table_name = "served"


class AliasRow(peewee.Model):
    """An address of a person who has several."""

    address = peewee.TextField(primary_key=True)
    person = peewee.IntegerField()

    class Meta:
        table_name = "aliases"


class LinkRow(peewee.Model):
    """A `Link`: two addresses that are said to be one person's."""

    id = peewee.AutoField()
    first = peewee.TextField()
    second = peewee.TextField()
    asked = InstantField()
    first_yes = peewee.BooleanField()
    second_yes = peewee.BooleanField()

    class Meta:
        table_name = "links"


PEOPLE_TABLES: tuple[type[peewee.Model], ...] = (
    AddressRow, AskedRow, HeldRow, WrongRow, MoveRow, PersonRow, ConductRow, BundleRow,
    AliasRow, LinkRow, ServedRow,
)
