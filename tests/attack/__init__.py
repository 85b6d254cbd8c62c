"""Repeatable attacks on a running judge, each of which returns its successes."""
