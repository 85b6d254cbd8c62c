"""A judge by e-mail: it referees board games for players with a mail client.

Layers (imports go down only; packages of one layer do not import each other)::

    5  cli                     the only package that prints or exits
    4  daemon, terminal, demo  wire everything; the only layer that imports mail and play
    3  play | diplomacy        sign-on, orders, clocks, votes; games by contract only |
                               the engine as a library, for programs
    2  games | mail | store | site    rules | letters | database | public pages
    1  board | drawing | grammars | phrases | topics | config    maps | pictures | languages | texts
    0  model, errors, clock, dice, digits, folders, failpoints, languages, textfiles

The rules have no access to mail, clock or database. Mail does not import games. The store keeps
positions and orders as text that it never parses. `mapmaking`, next to this package and not
installed with it, makes the shapes of maps and imports the lower two layers. `make lint` checks
this (pyproject.toml).

Not included: web play, chat, spam filtering, DKIM signing.
"""

__version__ = "1.0.0"
