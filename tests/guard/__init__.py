"""Stored databases, mails that are sent to them, and the letters they cause."""
