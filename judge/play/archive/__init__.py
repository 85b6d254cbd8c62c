"""Archive of games: history, export and import, replay, statistics, publication."""
