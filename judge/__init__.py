"""A judge by e-mail: it referees board games for people who own nothing but a mail client.

Floors (imports point down only; rooms on one floor do not see each other)::

    5  cli                     the roof: the only place that prints or exits
    4  daemon, terminal, demo  wire everything; the only floor that sees mail AND play
    3  play | diplomacy        sign-on, orders, clocks, votes: sees games by contract only |
                               the engine as a library, for programs
    2  games | mail | store | site    rules | letters | what is remembered | public pages
    1  board | drawing | grammars | phrases | topics | config    maps | pictures | languages | texts
    0  model, errors, clock, dice, digits, folders, failpoints, languages, textfiles

The rules know no mail, clock or database. Mail knows no games. The store keeps positions and
orders as text it never reads. `mapmaking`, beside the judge and not installed with it, makes the
shapes of maps and sees the lower two floors. `make lint` holds the code to this (pyproject.toml).

Not ours: web play, chat, bots that play, spam filtering, DKIM signing.
"""

__version__ = "1.0.0"
