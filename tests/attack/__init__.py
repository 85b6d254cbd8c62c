"""Attacks on a running judge that can be repeated; each returns what it got through."""
