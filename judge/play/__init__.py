"""What people do with games: signing on, orders, press, clocks, votes, masters. Floor 3.

Knows game systems by their contract only, keeps everything in the store, and answers with
letters as facts; it never sees a mail being read or sent. Its own floors, from above::

    doors       dispatcher (for a mail), resolver (for the clock), touching (what a mail is about)
    commands    what people ask for, subject by subject: the table, and what carries each out
    services    people, clocks, gm, votes, orders, press, archive, rating, choices,
                notification_filter
    letters     beside the services: they tell what is so and change nothing
    ground      game (the unit of work, and its context), chosen, dealings, queries, policy,
                tokens, passwords; schedule and parse_time are arithmetic

No service knows a command, and no two folders of services know each other.
`make lint` holds the code to this (pyproject.toml).
"""
