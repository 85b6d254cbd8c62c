"""Boards of provinces: maps, phases, positions. Floor 1; knows no orders and decides nothing."""
