"""Import of maps of other judges into folders of tables.

A reader for each format makes a `DraftMap` of the files, without running any of them. `tables`
writes a draft as the tables of docs/build/maps.md. `art` makes outlines of a picture.
"""
