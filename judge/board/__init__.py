"""Boards of provinces: maps, phases, positions.

The package knows no orders and adjudicates nothing.
"""
