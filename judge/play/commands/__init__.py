"""Command classes with their rows, grouped by subject."""
