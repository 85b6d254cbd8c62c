"""The table of deadlines as they were told."""

import peewee

from judge.store.tables import InstantField


class AppointmentRow(peewee.Model):
    """An `Appointment`."""

    game = peewee.IntegerField()
    phase = peewee.TextField()
    clock = peewee.TextField()
    turn = peewee.TextField()
    at = InstantField()
    sequence = peewee.IntegerField()
    is_on = peewee.BooleanField()
    told = InstantField()

    class Meta:
        table_name = "appointments"
        primary_key = peewee.CompositeKey("game", "phase")
