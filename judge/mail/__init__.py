"""Letters in and out: the SMTP server, parsing, composing, sending.

This package knows no games and no database.
"""
