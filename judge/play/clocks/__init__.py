"""Clocks: deadlines and their changes, absences, reminders, lateness and phases."""
