"""What is told of a game: sheets, receipts, results, positions, pictures, and as JSON."""
