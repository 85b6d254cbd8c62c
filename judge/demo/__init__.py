"""A whole game by mail, played by scripted people: `make demo`. Floor 4.

The demo starts a judge of its own as a separate process and talks to it as anybody would: mails
go in by SMTP, letters come out of the Maildir. Its players know the map, and beyond it only what
their letters say. They are no opponents: they choose at random among orders that make some sense.
"""
