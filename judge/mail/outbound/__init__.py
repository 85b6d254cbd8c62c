"""Outgoing mail: layout, composition, length limit and delivery of letters."""
