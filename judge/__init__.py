"""A judge by e-mail: it referees turn-based board games for people who own nothing but a mail client.

Floors (imports point down only; rooms on one floor do not see each other)::

    4  cli, daemon, demo       wire everything; the only floor that sees mail AND play
    3  play                    sign-on, orders, clocks, votes: games (by contract only), store, words
    2  games | mail | store    rules | letters in and out | what is remembered
    1  board | grammars | phrases    maps and positions | languages | sentences
    0  words, errors, clock, dice, config

The rules know no mail, clock or database. Mail knows no games. The store keeps positions and
orders as text it never reads. `tests/house/test_floors.py` holds the code to this.

Not ours: web play, chat, bots that play, spam filtering, DKIM signing.
"""

__version__ = "0.1.0"
