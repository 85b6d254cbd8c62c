"""A judge with many games, and what comes in around a full hour: how fast it is, and how large."""
