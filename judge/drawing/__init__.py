"""Boards as pictures. Floor 1: knows areas, tints, tokens and strokes, but no rules of any game.

A game system hands in a `Picture` (what is to be seen, by the names of areas on a `Base`) and gets
SVG or PNG. What a base is made of is described in `base`, what may stand on it in `picture`.
"""
