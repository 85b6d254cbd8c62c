"""Play of games: sign-on, orders, press, clocks, votes and masters.

It knows game systems by their contract only, keeps everything in the store, and replies with
letters as facts. It does not parse or send mail. Its layers, from the top::

    entry       dispatcher (for a mail), resolver (for the clock), touching (locks of a mail)
    commands    table of commands, subject by subject, with the code that carries each out
    services    people, clocks, gm, votes, orders, press, archive, rating, choices,
                notification_filter
    letters     next to the services: they report the state and change nothing
    base        game (the unit of work, and its context), chosen, dealings, queries, policy,
                tokens, passwords; schedule and parse_time are arithmetic

No service imports a command, and no two service packages import each other. `make lint` checks
this (pyproject.toml).
"""
