"""What the players of a game decide together: motions, ballots, and how they are counted."""
