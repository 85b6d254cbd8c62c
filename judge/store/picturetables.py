"""The table of pictures that go with letters."""

import peewee

from judge.store.tables import EnumField, InstantField
from judge.words.picture import Form, PictureState


class PictureRow(peewee.Model):
    """A `Sketch`, and what became of it: the drawn picture, or why there is none."""

    key = peewee.TextField(primary_key=True)
    system = peewee.TextField()
    form = EnumField(Form)
    title = peewee.TextField()
    source = peewee.TextField()
    state = EnumField(PictureState)
    octets = peewee.BlobField()
    error = peewee.TextField()
    asked = InstantField()
    """When a letter last wanted it."""
    finished = InstantField(null=True)
    asked_for = peewee.BooleanField(default=False)
    """Only letters that somebody asked for want it: results go first."""
    since = InstantField()
    """When it was first wanted, of those that wait to be drawn."""

    class Meta:
        table_name = "pictures"
