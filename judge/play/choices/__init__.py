"""Settings: the SET table, its values, and the rules a game has chosen."""
