"""Order language: reading lines as players type them, repair, and verdicts."""
