"""Implementation of the terminal commands, such as `judge mail` and `check`.

The modules return text. Only `judge.cli` prints and exits.
"""
