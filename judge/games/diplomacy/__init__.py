"""Diplomacy on the standard and the Youngstown map.

Rules of 2023 as the DATC 3.0 reads them, the author's preferred choices as defaults.
"""
