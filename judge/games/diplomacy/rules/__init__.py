"""Rules: orders, legality, adjudication and reasons. Pure functions."""
