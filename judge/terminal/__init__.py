"""What a person at a terminal asks for: send a mail, read letters, check the house. Floor 4.

Each room answers with text; only `judge.cli` prints and exits.
"""
