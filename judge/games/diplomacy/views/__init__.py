"""Views of a game: sheets, receipts, results, positions, pictures and JSON."""
