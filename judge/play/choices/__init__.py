"""SET: the table of settings, what their values mean, and the rules a game has chosen."""
