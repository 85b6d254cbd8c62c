"""When: deadlines and what moves them, absences, reminders, lateness, the phases themselves."""
