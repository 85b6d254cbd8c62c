"""Acts of masters and of the operator, each in the game's public log."""
