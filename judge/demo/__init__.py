"""A whole game by mail, played by scripted people: `make demo`.

The demo starts a judge of its own as a separate process. Mails go in by SMTP, letters come out of a
Maildir. Only the position is read from the judge's database: the people order as bots would.
"""
