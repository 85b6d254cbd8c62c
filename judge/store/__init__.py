"""Storage of games, seats, orders, history, and incoming and outgoing mail.

All SQL is in this package. Positions, orders and outcomes are stored as text that it does not
parse. Functions that depend on the time take it as an argument.
"""
