"""Pictures of boards: areas, tints, tokens and strokes, without rules of games.

A game system builds a `LetterPicture`, which names the areas of a `Base`, and gets SVG or PNG.
`base` describes the parts of a board, `picture` the items drawn on it.
"""
