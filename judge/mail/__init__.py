"""Letters in and out: the SMTP server, reading, composing, sending; no games and no database."""
