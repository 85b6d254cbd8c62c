"""Masters and the keeper of the judge: their acts, each in the game's public log."""
