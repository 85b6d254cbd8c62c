"""What people do with games: signing on, orders, press, clocks, votes, masters. Floor 3.

Knows game systems by their contract only, keeps everything in the store, and answers with
letters as facts; it never sees a mail being read or sent. `desk.Desk` is the way in for a mail,
`resolver.Resolver` for the clock; the packages are groups of rooms, one for each matter.
"""
