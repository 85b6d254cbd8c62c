"""Letters in and out: the SMTP door, reading, composing, sending; no games and no database."""
